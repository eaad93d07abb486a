#!/usr/bin/env python3
"""Downloads what another workflow's run left: a folder for each artifact, within limits, as a stranger's job wrote it.

usage: fetch_artifacts.py FOLDER
Reads GITHUB_EVENT_PATH (the run that has ended; without one, GITHUB_RUN_ID), GITHUB_API_URL, GITHUB_REPOSITORY and
GITHUB_TOKEN. Only artifacts whose names begin with "tracker-" are taken. FOLDER has all of them, or is not there.
exit codes: 0 (also where the run left nothing), 2 an artifact is beyond the limits or no archive, 4 no connection, no room
"""
import os
import re
import shutil
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tracker"))
import github_api  # noqa: E402

ARTIFACTS_MAX = 30
FILES_MAX = 5000
PACKED_BYTES_MAX = 256 << 20
BYTES_MAX = 512 << 20  # of all artifacts, unpacked
CHUNK_BYTES = 1 << 20


class Refused(Exception):
    """Of what a stranger's job left."""


def copy_within(source, target, room, what):
    """Copies at most `room` bytes, whatever the archive says of its sizes; how many are left of it."""
    while chunk := source.read(CHUNK_BYTES):
        room -= len(chunk)
        if room < 0:
            raise Refused(f"{what} is larger than is taken")
        target.write(chunk)
    return room


def path_within(folder, name):
    parts = name.split("/")
    plain = all(part and part not in (".", "..") and not re.search(r"[\x00-\x1f\x7f\\:]", part) for part in parts)
    if not plain or len(name) > 1000:
        raise Refused(f"the artifact has a file of the name {name[:80]!r}")
    return os.path.join(folder, *parts)


def unpack(archive, folder, room):
    """`room`: (files, bytes) that may still come; what is left of it."""
    files, size = room
    os.makedirs(folder)
    for member in archive.infolist():
        if member.is_dir():
            continue
        files -= 1
        if files < 0:
            raise Refused(f"the artifacts have more than {FILES_MAX} files")
        path = path_within(folder, member.filename)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with archive.open(member) as source, open(path, "xb") as target:
            size = copy_within(source, target, size, "what the artifacts hold")
    return files, size


def fetch(api, run, folder):
    listed = api.call("GET", f"/repos/{api.repository}/actions/runs/{run}/artifacts?per_page=100")["artifacts"]
    wanted = [one for one in listed if one["name"].startswith("tracker-") and not one["expired"]]
    if len(wanted) > ARTIFACTS_MAX:
        raise Refused(f"the run left {len(wanted)} artifacts, more than {ARTIFACTS_MAX}")
    room = (FILES_MAX, BYTES_MAX)
    packed = PACKED_BYTES_MAX
    for one in wanted:
        name = path_within(folder, re.sub(r"[^\w.-]", "_", one["name"]))
        with tempfile.TemporaryFile(dir=os.path.dirname(folder)) as file:
            with api.open(f"/repos/{api.repository}/actions/artifacts/{int(one['id'])}/zip") as source:
                packed = copy_within(source, file, packed, "the artifact")
            with zipfile.ZipFile(file) as archive:
                room = unpack(archive, name, room)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    code = 0
    try:
        run = (github_api.event().get("workflow_run") or {}).get("id") or os.environ["GITHUB_RUN_ID"]
        os.makedirs(folder)
        fetch(github_api.Api(), int(run), folder)
    except (Refused, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        print(f"the artifacts are refused: {github_api.shown(error)}", file=sys.stderr)
        code = 2
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        print(f"the artifacts cannot be fetched: {github_api.shown(error)}", file=sys.stderr)
        code = 4
    if code != 0:
        shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
