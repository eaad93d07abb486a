#!/usr/bin/env bash
# Lays out what was measured as files that may be uploaded, and pushes the store where that was asked for.
set -euo pipefail
step=store
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

commits=("$(contents candidate)")
base=$(contents base)
mkdir -p "$state/artifact"
git rev-parse --verify --end-of-options "${commits[0]}^{commit}" >"$state/artifact/candidate"
# A confirming job measured the base as well. A baseline is in the repository.
if [[ -n $base && $base != baseline ]]; then commits+=("$base"); fi
"$tracker" export "${commits[@]}" --out "$state/artifact/runs" ||
  warn "what was measured cannot be exported: the step 'store' says why"
if [[ ${TRACKER_STORE:-local} == push ]]; then
  "$tracker" sync "$remote" || die "$?" "the store cannot be pushed to '$remote': the step 'store' says why"
fi
