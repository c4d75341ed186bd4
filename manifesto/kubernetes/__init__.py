"""What Kubernetes makes of text, known to every part: its expansion of references, its quantities."""
