"""Writes a made-up history as `tracker store import` reads it: recorded runs again and again, each of a commit and time
of its own.

usage: make_history.py RUNS DEVICES COMMITS_FILE FOLDER_OF_RUNS   (commits oldest first, one id a line)
"""
import datetime
import json
import pathlib
import re
import sys

runs, devices = int(sys.argv[1]), int(sys.argv[2])
commits = pathlib.Path(sys.argv[3]).read_text().split()
texts = [path.read_text() for path in sorted(pathlib.Path(sys.argv[4]).glob("*.run.json"))]
begin = datetime.datetime(2024, 1, 1)
print(json.dumps({"schema": "tracker.history/1"}))
for number in range(runs):
    text = texts[number % len(texts)]
    commit = commits[number // devices * len(commits) // max(1, (runs + devices - 1) // devices)]
    run_id = (begin + datetime.timedelta(hours=number)).strftime("%Y%m%dT%H%M%SZ") + f"-{number:08x}"
    text = re.sub(r'^ "id": ".*",$', f' "id": "{run_id}",', text, count=1, flags=re.M)
    text = re.sub(r'^ "job": ".*",$', f' "job": "{run_id}",', text, count=1, flags=re.M)
    text = re.sub(r'^ "commit": ".*",$', f' "commit": "{commit}",', text, count=1, flags=re.M)
    # A device's key has the power limit: so many watts more make another device.
    watts = 700 + number % devices
    text = re.sub(r'^(  "power_limit_w": )[0-9.]+', rf"\g<1>{watts}", text, count=1, flags=re.M)
    device = f"nvidia-h200-140gib-{watts}w"
    path = f"{device}/{commit[:2]}/{commit}/{run_id}.json"
    print(json.dumps({"path": path, "text": text}, ensure_ascii=False))
print(json.dumps({"end": runs}))
