#!/usr/bin/env bash
# Tests of .github/actions/tracker-report: `report_action_test.sh CASE` runs the function case_CASE.
set -euo pipefail
# shellcheck source=tests/script/action_common.sh
source "$(dirname "${BASH_SOURCE[0]}")/action_common.sh"

# artifact <name> [candidate]: as perf.yml uploads it.
artifact() {
  mkdir -p "artifacts/$1/runs"
  printf '%s\n' "${2-$head}" >"artifacts/$1/candidate"
}

# The trusted side: nothing is built or measured, and what is imported is of the commits that the event is about.
case_report_order() {
  prepare
  artifact tracker-a
  artifact tracker-b
  local action=tracker-report event=workflow_run
  run_action 0 artifacts="$scratch/artifacts" charts-branch=charts threshold=2%
  local options="compare 0123 HEAD_ID --threshold 2%"
  expect_calls "token github event --remote origin --candidate HEAD_ID
token sync origin --from-remote
token import $scratch/artifacts/tracker-a/runs $scratch/artifacts/tracker-b/runs --commit HEAD_ID --commit 0123
$options --no-confirm
token $options --no-confirm --format json --out STATE/comparison.json --charts STATE/charts
token github publish STATE/charts --branch charts --remote origin
token export HEAD_ID --out STATE/artifact/runs
token export 0123 --out STATE/artifact/runs
$options --no-confirm --format github --out STATE/report --charts STATE/charts --charts-url https://example.org/{file}
token github comment STATE/report/comment.md --key report"
  if grep -Eq '^(import|compare|export) $' recorded; then fail "$(cat recorded)"; fi
  event=workflow_run run_action 0 artifacts="$scratch/artifacts" store=push
  [[ $calls != *'sync origin --commit'* ]] || fail "$calls"
  event_is true
  event=push run_action 0 artifacts="$scratch/artifacts" store=push base=baseline
  [[ $calls == 'token github event --remote origin'$'\n'* && $calls == *'token sync origin --commit HEAD_ID'$'\n'* ]] || fail "$calls"
  [[ $calls == *'-b/runs --commit HEAD_ID'$'\n'* && $calls != *comment* ]] || fail "$calls"
  if grep -q refs/tracker/job recorded; then fail "$(cat recorded)"; fi
  # The night's sentinel is taken in with what main measured, and with nothing else.
  git -C workspace -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m 'Go on'
  git -C workspace tag v1.0
  local sentinel
  sentinel=$(git -C workspace rev-parse HEAD)
  printf '[sentinel]\ncommit = "v1.0"\n' >workspace/tracker.toml
  event=push run_action 0 artifacts="$scratch/artifacts" store=push base=baseline
  [[ $calls == *"-b/runs --commit HEAD_ID --commit $sentinel"$'\n'* ]] || fail "$calls"
  [[ $calls == *"token sync origin --commit HEAD_ID --commit $sentinel"$'\n'* ]] || fail "$calls"
  event_is false
  event=workflow_run run_action 0 artifacts="$scratch/artifacts" store=push
  [[ $calls != *"$sentinel"* ]] || fail "$calls"
  event_is true
  printf '[sentinel]\ncommit = "v9.9"\n' >workspace/tracker.toml
  event=push run_action 0 artifacts="$scratch/artifacts" store=push base=baseline
  [[ $calls == *'-b/runs --commit HEAD_ID'$'\n'* ]] || fail "$calls"
}

# A report of a regression is a good report; the job that measured is the one to fail.
case_report_exit_codes() {
  prepare
  artifact tracker-a
  local action=tracker-report event=workflow_run code
  for code in 0 1 3; do
    answers_with "$code"
    run_action 0 artifacts="$scratch/artifacts"
    expect_output "exit-code=$code"
    [[ $calls == *'github comment'* ]] || fail "$calls"
  done
  answers_with 4
  run_action 4 artifacts="$scratch/artifacts"
  answers_with 0
  touch artifacts/tracker-a/measure-failed
  run_action 0 artifacts="$scratch/artifacts"
  expect_output 'verdict=cannot-judge'
  answers_with 1
  run_action 0 artifacts="$scratch/artifacts"
  expect_output 'verdict=failed'
}

# What is refused, is in nobody's interest any more, or is not there: no verdict is reported.
case_report_refuses() {
  prepare
  artifact tracker-a
  local action=tracker-report event=workflow_run
  answer import 'exit 2'
  run_action 2 artifacts="$scratch/artifacts"
  [[ $calls != *compare* && $calls == *'github comment'* ]] || fail "$calls"
  grep -q 'Could not judge.*what was measured is refused' temp/tracker/report/comment.md || fail "$output"
  rm answers/import
  artifact tracker-b 0123456789012345678901234567890123456789
  run_action 2 artifacts="$scratch/artifacts"
  expect_output 'do not agree on one commit'
  [[ $calls != *import* ]] || fail "$calls"
  rm -r artifacts/tracker-b
  local claim
  for claim in '' main '--upload-pack=x' "$head$head"; do
    artifact tracker-a "$claim"
    run_action 2 artifacts="$scratch/artifacts"
    [[ $calls != *import* ]] || fail "$calls"
  done
  ln -sf ../../workspace/.git/HEAD artifacts/tracker-a/candidate
  run_action 2 artifacts="$scratch/artifacts"
  rm artifacts/tracker-a/candidate
  artifact tracker-a 0123456789012345678901234567890123456789
  run_action 2 artifacts="$scratch/artifacts"  # GitHub's answer is another one
  expect_output 'this event is about'
  [[ $calls != *import* ]] || fail "$calls"
  answer github-event 'exit 2'
  run_action 2 artifacts="$scratch/artifacts"
  [[ $calls != *import* ]] || fail "$calls"
  # shellcheck disable=SC2016  # tracker expands them
  answer github-event 'echo skip=true >>"$GITHUB_OUTPUT"'
  run_action 0 artifacts="$scratch/artifacts"
  expect_calls 'token github event --remote origin --candidate 0123456789012345678901234567890123456789'
  expect_output 'verdict=skipped'
}

case_report_of_nothing() {
  prepare
  local action=tracker-report event=workflow_run
  mkdir artifacts
  run_action 4 artifacts="$scratch/artifacts"
  expect_calls 'token github event --remote origin
token github comment STATE/report/comment.md --key report'
  grep -q 'Could not judge.*nothing was measured' temp/tracker/report/comment.md || fail "$output"
}

# An artifact that takes too long to be judged costs the report its time-out, and no old comment stays.
case_report_takes_too_long() {
  prepare
  artifact tracker-a
  local action=tracker-report event=workflow_run
  answer compare 'exit 124'
  run_action 0 artifacts="$scratch/artifacts"
  grep -q 'Could not judge.*judging took longer than 5m' temp/tracker/report/comment.md || fail "$output"
  [[ $calls == *'token github comment STATE/report/comment.md --key report' ]] || fail "$calls"
  rm answers/compare
  CANCEL_AT=compare.sh run_action 0 artifacts="$scratch/artifacts"
  grep -q 'Could not judge.*ran out of time' temp/tracker/report/comment.md || fail "$output"
}

run_case "${1:-}"
