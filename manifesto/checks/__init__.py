"""Judgement by tables: data goes in, findings come out. Imports no other part of Manifesto but errors."""
