#!/usr/bin/env bash
# For a job that is cancelled or has run out of time: so that its comment says so, and none of an earlier push stays.
set -euo pipefail
step=stopped
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

rm -rf "$state/compared" "$state/report"
keep "$exit_cannot_judge" "the job was cancelled, or ran out of time"
