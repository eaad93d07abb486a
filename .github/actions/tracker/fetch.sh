#!/usr/bin/env bash
# Settles what is compared, and makes the store what the remote has recorded: a checkout brings no refs of ours.
set -euo pipefail
step=fetch
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

base=$(printf '%s' "${TRACKER_BASE:-}")  # without line ends behind it: nothing but them is no base
candidate=HEAD
: >"$state/event"
if [[ -n $base ]]; then
  # It also says whether this is the default branch; an event that it does not know is not.
  GITHUB_OUTPUT=$state/event "$tracker" github event || : >"$state/event"
else
  GITHUB_OUTPUT=$state/event "$tracker" github event ||
    die "$?" "what this event compares is not known: the step 'fetch' says why, or set the input 'base'"
  if [[ $(event_said skip) == true ]]; then die "$exit_usage" "this event leaves nothing to measure"; fi
  base=$(event_said base)
  candidate=$(event_said candidate)
fi
take_apart
printf '%s\n' "$base" >"$state/base"
printf '%s\n' "$candidate" >"$state/candidate"
# Where the clone is kept from job to job, another job may have recorded things here: nothing of that counts.
# It needs some of the documents: they come when they are read.
"$tracker" sync "$remote" --from-remote --shallow || die "$?" "the store cannot be fetched from '$remote': the step 'fetch' says why"
