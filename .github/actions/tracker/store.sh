#!/usr/bin/env bash
# Lays out what was measured as files that may be uploaded, and pushes the store where that was asked for and main was
# measured.
set -euo pipefail
step=store
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

candidate=$(contents candidate)
base=$(contents base)
mkdir -p "$state/artifact"
git rev-parse --verify --end-of-options "$candidate^{commit}" >"$state/artifact/candidate"
"$tracker" export "$candidate" --out "$state/artifact/runs" ||
  warn "what was measured cannot be exported: the step 'store' says why"
# A confirming job measures the base as well, and the store may hold it. The baseline lies in the repository.
if [[ -n $base && $base != baseline ]]; then
  "$tracker" export "$base" --out "$state/artifact/runs" || say "the artifact holds nothing of the base"
fi
if [[ -f $state/measure-failed ]]; then cp "$state/measure-failed" "$state/artifact/"; fi
if [[ -d $state/charts ]]; then cp -r "$state/charts" "$state/artifact/"; fi
if [[ ${TRACKER_STORE:-local} == push && -f $state/apart ]]; then
  warn "nothing is pushed to the store: only what the default branch measured belongs there"
elif [[ ${TRACKER_STORE:-local} == push ]]; then
  # Nothing of other commits leaves this job, whatever was recorded in it.
  call=(sync "$remote" --commit "$candidate")
  if [[ -n $base && $base != baseline ]]; then call+=(--commit "$base"); fi
  sentinel=$(sentinel_commit)
  if [[ -n $sentinel ]]; then call+=(--commit "$sentinel"); fi
  "$tracker" "${call[@]}" || die "$?" "the store cannot be pushed to '$remote': the step 'store' says why"
fi
