#!/usr/bin/env bash
# Judges, measuring again in turn what is in doubt. Its exit code is what the last step ends with.
set -euo pipefail
step=compare
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

if [[ -z $(contents base) ]]; then
  say "this event has nothing to compare with: what was measured is recorded"
  status=0
else
  comparing
  case ${TRACKER_CONFIRM:-auto} in
    always) call+=(--confirm) ;;
    never) call+=(--no-confirm) ;;
  esac
  if [[ ${TRACKER_CONFIRM:-auto} != never ]]; then call+=(--time-budget "${TRACKER_TIME_BUDGET:-15m}"); fi
  status=0
  unheard "${limit[@]}" "$tracker" "${call[@]}" || status=$?
  printf '%s\n' "$status" >"$state/compared"
fi
case $status in
  0 | 1) keep "$status" ;;
  "$exit_cannot_judge") keep "$status" "there is not enough to judge by: the step 'compare' says what is missing" ;;
  "$exit_timed_out") keep "$exit_cannot_judge" "judging took longer than ${TRACKER_TIME_LIMIT:-allowed}, and was given up" ;;
  *) keep "$status" "the step 'compare' failed, and says why" ;;
esac
# A verdict on the rest is none on what did not run.
if [[ $status == 0 && -f $state/measure-failed ]]; then
  keep "$(contents measure-failed)" "a benchmark binary failed: the step 'measure' says which"
fi
