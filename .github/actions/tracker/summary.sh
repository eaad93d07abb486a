#!/usr/bin/env bash
# Writes the report: summary, annotations, the comment's text, and outputs. Where nothing was judged it says so.
#
# outputs: those of `compare --format github`
set -euo pipefail
step=summary
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

# without_report <headline> <reason>: inert as Markdown, whatever a name in the reason holds.
without_report() {
  local run=${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-}/actions/runs/${GITHUB_RUN_ID:-}
  # shellcheck disable=SC2016  # Markdown's backticks
  printf '### %s: `%s`\n\n[What ran, and what it said](%s)\n' "$1" "${2//[\`[:cntrl:]]/ }" "$run"
}

# Whether nothing that ran regressed, and something did not run.
incomplete() { [[ -f $state/measure-failed && $(contents compared) == 0 ]]; }

# The report's headline is of what ran, and would read as a verdict on all of it.
say_incomplete() {
  local file where=
  if [[ -s $state/failed-jobs ]]; then where=" in $(paste -sd, "$state/failed-jobs" | sed 's/,/, /g')"; fi
  for file in comment summary; do
    [[ -s $state/report/$file.md ]] || continue
    sed -i '0,/^### /s/^### \(✅ \|❓ \)\?/### ❓ Could not judge: a benchmark binary failed'"$where"'. Of the rest: /' \
      "$state/report/$file.md"
  done
  if [[ -s $state/report/summary.md ]]; then cat "$state/report/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
}

mkdir -p "$state/report"
if judged; then
  comparing
  call+=(--no-confirm --format github --out "$state/report")
  if [[ -s $state/charts-url ]]; then call+=(--charts "$state/charts" --charts-url "$(contents charts-url)"); fi
  status=0
  if incomplete; then
    GITHUB_STEP_SUMMARY='' "${limit[@]}" "$tracker" "${call[@]}" || status=$?
    say_incomplete
  else
    "${limit[@]}" "$tracker" "${call[@]}" || status=$?
  fi
  # Judged again from the same runs: another answer is a mistake, and no verdict.
  if [[ $status != "$(contents compared)" ]]; then
    rm -f "$state/report/comment.md"
    keep "$exit_environment" "the report ended with $status, where the verdict had been $(contents compared)"
  fi
fi
if [[ -s $state/report/comment.md ]]; then
  exit 0
elif [[ $(contents exit-code) == 0 ]]; then
  without_report 'Recorded' 'there is nothing to compare with' >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
else
  headline='❓ Could not judge'
  if [[ $(contents exit-code) == 1 ]]; then headline='❌ Something regressed'; fi
  without_report "$headline" "$(contents reason)" >"$state/report/comment.md"
  cat "$state/report/comment.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
