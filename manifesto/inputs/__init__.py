"""From names on the command line to two validated documents and a frozen Request."""
