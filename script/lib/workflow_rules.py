#!/usr/bin/env python3
"""The house rules of workflows and actions, which actionlint does not know.

usage: workflow_rules.py FILE...
Prints findings as `file:line: what`, or nothing. A file that is no YAML is a finding.
"""
import os
import re
import sys

import yaml

PINNED = re.compile(r"[\w.-]+/[\w.-]+(/[\w./-]+)?@[0-9a-f]{40}")
IMAGE = re.compile(r"@sha256:[0-9a-f]{64}$")
VERSION_COMMENT = re.compile(r"#\s*v\d")


class File:
    """A workflow, or an action: its nodes, which know their lines."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as stream:
            self.text = stream.read()
        self.lines = self.text.splitlines()
        self.root = yaml.compose(self.text, Loader=yaml.SafeLoader)
        self.is_action = "runs" in entries(self.root)

    def jobs(self):
        """(name's node, job's node) of each job."""
        jobs = entries(self.root).get("jobs")
        return [] if jobs is None or self.is_action else list(jobs.value)

    def steps(self):
        """The node of each step, wherever it is."""
        holders = [entries(self.root)["runs"]] if self.is_action else [job for _, job in self.jobs()]
        for holder in holders:
            steps = entries(holder).get("steps")
            yield from steps.value if isinstance(steps, yaml.SequenceNode) else []


def entries(node):
    """{key: node of its value}; empty where the node is no mapping."""
    return {key.value: value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}


def line_of(where):
    return where if isinstance(where, int) else where.start_mark.line + 1


def no_expression_in_run(file):
    for step in file.steps():
        run = entries(step).get("run")
        if run is not None and "${{" in run.value:
            yield run, "an expression inside run: it is pasted into the script; hand it over in env"


def shell_named(file):
    for step in file.steps():
        if file.is_action and "run" in entries(step) and "shell" not in entries(step):
            yield step, "a step of an action names its shell"


def uses_pinned(file):
    used = [entries(holder).get("uses") for holder in [*file.steps(), *(job for _, job in file.jobs())]]
    for uses in filter(None, used):
        if uses.value.startswith("./"):
            continue
        if not PINNED.fullmatch(uses.value):
            yield uses, f"'{uses.value}' is pinned by no full commit id"
        elif not VERSION_COMMENT.search(file.lines[uses.end_mark.line]):
            yield uses, f"'{uses.value}' lacks the comment that names its version"


def scalars_of(node):
    """(its key, the node) of each value below a node."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else []:
        if isinstance(value, yaml.ScalarNode):
            yield key.value, value
        yield from scalars_of(value)
    for value in node.value if isinstance(node, yaml.SequenceNode) else []:
        yield from scalars_of(value)


def images_pinned(file):
    """A tag of an image is moved to whatever its owner, or who got hold of the account, wants."""
    for key, value in scalars_of(file.root):
        is_image = key in ("container", "image") and value.value and "${{" not in value.value
        if is_image and not IMAGE.search(value.value):
            yield value, f"the image '{value.value}' is pinned by no digest: NAME:TAG@sha256:…"


def local_actions_fit(file):
    """An action of this repository is given inputs that it has, and asked for outputs that it has."""
    actions = {}
    for step in file.steps():
        parts = entries(step)
        uses = parts.get("uses")
        if uses is None or not uses.value.startswith("./"):
            continue
        path = os.path.join(uses.value, "action.yml")
        if not os.path.isfile(path):
            yield uses, f"there is no '{path}'"
            continue
        action = entries(File(path).root)
        inputs = entries(action.get("inputs"))
        given = entries(parts.get("with"))
        for name in given.keys() - inputs.keys():
            yield given[name], f"'{uses.value}' has no input '{name}'"
        for name in inputs.keys() - given.keys():
            if "required" in entries(inputs[name]):
                yield uses, f"'{uses.value}' needs the input '{name}'"
        if "id" in parts:
            actions.setdefault(parts["id"].value, []).append(entries(action.get("outputs")))
    for number, line in enumerate(file.lines, 1):
        for step, name in re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", line):
            if step in actions and not any(name in outputs for outputs in actions[step]):
                yield number, f"step '{step}' has no output '{name}'"


def credentials_stated(file):
    for step in file.steps():
        uses = entries(step).get("uses")
        if uses is None or not uses.value.startswith("actions/checkout@"):
            continue
        if "persist-credentials" not in entries(entries(step).get("with")):
            yield uses, "checkout without a word on persist-credentials: it leaves a token in .git/config"


def permissions_stated(file):
    if file.is_action:
        return
    permissions = entries(file.root).get("permissions")
    if permissions is None:
        yield file.root, "no permissions at the top: a token that may do everything"
    for holder in [file.root, *(job for _, job in file.jobs())]:
        permissions = entries(holder).get("permissions")
        if permissions is not None and permissions.value == "write-all":
            yield permissions, "permissions: write-all"


def jobs_time_out(file):
    for name, job in file.jobs():
        if "timeout-minutes" not in entries(job) and "uses" not in entries(job):
            yield name, f"job '{name.value}' has no timeout-minutes"


def may_write(*holders):
    """By the permissions of the job or, where it states none, of the workflow."""
    for holder in holders:
        permissions = entries(holder).get("permissions")
        if permissions is None:
            continue
        if isinstance(permissions, yaml.ScalarNode):
            return permissions.value == "write-all"
        return any(value.value == "write" for value in entries(permissions).values())
    return False


def uses_a_cache(step):
    parts = entries(step)
    uses = parts["uses"].value if "uses" in parts else ""
    if uses.startswith("./"):
        path = os.path.join(uses, "action.yml")
        return os.path.isfile(path) and any(uses_a_cache(inner) for inner in File(path).steps())
    return uses.startswith("actions/cache") or "cache" in entries(parts.get("with"))


def no_cache_where_one_writes(file):
    for name, job in file.jobs():
        steps = entries(job).get("steps")
        if not may_write(job, file.root) or not isinstance(steps, yaml.SequenceNode):
            continue
        for step in filter(uses_a_cache, steps.value):
            yield step, f"job '{name.value}' may write and uses a cache: jobs that run others' code may have filled it"


def no_pull_request_target(file):
    on = entries(file.root).get("on")
    names = [on] if isinstance(on, yaml.ScalarNode) else on.value if on is not None else []
    for name in names:
        name = name[0] if isinstance(name, tuple) else name
        if name.value == "pull_request_target":
            yield name, "pull_request_target hands secrets to strangers' code: use workflow_run"


RULES = (
    no_expression_in_run,
    shell_named,
    uses_pinned,
    images_pinned,
    local_actions_fit,
    credentials_stated,
    permissions_stated,
    jobs_time_out,
    no_cache_where_one_writes,
    no_pull_request_target,
)


def findings_of(path):
    try:
        file = File(path)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return [(1, "cannot be read: " + " ".join(str(error).split()))]
    return [(line_of(where), what) for rule in RULES for where, what in rule(file)]


def main():
    for path in sys.argv[1:]:
        for line, what in sorted(findings_of(path)):
            print(f"{path}:{line}: {what}")


main()
