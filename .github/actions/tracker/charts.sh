#!/usr/bin/env bash
# Draws the charts of the report and, where a branch is named, publishes them there.
set -euo pipefail
step=charts
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

judged || exit 0
comparing
status=0
"${limit[@]}" "$tracker" "${call[@]}" --no-confirm --format json --out "$state/comparison.json" --charts "$state/charts" || status=$?
if [[ $status != "$(contents compared)" ]]; then
  warn "the charts are not drawn: the step 'charts' says why"
  rm -rf "$state/charts"
  exit 0
fi
if [[ -z ${TRACKER_CHARTS_BRANCH:-} || ! -d $state/charts ]]; then exit 0; fi
# A fork's token may write nothing: the report then has no pictures, and that is no reason to fail.
: >"$state/published"
if GITHUB_OUTPUT=$state/published "$tracker" github publish "$state/charts" --branch "$TRACKER_CHARTS_BRANCH" \
  --remote "$remote"; then
  sed -n 's/^charts-url=//p' "$state/published" >"$state/charts-url"
else
  warn "the charts are not published on '$TRACKER_CHARTS_BRANCH': the step 'charts' says why"
fi
