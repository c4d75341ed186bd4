"""From flat contexts to a manifest: a template pack, its files, its documents, and the header."""
