#!/usr/bin/env bash
# Is this machine fit to measure?
set -euo pipefail
step=doctor
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

# Whether the store may be written to is asked where measuring begins: a pull request's job needs a login that reads.
export TRACKER_RECORD_INTO=$job_ref
binaries_asked
status=0
unheard "$tracker" doctor "${binaries[@]}" || status=$?
if ((status != 0)); then die "$status" "this machine is not fit to measure: the step 'doctor' says what to fix"; fi
