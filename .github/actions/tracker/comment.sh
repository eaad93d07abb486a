#!/usr/bin/env bash
# Writes the pull request's comment, or updates it in place.
set -euo pipefail
step=comment
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

if [[ ${TRACKER_COMMENT:-auto} == never || ! -s $state/report/comment.md ]]; then exit 0; fi
case ${GITHUB_EVENT_NAME:-} in pull_request | workflow_run) ;; *) exit 0 ;; esac
if ! command -v -- "$tracker" >/dev/null; then
  warn "no comment is written: there is no tracker, as said above"
  exit 0
fi
# That nobody could be told is no verdict on the kernels: the summary and the exit code say it as well.
"$tracker" github comment "$state/report/comment.md" --key "${TRACKER_COMMENT_KEY:-report}" ||
  warn "the comment is not written: the step 'comment' says why"
