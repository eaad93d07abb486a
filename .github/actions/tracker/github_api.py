#!/usr/bin/env python3
"""GitHub's API for what must work without a tracker; and the comment that says so where there is none.

usage: github_api.py KEY HEADLINE REASON
Writes "HEADLINE: REASON" as the event's pull request's comment of that key, in place of the one that tracker wrote:
no verdict of an earlier push stays. Reads GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_API_URL, GITHUB_SERVER_URL,
GITHUB_REPOSITORY, GITHUB_RUN_ID and GITHUB_TOKEN. It needs no room on the disk.
exit codes: 0 (also where no pull request waits for it), 4 GitHub refused, or cannot be reached
"""
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

WRITER = "github-actions[bot]"
PAGES_MAX = 30
TIME_OUT_S = 60


def shown(error):
    """In one line that is no command to the runner, and without the token."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]|##\[", " ", str(error) or type(error).__name__)[:300]
    token = os.environ.get("GITHUB_TOKEN", "")
    return text.replace(token, "***") if token else text


def event():
    try:
        with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as stream:
            return json.load(stream)
    except (KeyError, OSError):
        return {}


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Api:
    """The token goes to GITHUB_API_URL's server, over https or to this machine, and nowhere else."""

    def __init__(self):
        self.url = os.environ.get("GITHUB_API_URL", "https://api.github.com")
        self.repository = os.environ["GITHUB_REPOSITORY"]
        where = urllib.parse.urlsplit(self.url)
        if where.scheme != "https" and where.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError("GITHUB_API_URL is no https address")
        self.opener = urllib.request.build_opener(NoRedirect)

    def request(self, method, path, body=None):
        headers = {"Accept": "application/vnd.github+json", "User-Agent": "tracker",
                   "Authorization": f"Bearer {os.environ.get('GITHUB_TOKEN', '')}"}
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(self.url + path, data=data, headers=headers, method=method)

    def call(self, method, path, body=None):
        with self.opener.open(self.request(method, path, body), timeout=TIME_OUT_S) as answer:
            return json.load(answer)

    def open(self, path):
        """A file, which GitHub keeps at another server: that one gets no token."""
        try:
            return self.opener.open(self.request("GET", path), timeout=TIME_OUT_S)
        except urllib.error.HTTPError as answer:
            to = answer.headers.get("Location", "")
            where = urllib.parse.urlsplit(to)
            is_safe = where.scheme == "https" or where.hostname == "127.0.0.1"
            if answer.code not in (301, 302, 303, 307, 308) or not is_safe:
                raise
        return urllib.request.urlopen(urllib.request.Request(to, headers={"User-Agent": "tracker"}), timeout=TIME_OUT_S)


def waiting_pull_request(api):
    """Its number; none where the event has no pull request, or a newer commit than the one that ran."""
    about = event()
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request":
        return about["pull_request"]["number"]
    run = about.get("workflow_run") or {}
    if run.get("event") != "pull_request":
        return None
    head = f"{run['head_repository']['full_name'].split('/')[0]}:{run['head_branch']}"
    query = urllib.parse.urlencode({"head": head, "state": "open"})
    found = [pull["number"] for pull in api.call("GET", f"/repos/{api.repository}/pulls?{query}")
             if pull["head"]["sha"] == run["head_sha"]]
    return found[0] if len(found) == 1 else None


def own_comment(api, pull_request, marker):
    for page in range(1, PAGES_MAX + 1):
        comments = api.call("GET", f"/repos/{api.repository}/issues/{pull_request}/comments?per_page=100&page={page}")
        for one in comments:
            if one["user"]["login"] == WRITER and marker in (one["body"] or "").splitlines():
                return one["id"]
        if len(comments) < 100:
            break
    return None


def say_without_tracker(key, headline, reason):
    api = Api()
    pull_request = waiting_pull_request(api)
    if pull_request is None:
        return
    marker = f"<!-- tracker-{key} -->"
    run = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{api.repository}/actions/runs/{os.environ.get('GITHUB_RUN_ID', '')}"
    reason = shown(reason).replace("`", " ")
    body = {"body": f"{marker}\n### {headline}: `{reason}`\n\n[What ran, and what it said]({run})\n"}
    known = own_comment(api, int(pull_request), marker)
    if known is None:
        api.call("POST", f"/repos/{api.repository}/issues/{int(pull_request)}/comments", body)
    else:
        api.call("PATCH", f"/repos/{api.repository}/issues/comments/{int(known)}", body)


def main():
    if len(sys.argv) != 4 or not re.fullmatch(r"[A-Za-z0-9._-]{1,60}", sys.argv[1]):
        sys.exit(__doc__)
    try:
        say_without_tracker(*sys.argv[1:])
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"comment: GitHub does not take it: {shown(error)}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
