#!/usr/bin/env python3
"""Runs the steps of a composite action as GitHub's runner would, here: each `run` in its shell, with its own
environment and outputs. Steps that use another action are passed over.

usage: run_action.py FOLDER [INPUT=VALUE...]
Reads RUNNER_TEMP, GITHUB_… and TOKEN (what github.token is) from the environment; the working directory is the
workspace. RUN_AS=ID runs the steps with that user's rights. CANCEL_AT=SCRIPT stands for a job that is cancelled, or runs out of time, in the step that runs this script.
Prints `== <step>` before each step, and `<output>=<value>` lines at the end.
exit codes: the last failed step's; 99 for an action that this cannot read
"""
import os
import re
import subprocess
import sys
import tempfile

import yaml

SHELLS = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}
STATUS_FUNCTIONS = {"always()": lambda context: True, "cancelled()": lambda context: context.cancelled,
                    "!cancelled()": lambda context: not context.cancelled}
KEPT = ("PATH", "HOME", "LANG", "RUNNER_TEMP", "CI", "TRACKER_RELEASES", "TRACKER_STORE_URL")


class Context:
    def __init__(self, inputs):
        self.inputs = inputs
        self.outputs = {}
        self.failed = False
        self.cancelled = False

    def value(self, expression):
        """Of one of the few kinds of expressions that our actions use."""
        expression = expression.strip()
        if expression == "github.token":
            return os.environ.get("TOKEN", "")
        if expression == "github.action_repository":
            return os.environ.get("GITHUB_REPOSITORY", "")
        if found := re.fullmatch(r"inputs\.([\w-]+)", expression):
            return self.inputs[found[1]]
        if found := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", expression):
            return self.outputs.get(found[1], {}).get(found[2], "")
        raise KeyError(expression)

    def text(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self.value(found[1]), str(text))

    def holds(self, condition):
        """Without a function of the status, a step runs while all went well."""
        parts = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", condition).split("&&") if condition else []
        parts = [part.strip() for part in parts]
        if not any(part in STATUS_FUNCTIONS for part in parts) and (self.failed or self.cancelled):
            return False
        return all(self.part_holds(part) for part in parts)

    def part_holds(self, part):
        if part in STATUS_FUNCTIONS:
            return STATUS_FUNCTIONS[part](self)
        if found := re.fullmatch(r"(.*) != '(\w*)'", part):
            return self.value(found[1]) != found[2]
        if found := re.fullmatch(r"(.*) == '(\w*)'", part):
            return self.value(found[1]) == found[2]
        raise KeyError(part)


def read_outputs(path):
    """Of lines `name=value`, and of `name<<end`, lines, `end`."""
    outputs = {}
    with open(path, encoding="utf-8") as stream:
        lines = iter(stream.read().splitlines())
    for line in lines:
        if found := re.fullmatch(r"([\w-]+)<<(.+)", line):
            value = []
            while (line := next(lines)) != found[2]:
                value.append(line)
            outputs[found[1]] = "\n".join(value)
        else:
            name, value = line.split("=", 1)
            outputs[name] = value
    return outputs


def run_step(step, folder, context):
    environment = {name: value for name, value in os.environ.items()
                   if name in KEPT or name.startswith("GITHUB_") and name != "GITHUB_TOKEN"}
    environment.update({name: context.text(value) for name, value in step.get("env", {}).items()})
    with tempfile.NamedTemporaryFile() as output:
        environment.update(GITHUB_ACTION_PATH=folder, GITHUB_OUTPUT=output.name)
        where = context.text(step.get("working-directory", "."))
        rights = {}
        if user := os.environ.get("RUN_AS"):
            rights = {"user": int(user), "group": int(user), "extra_groups": []}
            os.chmod(output.name, 0o666)
        done = subprocess.run([*SHELLS[step["shell"]], "-c", step["run"]], cwd=where, env=environment, check=False, **rights)
        if "id" in step:
            context.outputs[step["id"]] = read_outputs(output.name)
    return done.returncode


def main():
    folder = os.path.abspath(sys.argv[1])
    with open(os.path.join(folder, "action.yml"), encoding="utf-8") as stream:
        action = yaml.safe_load(stream)
    context = Context({})
    given = dict(argument.split("=", 1) for argument in sys.argv[2:])
    if unknown := given.keys() - action["inputs"].keys():
        sys.exit(f"no input {unknown}")
    for name, about in action["inputs"].items():
        context.inputs[name] = given.get(name, context.text(about.get("default", "")))
    code = 0
    for step in action["runs"]["steps"]:
        if "uses" in step or not context.holds(str(step.get("if", ""))):
            continue
        print("==", step.get("run"), flush=True)
        if os.environ.get("CANCEL_AT", "no script") in step["run"]:
            context.cancelled = True
            continue
        status = run_step(step, folder, context)
        if status != 0:
            context.failed = True
            code = status
    for name, about in action["outputs"].items():
        print(f"{name}={context.text(about['value'])}")
    return code


try:
    sys.exit(main())
except (KeyError, StopIteration, OSError, ValueError, yaml.YAMLError) as error:
    print("run_action:", repr(error), file=sys.stderr)
    sys.exit(99)
