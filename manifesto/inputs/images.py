"""Images: what a model asks for goes in, the image and its vLLM release's argument table come out."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from manifesto.data import CATALOG
from manifesto.errors import Fault, ManifestoError, suggest
from manifesto.inputs.documents import read_mapping, to_plain

_TAG = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:rc\d+)?(?:-.*)?\Z")


@dataclass(frozen=True)
class Image:
    """A vLLM image, the table of catalog/vllm/ that speaks for it, and what to warn of (empty: nothing)."""

    name: str
    table: Mapping[str, Any]
    doubt: str = ""


@cache
def load_images() -> dict[str, dict[str, str]]:
    """Return catalog/images.yaml: section → name → image."""
    images: dict[str, dict[str, str]] = to_plain(read_mapping((CATALOG / "images.yaml").read_bytes(), "images.yaml"))
    return images


def find_image(document: Mapping[str, Any]) -> Image | None:
    """Return the image of a merged model spec, None where the spec is too malformed to say.

    `model.image` wins over `model.image_ref`. Raises ManifestoError for a name that the catalog has not.
    """
    model = document.get("model")
    if not isinstance(model, dict):
        return None
    name = model.get("image")
    if name is None and isinstance(ref := model.get("image_ref"), str):
        known = {f"vllm.{key}": image for key, image in load_images()["vllm"].items()}
        if ref not in known:
            raise ManifestoError(
                [
                    Fault(
                        "catalog.unknown-image",
                        f"no image is called {ref!r}{suggest(ref, known)}",
                        f"name one of: {', '.join(known)}",
                        ("model", "image_ref"),
                    )
                ]
            )
        name = known[ref]
    if not isinstance(name, str):
        return None
    return Image(name, *pick_table(name))


def pick_table(image: str) -> tuple[Mapping[str, Any], str]:
    """Return (argument table, doubt) for an image.

    A tag `[v]X.Y.Z[rcN][-suffix]` picks the table of X.Y.Z, else the newest that is not newer, else the
    oldest. A tag without a version, or a digest alone, picks the newest, and the doubt says so.
    """
    releases = sorted(_release(path.stem) for path in (CATALOG / "vllm").glob("*.json"))
    tag = find_tag(image)
    match = _TAG.match(tag)
    if match:
        wanted = (int(match[1]), int(match[2]), int(match[3]))
        older = [release for release in releases if release <= wanted]
        return load_table(older[-1] if older else releases[0]), ""
    newest = releases[-1]
    shown = ".".join(map(str, newest))
    told = f"the image {image} does not say which vLLM it holds; its arguments are written for {shown}"
    return load_table(newest), told


def find_tag(image: str) -> str:
    """Return the tag of an image without its digest, empty where it has none."""
    name = image.partition("@")[0].rpartition("/")[2]
    return name.partition(":")[2]


@cache
def load_table(release: tuple[int, ...]) -> Mapping[str, Any]:
    """Return the argument and environment table of a vLLM release, catalog/vllm/X.Y.Z.json."""
    path = CATALOG / "vllm" / f"{'.'.join(map(str, release))}.json"
    table: Mapping[str, Any] = json.loads(path.read_bytes())
    return table


def _release(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split("."))
