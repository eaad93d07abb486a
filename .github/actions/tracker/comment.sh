#!/usr/bin/env bash
# Writes the pull request's comment, or updates it in place. Where there is no tracker, no report or no room for one, a
# comment without them says so, so that no verdict of an earlier push stays.
set -euo pipefail
step=comment
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

if [[ ${TRACKER_COMMENT:-auto} == never ]]; then exit 0; fi
case ${GITHUB_EVENT_NAME:-} in pull_request | workflow_run) ;; *) exit 0 ;; esac
key=${TRACKER_COMMENT_KEY:-report}
code=$(contents exit-code)
if [[ -s $state/report/comment.md ]]; then
  if command -v -- "$tracker" >/dev/null && "$tracker" github comment "$state/report/comment.md" --key "$key"; then exit 0; fi
elif [[ $code == 0 ]]; then
  exit 0  # there is nothing to say
fi
# That nobody could be told is no verdict on the kernels: the summary and the exit code say it as well.
headline='❓ Could not judge'
if [[ $code == 1 ]]; then headline='❌ Something regressed'; fi
reason=$(contents reason)
if [[ $code == 0 ]]; then reason='the report could not be written here'; fi
python3 -B -E -s "$here/github_api.py" "$key" "$headline" "${reason:-"the action ended before anything was judged"}" ||
  warn "the comment is not written: the step 'comment' says why"
