"""From two validated documents to flat render contexts. Pure functions: no files, no YAML, no Jinja."""
