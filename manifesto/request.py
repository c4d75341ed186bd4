"""The Request: what the user asked for on the command line and in settings, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """What one rendering is asked for. None means: not asked, the spec or the profile decides.

    `origins` leads from an option to what spoke for it, the option itself or a setting (`--user` → `USER`).
    """

    user: str
    namespace: str | None = None
    accelerator: str | None = None
    vllm_env: str | None = None
    user_root: str | None = None
    log_root: str | None = None
    cache_root: str | None = None
    pre_launch: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)

    def options(self) -> list[str]:
        """Return the options that reproduce this request, user and namespace left out, as words."""
        named = {
            "--accelerator": self.accelerator,
            "--vllm-env": self.vllm_env,
            "--user-root": self.user_root,
            "--log-root": self.log_root,
            "--cache-root": self.cache_root,
        }
        words = [word for name, value in named.items() if value is not None for word in (name, value)]
        return words + [word for line in self.pre_launch for word in ("--pre-launch", line)]


def make_request(options: Mapping[str, Any], settings: Mapping[str, str], environ: Mapping[str, str]) -> Request:
    """Return the Request for the command line's options (by parameter name) and the settings in force."""
    users = {
        "--user": options.get("user"),
        "MANIFESTO_USER": settings.get("MANIFESTO_USER"),
        "USER": environ.get("USER"),
    }
    namespaces = {
        "--namespace": options.get("namespace"),
        "MANIFESTO_NAMESPACE": settings.get("MANIFESTO_NAMESPACE"),
    }
    user_from = next((name for name, value in users.items() if value), "--user")
    namespace_from = next((name for name, value in namespaces.items() if value), "--namespace")
    return Request(
        user=users[user_from] or "dev",
        namespace=namespaces[namespace_from],
        accelerator=options.get("accelerator"),
        vllm_env=options.get("vllm_env"),
        user_root=options.get("user_root"),
        log_root=options.get("log_root"),
        cache_root=options.get("cache_root"),
        pre_launch=tuple(options.get("pre_launch") or ()),
        origins={"--user": user_from, "--namespace": namespace_from},
    )
