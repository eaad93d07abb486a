#!/usr/bin/env bash
# Tests of script/nightly, script/check-newest and script/propose-baseline: `nightly_test.sh CASE` runs the function case_CASE.
set -euo pipefail
# shellcheck source=tests/script/action_common.sh
source "$(dirname "${BASH_SOURCE[0]}")/action_common.sh"

# run_script <expected exit code> <script> [argument...]: in the workspace; keeps $output and $calls.
run_script() {
  local expected=$1 name=$2 status=0
  shift 2
  : >calls
  output=$(GITHUB_SERVER_URL=https://example.org GITHUB_REPOSITORY=a/b GITHUB_RUN_ID=7 TRACKER_BINARY=$scratch/tracker TRACKER_REPOSITORY=$scratch/workspace "$repository/script/$name" "$@" 2>&1) ||
    status=$?
  calls=$(sed "s,$scratch,TEMP,g; s,-C [^ ]*,-C TREE," calls)
  if [[ $status != "$expected" ]]; then fail "$name ended with $status instead of $expected: $output"; fi
}

# The baseline is of the suite alone, and the sweep is of a clean tree.
case_nightly() {
  prepare
  mkdir workspace/baselines
  echo old | tee workspace/baselines/nvidia-{w,x}.json >/dev/null
  git -C workspace add -A
  git -C workspace -c user.name=a -c user.email=a@example.org commit -q -m 'Promote'
  # shellcheck disable=SC2016  # tracker expands them
  answer -C 'mkdir -p "$2/baselines"; echo new >"$2/baselines/nvidia-x.json"'
  run_script 0 nightly out
  expect_calls "-C TREE baseline promote
run -n 2 -- build/measure/bin/transpose_blocks_bench
plot --sweep --out TEMP/out/charts
export HEAD --out TEMP/out/runs"
  [[ $(cat out/baselines/nvidia-x.json) == new ]] || fail 'the baseline is not laid out'
  [[ ! -e out/baselines/nvidia-w.json ]] || fail 'what another machine promotes would be overwritten'
  [[ -z $(git -C workspace status --porcelain) && $(git -C workspace worktree list | wc -l) == 1 ]] || fail 'left over'
  rm -r out
  # A sentinel is measured before the sweep, and its runs go along.
  printf '[measure]\ninvocations = 5\n\n[sentinel]\nmatch = ["x/*"]\ncommit = "v1.0"  # stays\n[[binary]]\ncommit = "no"\n' >workspace/tracker.toml
  run_script 0 nightly out
  expect_calls "-C TREE baseline promote
run --sentinel
run -n 2 -- build/measure/bin/transpose_blocks_bench
plot --sweep --out TEMP/out/charts
export HEAD v1.0 --out TEMP/out/runs"
  rm -r out workspace/tracker.toml
  answer -C 'exit 3'
  run_script 0 nightly out -- ./sweep
  expect_output '::warning title=tracker::no baseline'
  [[ $calls == *'run -n 2 -- ./sweep'*export* && ! -e out/baselines ]] || fail "$calls"
  answer -C 'exit 4'
  run_script 4 nightly out
  [[ $calls != *run* && $(git -C workspace worktree list | wc -l) == 1 ]] || fail "$calls"
  rm answers/-C
  answer run 'exit 4'
  run_script 4 nightly out
  run_script 2 nightly
}

# A regression is red, and what could not be read; too little history is not.
case_check_newest() {
  prepare
  run_script 0 check-newest --device 'nvidia-*'
  expect_calls "check --allow-short --device nvidia-*"
  answer check 'exit 1'
  run_script 1 check-newest
  answer check 'exit 3'
  run_script 3 check-newest
  answer check 'exit 4'
  run_script 4 check-newest
  # shellcheck disable=SC2016  # tracker expands it
  answer check 'echo "as $*"; exit 1'
  GITHUB_STEP_SUMMARY=$scratch/summary run_script 1 check-newest
  [[ $(cat summary) == 'as check --allow-short --format markdown' ]] || fail "$(cat summary)"
}

case_propose_baseline() {
  prepare
  mkdir -p workspace/baselines artifacts/tracker-gpu/baselines artifacts/tracker-b
  run_script 0 propose-baseline artifacts
  expect_output 'nothing to propose'
  expect_calls ''
  echo new >artifacts/tracker-gpu/baselines/nvidia-x.json
  run_script 0 propose-baseline artifacts
  [[ $(cat workspace/baselines/nvidia-x.json) == new ]] || fail 'it is not taken over'
  [[ $calls == 'baseline show'$'\n''github propose baselines/nvidia-x.json --branch tracker/baseline --title '* ]] ||
    fail "$calls"
  answer baseline 'exit 2'
  run_script 2 propose-baseline artifacts
  [[ $calls != *propose* ]] || fail "$calls"
  rm answers/baseline
  answer github-propose 'exit 4'
  run_script 4 propose-baseline artifacts
  touch 'artifacts/tracker-gpu/baselines/-x.json'
  run_script 2 propose-baseline artifacts
  expect_output "'-x.json' is no name of a baseline"
  rm artifacts/tracker-gpu/baselines/*
  ln -s /etc/passwd artifacts/tracker-gpu/baselines/a.json
  run_script 0 propose-baseline artifacts
  expect_output 'nothing to propose'
  run_script 2 propose-baseline missing
}

run_case "${1:-}"
