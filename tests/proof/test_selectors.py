"""Which pods a selector matches, by labels, expressions and a LeaderWorkerSet's worker index."""

from typing import Any

import pytest
from manifests import GONE, Manifest, add, foreign, put

from manifesto.proof.selectors import find_selector, selected_pods

INSTANCE, ROLE = "app.kubernetes.io/instance", "llm-d.ai/role"
INDEX = "leaderworkerset.sigs.k8s.io/worker-index"


@pytest.mark.parametrize(
    ("expression", "matches"),
    [
        ({"key": ROLE, "operator": "In", "values": ["server", "other"]}, True),
        ({"key": ROLE, "operator": "In", "values": ["other"]}, False),
        ({"key": ROLE, "operator": "In"}, False),
        ({"key": ROLE, "operator": "NotIn", "values": ["other"]}, True),
        ({"key": ROLE, "operator": "NotIn", "values": ["server"]}, False),
        ({"key": ROLE, "operator": "Exists"}, True),
        ({"key": "other", "operator": "Exists"}, False),
        ({"key": "other", "operator": "DoesNotExist"}, True),
        ({"key": ROLE, "operator": "DoesNotExist"}, False),
        ({"key": ROLE, "operator": "Gt", "values": ["1"]}, False),
    ],
)
@pytest.mark.parametrize("labels", [{}, {INSTANCE: "small"}])
def test_expressions_match_like_labels(labels: dict[str, str], expression: dict[str, Any], matches: bool) -> None:
    manifest = Manifest("direct-minimal")
    manifest.workload["spec"]["selector"] = {"matchLabels": labels, "matchExpressions": [expression]}
    assert bool(selected_pods(manifest.documents, 0)) == matches


@pytest.mark.parametrize(
    ("size", "leader", "index", "templates"),
    [
        (2, False, None, ["workerTemplate"]),
        (2, False, "0", ["workerTemplate"]),
        (2, False, "1", ["workerTemplate"]),
        (2, False, "2", []),
        (2, False, "one", []),
        (1, False, "0", ["workerTemplate"]),
        (2, True, None, ["leaderTemplate", "workerTemplate"]),
        (2, True, "0", ["leaderTemplate"]),
        (2, True, "1", ["workerTemplate"]),
        (2, True, "2", []),
    ],
)
def test_a_worker_index_is_that_of_the_controller(
    size: int, leader: bool, index: str | None, templates: list[str]
) -> None:
    manifest = Manifest("direct-minimal").group(size, leader)
    if index is not None:
        manifest.service["spec"]["selector"][INDEX] = index
    assert [pod.path[-1] for pod in selected_pods(manifest.documents, 1)] == templates


def test_a_group_has_one_pod_unless_its_size_says_more() -> None:
    manifest = Manifest("direct-minimal").group(1)
    del manifest.workload["spec"]["leaderWorkerTemplate"]["size"]
    for index, matches in (("0", True), ("1", False)):
        manifest.service["spec"]["selector"][INDEX] = index
        assert bool(selected_pods(manifest.documents, 1)) == matches


def test_no_selector_matches_nothing() -> None:
    manifest = Manifest("direct-minimal")
    put("service", "spec", "selector", to=GONE)(manifest)
    add(foreign("ConfigMap", "a"))(manifest)
    assert [selected_pods(manifest.documents, at) for at in (1, 2)] == [[], []]


def test_a_job_may_leave_its_selector_to_the_server() -> None:
    assert find_selector(foreign("Job", "a", spec={})) is None
    selector = find_selector(foreign("Job", "a", spec={"selector": {"matchLabels": {"a": "b"}}}))
    assert selector is not None
    assert selector.labels == {"a": "b"}


def test_only_a_service_selects_by_worker_index() -> None:
    manifest = Manifest("direct-minimal")
    for labels in (manifest.workload["spec"]["selector"]["matchLabels"], manifest.template["metadata"]["labels"]):
        labels[INDEX] = "0"
    assert manifest.told() == [f'proof.selector-key Deployment spec.selector.matchLabels["{INDEX}"]']


def test_an_object_without_an_instance_may_select_by_component() -> None:
    manifest = Manifest("direct-minimal")
    for document in manifest.documents:
        del document["metadata"]["labels"][INSTANCE]
    for labels in (manifest.workload["spec"]["selector"]["matchLabels"], manifest.service["spec"]["selector"]):
        del labels[INSTANCE]
    assert manifest.told() == []
