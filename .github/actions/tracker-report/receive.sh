#!/usr/bin/env bash
# Takes in what another job or workflow measured: as data, for the commits that this event is about (on the default branch the
# sentinel as well), and for no other ones. What a pull request measured stays in this job; what main measured goes into the store.
#
# output: skip (true: a newer commit, or nobody, waits for this report)
set -euo pipefail
step=receive
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/../tracker/common.sh"

# The commit that an artifact says it is of; a claim, which `tracker github event` checks. Empty for anything but an id.
claim_of() {
  local claim=
  if [[ -f $1/candidate && ! -L $1/candidate ]]; then claim=$(head -c 41 "$1/candidate"); fi
  if [[ $claim =~ ^[0-9a-f]{40}$ ]]; then printf '%s' "$claim"; fi
}

# Here and not in a step before the action: where it fails, the steps that follow say so in the comment.
folder=${TRACKER_ARTIFACTS:-}
if [[ -z $folder ]]; then
  folder=$state/measured
  why=$(python3 -B -E -s "$here/fetch_artifacts.py" "$folder" 2>&1) || {
    status=$?
    die "$((status == exit_usage ? exit_usage : exit_environment))" "${why##*$'\n'}"
  }
fi
artifacts=()
claims=()
if [[ -d $folder ]]; then
  mapfile -d '' -t artifacts < <(find "$folder" -mindepth 1 -maxdepth 1 -type d -print0 | LC_ALL=C sort -z)
fi
for artifact in "${artifacts[@]}"; do claims+=("$(claim_of "$artifact")"); done
for claim in "${claims[@]}"; do
  if [[ -z $claim || $claim != "${claims[0]}" ]]; then
    die "$exit_usage" "the artifacts do not agree on one commit that was measured"
  fi
done

call=(github event --remote "$remote")
if [[ $GITHUB_EVENT_NAME == workflow_run ]] && ((${#claims[@]})); then call+=(--candidate "${claims[0]}"); fi
: >"$state/event"
GITHUB_OUTPUT=$state/event "$tracker" "${call[@]}" ||
  die "$?" "what was measured is not known to be of this event: the step 'receive' says why"
if [[ $(event_said skip) == true ]]; then
  say "nothing to report"
  keep 0
  : >"$state/skipped"
  output skip true
  exit 0
fi
if ((!${#artifacts[@]})); then die "$exit_environment" "nothing was measured: the run that should have done it says why"; fi
take_apart
base=$(printf '%s' "${TRACKER_BASE:-}")
base=${base:-$(event_said base)}
candidate=$(event_said candidate)
if [[ $candidate != "${claims[0]}" ]]; then
  die "$exit_usage" "what was measured is of ${claims[0]}, and this event is about $candidate"
fi
printf '%s\n' "$base" >"$state/base"
printf '%s\n' "$candidate" >"$state/candidate"

# Where the job that measured could not do all of it, neither side has a verdict on what is missing.
for artifact in "${artifacts[@]}"; do
  if [[ -f $artifact/measure-failed ]]; then
    printf '%s\n' "$exit_cannot_judge" >"$state/measure-failed"
    basename -- "$artifact" | tr -cd 'A-Za-z0-9._\n-' >>"$state/failed-jobs"
  fi
done

"$tracker" sync "$remote" --from-remote || die "$?" "the store cannot be fetched from '$remote': the step 'receive' says why"
import=(import)
for artifact in "${artifacts[@]}"; do import+=("$artifact/runs"); done
import+=(--commit "$candidate")
if [[ -n $base && $base != baseline ]]; then import+=(--commit "$base"); fi
sentinel=$(sentinel_commit)
if [[ -n $sentinel ]]; then import+=(--commit "$sentinel"); fi
"${limit[@]}" "$tracker" "${import[@]}" || die "$?" "what was measured is refused: the step 'receive' says why"
