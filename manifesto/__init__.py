"""Manifesto renders Kubernetes YAML for serving large language models with vLLM and llm-d."""

__version__ = "0.1.0"
