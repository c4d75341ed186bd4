"""The proof: relations that every manifest must satisfy, judged on documents alone."""

from collections.abc import Sequence
from dataclasses import replace

from manifesto.proof import (
    containers,
    labels,
    launch,
    limits,
    names,
    ports,
    references,
    resources,
    secrets,
    selectors,
    volumes,
)
from manifesto.proof.documents import Document, name_document
from manifesto.proof.findings import Finding, Relation

RELATIONS: tuple[Relation, ...] = (
    names.judge_object_names,
    names.judge_pod_names,
    names.judge_service_port_names,
    names.judge_objects,
    names.judge_namespaces,
    names.judge_budgets,
    names.judge_clashes,
    labels.judge_labels,
    labels.judge_annotations,
    selectors.judge_selectors,
    selectors.judge_services,
    selectors.judge_keys,
    ports.judge_ranges,
    ports.judge_container_ports,
    ports.judge_probes,
    ports.judge_service_ports,
    ports.judge_service_duplicates,
    volumes.judge_volumes,
    volumes.judge_claims,
    volumes.judge_mount_paths,
    references.judge_references,
    references.judge_sub_paths,
    references.judge_subjects,
    launch.judge_ports,
    launch.judge_gpus,
    launch.judge_ranks,
    launch.judge_announced_gpus,
    containers.judge_containers,
    containers.judge_variables,
    containers.judge_probes,
    resources.judge_quantities,
    resources.judge_requests,
    limits.judge_sizes,
    limits.judge_replicas,
    limits.judge_rollouts,
    limits.judge_tolerations,
    secrets.judge_tokens,
    secrets.judge_secrets,
)


def prove(documents: Sequence[Document]) -> list[Finding]:
    """Return what the documents of one manifest disagree about; empty when every relation holds."""
    return [
        replace(finding, name=name_document(documents[finding.document]))
        for relation in RELATIONS
        for finding in relation(documents)
    ]
