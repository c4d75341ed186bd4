"""Names under which a literal value is a secret."""

SECRET_VARIABLES = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "VLLM_API_KEY")
"""Environment variables that hold a secret for vLLM or the Hugging Face libraries."""

SUSPECT_ENDINGS = ("_TOKEN", "_SECRET", "_PASSWORD", "_ACCESS_KEY")
"""Endings of names of variables that usually hold one."""
