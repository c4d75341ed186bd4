"""Faults of composed specs stand where they were written; layers merge as the contract says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Run

HEAD = """\
topology: aggregated
model: {id: example/small, image_ref: vllm.standard}
routing: {kind: disabled}
runtime: {sidecars: [], idle_shutdown: {enabled: false}}
"""
Compose = Callable[..., Run]


@pytest.fixture
def compose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifesto: Callable[..., Run]) -> Compose:
    """Return a function that writes files by name (`model.yaml` is the spec) and renders them."""
    monkeypatch.chdir(tmp_path)

    def run(**files: str) -> Run:
        for name, text in files.items():
            Path(f"{name}.yaml").write_text(text)
        return manifesto("render", "manifest", "model.yaml", "--cluster", "example-h200")

    return run


def spec(run: Run) -> Any:
    """Return the flattened spec of a rendering's header."""
    assert run.status == 0, run.err
    lines = run.out.partition("<<'MANIFESTO_MODEL'\n")[2].partition("# MANIFESTO_MODEL")[0].splitlines()
    return yaml.safe_load("".join(f"{line[2:]}\n" for line in lines))


def server(run: Run) -> Any:
    (role,) = spec(run)["roles"]
    return role


def test_one_fault_in_three_files_has_three_places(compose: Compose) -> None:
    files = {
        "grandparent": HEAD + "roles:\n  - name: server\n    parallelism: {tp: x}\n    shm_size: 1Q\n    lws: {a: 1}\n",
        "parent": "extends: grandparent.yaml\nroles:\n  server:\n    parallelism: {pp: x}\n    lws: {b: 1}\n",
        "model": "extends: parent.yaml\nrelease: r\nroles:\n  server:\n    lws: {c: 1}\n    parallelism: {dp: x}\n",
    }
    told = {line.split(": ")[0]: line.split(": ")[1] for line in compose(**files).err.splitlines()}
    assert told == {
        "grandparent.yaml:7:23": "roles.server.parallelism.tp",
        "grandparent.yaml:8:15": "roles.server.shm_size",
        "grandparent.yaml:9:11": "roles.server.lws.a",
        "parent.yaml:4:23": "roles.server.parallelism.pp",
        "parent.yaml:5:11": "roles.server.lws.b",
        "model.yaml:5:11": "roles.server.lws.c",
        "model.yaml:6:23": "roles.server.parallelism.dp",
    }


@pytest.mark.parametrize(
    ("child", "parent", "place"),
    [
        ("{tp: 0}", "{tp: 2}", "model.yaml:5:23"),
        ("{pp: 2}", "{tp: 0}", "parent.yaml:7:23"),
        ("{tp: 0}", "{tp: -1}", "model.yaml:5:23"),
        ("null", "{tp: 2}", "model.yaml:5:18"),
    ],
)
def test_the_layer_that_wrote_the_value_is_blamed(compose: Compose, child: str, parent: str, place: str) -> None:
    run = compose(
        parent=HEAD + f"roles:\n  - name: server\n    parallelism: {parent}\n",
        model=f"extends: parent.yaml\nrelease: r\nroles:\n  server:\n    parallelism: {child}\n",
    )
    (line,) = run.err.splitlines()
    assert line.startswith(f"{place}: roles.server.parallelism")


def test_what_two_files_make_wrong_names_both(compose: Compose) -> None:
    run = compose(
        grandparent=HEAD + "roles:\n  - name: server\n    parallelism: {tp: 2}\n",
        parent="extends: grandparent.yaml\nroles:\n  server:\n    parallelism: {dp: 3}\n",
        model="extends: parent.yaml\nrelease: r\nroles:\n  server:\n    lws: {size: 4}\n",
    )
    (line,) = run.err.splitlines()
    assert line.startswith("model.yaml:5:17: roles.server.lws.size: tp 2 x pp 1 x dp 3 = 6 GPUs")
    places = "roles.server.parallelism.tp at grandparent.yaml:7:23, roles.server.parallelism.dp at parent.yaml:4:23"
    assert f"(with {places})" in line


def test_arguments_are_blamed_in_their_own_spelling(compose: Compose) -> None:
    run = compose(
        parent=HEAD + "roles:\n  - name: server\n    vllm: {tensor-parallel-size: 2}\n",
        model="extends: parent.yaml\nrelease: r\nroles:\n  server:\n    vllm:\n      no-enable-prefix-caching: 1\n",
    )
    assert [line.partition(": ")[0] for line in run.err.splitlines()] == ["model.yaml:6:33"], "where its value is"
    run = compose(model="extends: parent.yaml\nrelease: r\n")
    assert run.err.startswith("parent.yaml:7:12: roles.server.vllm.tensor-parallel-size: ")


def test_faults_of_spec_and_profile_come_together(compose: Compose, manifesto: Callable[..., Run]) -> None:
    compose(model=HEAD + "release: r\nroles:\n  - name: server\n    lws: {size: 0}\n", cluster="name: c\n")
    run = manifesto("render", "manifest", "model.yaml", "--cluster", "cluster.yaml")
    assert {line.split(":")[0] for line in run.err.splitlines()} == {"model.yaml", "cluster.yaml"}


def test_delete(compose: Compose) -> None:
    parent = HEAD + (
        "namespace: team\nroles:\n  - name: server\n    env: {A: '1', B: '2'}\n"
        "    vllm: {max_model_len: 1, seed: 1}\n    shm_size: 1Gi\n  - name: batch\n"
    )
    model = (
        "extends: parent.yaml\nrelease: r\nnamespace: $delete\nroles:\n  server:\n    env: {A: $delete}\n"
        "    vllm: {max-model-len: $delete}\n    shm_size: $delete\n  batch: $delete\n"
    )
    run = compose(parent=parent, model=model)
    assert "namespace" not in spec(run)
    assert server(run) == {"name": "server", "env": {"B": "2"}, "vllm": {"seed": 1}}


def test_a_deleted_key_can_be_written_again(compose: Compose) -> None:
    run = compose(
        grandparent=HEAD + "roles:\n  - name: server\n    env: {A: '1', B: '1'}\n",
        parent="extends: grandparent.yaml\nroles:\n  server: {env: $delete}\n",
        model="extends: parent.yaml\nrelease: r\nroles:\n  server: {env: {C: '1'}}\n",
    )
    assert server(run)["env"] == {"C": "1"}


def test_roles_by_name_merge_and_lists_replace(compose: Compose) -> None:
    parent = HEAD + "roles:\n  - name: server\n    parallelism: {tp: 2}\n    pre_launch: [a, b]\n"
    by_name = "roles:\n  server:\n    parallelism: {pp: 2}\n    pre_launch: [c]\n"
    run = compose(parent=parent, model=f"extends: parent.yaml\nrelease: r\n{by_name}")
    assert server(run) == {"name": "server", "parallelism": {"tp": 2, "pp": 2}, "pre_launch": ["c"]}
    run = compose(model="extends: parent.yaml\nrelease: r\nroles:\n  - name: server\n    parallelism: {pp: 2}\n")
    assert server(run) == {"name": "server", "parallelism": {"pp": 2}}


@pytest.mark.parametrize(
    ("below", "above", "held"),
    [
        ("enable_prefix_caching: true", "no_enable_prefix_caching: true", {"enable_prefix_caching": False}),
        ("no-enable-prefix-caching: true", "enable-prefix-caching: true", {"enable_prefix_caching": True}),
        ("max-num-seqs: 1", "max_num_seqs: 2", {"max_num_seqs": 2}),
        ("gpu-memory-utilization: 0.5", "gpu_memory_utilization: null", {"gpu_memory_utilization": None}),
        ("quantization: fp8", "q: awq", {"quantization": "awq"}),
        ("own-flag: 1", "own_flag: 2", {"own_flag": 2}),
        ("a-b.c-d: 1", "a_b.c-d: 2", {"a-b.c-d": 2}),
    ],
)
def test_names_of_one_argument_are_one_key(compose: Compose, below: str, above: str, held: dict[str, Any]) -> None:
    run = compose(
        parent=HEAD + f"roles:\n  - name: server\n    vllm: {{{below}}}\n",
        model=f"extends: parent.yaml\nrelease: r\nroles:\n  server: {{vllm: {{{above}}}}}\n",
    )
    assert server(run)["vllm"] == held


def test_a_parent_without_sound_roles_is_no_crash(compose: Compose) -> None:
    run = compose(parent=HEAD + "roles: [{}]\n", model="extends: parent.yaml\nrelease: r\nroles: {server: {}}\n")
    assert run.err.startswith("model.yaml:3:9: roles.server: no parent has a role 'server'; write a list of roles")


def test_parents_lie_beside_their_children(compose: Compose, tmp_path: Path) -> None:
    (tmp_path / "shared" / "deep").mkdir(parents=True)
    (tmp_path / "shared" / "base.yaml").write_text(HEAD + "roles:\n  - name: server\n    lws: {size: 0}\n")
    (tmp_path / "shared" / "deep" / "middle.yaml").write_text("extends: ../base.yaml\n")
    run = compose(model="extends: shared/deep/middle.yaml\nrelease: r\n")
    assert run.err.startswith("shared/base.yaml:7:17: roles.server.lws.size: ")


def test_a_circle_through_a_link_is_seen(compose: Compose, tmp_path: Path) -> None:
    (tmp_path / "again").symlink_to(tmp_path)
    run = compose(model="extends: again/model.yaml\nrelease: r\n")
    assert run.err.startswith("model.yaml:1:10: extends: these files extend each other: model.yaml -> model.yaml; ")
