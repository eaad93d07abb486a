#!/usr/bin/env bash
# Tests of .github/actions/tracker and of ci.yml: `action_test.sh CASE` runs the function case_CASE.
set -euo pipefail
# shellcheck source=tests/script/action_common.sh
source "$(dirname "${BASH_SOURCE[0]}")/action_common.sh"

# All of it, in order; the token reaches those steps alone that speak to the remote or to GitHub.
case_action_order() {
  prepare
  event_is true
  touch workspace/a_bench workspace/b_bench
  printf '[measure]\nbuild = [["make"]]\n' >workspace/tracker.toml
  run_action 0 binaries=$'*_bench\nlater_*' threshold=2% device='nvidia-*' confirm=always time-budget=9m store=push \
    charts-branch=charts comment-key=gpu
  local options="compare 0123 HEAD_ID --threshold 2% --device nvidia-*"
  expect_calls "doctor -- a_bench b_bench later_*
token github event
token sync origin --from-remote --shallow
run --build -- a_bench b_bench later_*
$options --confirm --time-budget 9m
token $options --no-confirm --format json --out STATE/comparison.json --charts STATE/charts
token github publish STATE/charts --branch charts --remote origin
token export HEAD_ID --out STATE/artifact/runs
token export 0123 --out STATE/artifact/runs
token sync origin --commit HEAD_ID --commit 0123
$options --no-confirm --format github --out STATE/report --charts STATE/charts --charts-url https://example.org/{file}
token github comment STATE/report/comment.md --key gpu"
  expect_output 'verdict=passed'
  expect_output 'counts=1 regressed'
  expect_output "artifact=$scratch/temp/tracker/artifact"
  expect_output 'measured=true'
  [[ $(cat temp/tracker/artifact/candidate) == "$head" ]] || fail 'the artifact does not say for which commit it is'
}

# Where nothing failed, and nothing was decided either, the report knows better than the exit code.
case_action_verdict() {
  prepare
  answer report "mkdir -p '$scratch/temp/tracker/report'; echo r >'$scratch/temp/tracker/report/comment.md'
    echo verdict=cannot-judge >>\"\$GITHUB_OUTPUT\""
  run_action 0
  expect_output 'verdict=cannot-judge'
}

# What a caller leaves out is left to tracker; a push records, and writes no comment.
case_action_defaults() {
  prepare
  event=push run_action 0
  expect_calls "doctor
token github event
token sync origin --from-remote --shallow
run
compare 0123 HEAD_ID --time-budget 15m
token compare 0123 HEAD_ID --no-confirm --format json --out STATE/comparison.json --charts STATE/charts
token export HEAD_ID --out STATE/artifact/runs
token export 0123 --out STATE/artifact/runs
compare 0123 HEAD_ID --no-confirm --format github --out STATE/report"
  run_action 0 comment=never base=baseline
  [[ $calls != *'github comment'* ]] || fail "$calls"
  [[ $calls == *'export HEAD --out'* && $calls != *'export baseline'* ]] || fail "$calls"
}

# The last step ends with what compare said, and the report and the comment are made before.
case_action_exit_codes() {
  prepare
  local row code verdict
  for row in '0 passed' '1 failed' '3 cannot-judge'; do
    read -r code verdict <<<"$row"
    answers_with "$code"
    run_action "$code"
    expect_output "verdict=$verdict"
    expect_output "exit-code=$code"
    [[ $calls == *'github comment'* ]] || fail "no comment after $code: $calls"
    [[ $(cat temp/tracker/report/comment.md) == report ]] || fail 'the report is lost'
  done
  for code in 2 4; do
    answers_with "$code"
    rm -f summary
    run_action "$code"
    expect_output "exit-code=$code"
    expect_output '::error title=tracker: no verdict::'
    [[ $(cat temp/tracker/report/comment.md) == '### ❓ Could not judge: `the step '*'actions/runs/7)' ]] ||
      fail "$(cat temp/tracker/report/comment.md)"
    grep -q 'Could not judge' summary || fail 'the summary does not say it'
    [[ $calls != *'--format github'* && $calls == *'github comment'* ]] || fail "$calls"
  done
}

# A machine that is not fit, a remote that fails, an event that says nothing: told, and nothing else is done.
case_action_stops() {
  prepare
  answer doctor 'exit 4'
  run_action 4
  expect_calls "doctor
token github comment STATE/report/comment.md --key report"
  expect_output 'artifact='$'\n'
  rm answers/doctor
  answer sync 'exit 4'
  run_action 4
  [[ $calls != *run* ]] || fail "$calls"
  rm answers/sync
  answer github-event 'exit 2'
  run_action 2
  [[ $calls != *run* ]] || fail "$calls"
  # shellcheck disable=SC2016  # tracker expands them
  answer github-event 'echo skip=true >>"$GITHUB_OUTPUT"'
  run_action 2
  [[ $calls != *run* ]] || fail "$calls"
}

# What is not of the default branch is recorded in a ref of the job alone, and nothing of it is pushed; nothing of an
# earlier job is in that ref.
case_action_records_apart() {
  prepare
  git -C workspace update-ref refs/tracker/job HEAD
  local base word
  # shellcheck disable=SC2016  # tracker expands them
  answer run 'git update-ref refs/tracker/v1 HEAD; git rev-parse -q --verify refs/tracker/job && exit 2; true'
  for base in '' 0123; do
    run_action 0 store=push base="$base"
    for word in run compare export; do
      grep -q "^$word refs/tracker/job\$" recorded || fail "$word: $(cat recorded)"
      if grep -q "^$word \$" recorded; then fail "$word: $(cat recorded)"; fi
    done
    [[ $calls != *'sync origin --commit'* ]] || fail "$calls"
    expect_output '::warning title=tracker::nothing is pushed to the store'
  done
  answer github-event 'exit 2'  # an event that tracker does not know, and a base that was named
  run_action 0 store=push base=0123
  grep -q '^run refs/tracker/job$' recorded || fail "$(cat recorded)"
  event_is true
  git -C workspace update-ref refs/tracker/job HEAD
  for base in '' 0123; do
    run_action 0 store=push base="$base"
    if grep -v "^doctor " recorded | grep -q refs/tracker/job; then fail "$(cat recorded)"; fi
    [[ $calls == *'sync origin --commit'* ]] || fail "$calls"
  done
}

# A job that is cancelled, or runs out of time: the comment says so, whatever an earlier push's said.
case_action_cancelled() {
  prepare
  local script
  for script in measure.sh compare.sh charts.sh; do
    CANCEL_AT=$script run_action 3
    grep -q 'Could not judge.*cancelled, or ran out of time' temp/tracker/report/comment.md || fail "$script: $output"
    [[ $calls == *$'\n'"token github comment STATE/report/comment.md --key report" ]] || fail "$script: $calls"
    expect_output 'verdict=cannot-judge'
  done
  answers_with 1
  CANCEL_AT=charts.sh run_action 1
  grep -q 'Something regressed' temp/tracker/report/comment.md || fail "$output"
}

# Where one binary fails, the rest is judged, and what did not run is no success.
case_action_measure_fails() {
  prepare
  answer run 'git update-ref refs/tracker/v1 HEAD; exit 4'
  # shellcheck disable=SC2016  # tracker expands them
  answer report 'mkdir -p "$out"; printf "%s\n" "<!-- a -->" "### ✅ Nothing regressed" "### b" | tee "$out/comment.md" >"$out/summary.md"
    [[ -z $GITHUB_STEP_SUMMARY ]] || cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"'
  rm -f summary
  run_action 4
  [[ $calls == *'compare 0123'*'github comment'* ]] || fail "$calls"
  expect_output '::warning title=tracker::a benchmark binary failed'
  local said='### ❓ Could not judge: a benchmark binary failed. Of the rest: Nothing regressed'
  [[ $(cat temp/tracker/report/comment.md) == '<!-- a -->'$'\n'"$said"$'\n''### b' ]] ||
    fail "$(cat temp/tracker/report/comment.md)"
  if ! grep -qxF "$said" summary || grep -q ✅ summary; then fail "$(cat summary)"; fi
  [[ -f temp/tracker/artifact/measure-failed ]] || fail 'the artifact does not say it'
  answers_with 1
  git -C workspace update-ref -d refs/tracker/v1
  run_action 1
  git -C workspace update-ref -d refs/tracker/v1
  answers_with 0
  # shellcheck disable=SC2016  # tracker expands them
  answer export 'mkdir -p "$out/d"; touch "$out/d/29991231T000000Z-0.json"'  # a database has no ref
  answer run 'exit 4'
  run_action 4
  [[ $calls == *'compare 0123'* ]] || fail "$calls"
  # shellcheck disable=SC2016  # tracker expands them
  answer export 'mkdir -p "$out/d"; touch "$out/d/20201231T000000Z-0.json"'
  answers_with 1
  answer run 'exit 4'  # recorded nothing
  run_action 4
  [[ $calls != *compare* ]] || fail "$calls"
  expect_output 'verdict=cannot-judge'
}

# Nothing before this commit: recorded, and no claim is made.
case_action_nothing_before() {
  prepare
  answer github-event "printf 'base=\ncandidate=%s\n' $head >>\"\$GITHUB_OUTPUT\""
  run_action 0
  [[ $calls != *compare* && $calls != *comment* && $calls == *'export HEAD_ID --out'* ]] || fail "$calls"
  expect_output 'verdict=recorded'
  grep -q 'Recorded: .*nothing to compare with' summary || fail "$(cat summary)"
}

# What is measured may print what it likes, and cannot reach the files by which a step talks to the runner.
case_action_stops_commands() {
  prepare
  # shellcheck disable=SC2016  # tracker expands them
  answer run 'git update-ref refs/tracker/v1 HEAD
    echo "::error::gotcha"; echo "files ${GITHUB_OUTPUT-none} ${GITHUB_ENV-none} ${GITHUB_STEP_SUMMARY-none}"'
  run_action 0
  expect_output 'files none none none'
  local first second between
  between='::stop-commands::([0-9a-f]{32})'$'\n''::error::gotcha.*::([0-9a-f]{32})::'
  [[ $output =~ $between ]] || fail "no stop-commands around it: $output"
  first=${BASH_REMATCH[1]}
  [[ $output == *$'\n'"::$first::"$'\n'* ]] || fail 'commands are not resumed'
  run_action 0
  [[ $output =~ $between ]] || fail "$output"
  second=${BASH_REMATCH[1]}
  [[ $first != "$second" ]] || fail 'the token is always the same'
  # Nor does a failure leave them stopped.
  answer run 'exit 2'
  run_action 2
  [[ $output =~ ::stop-commands::([0-9a-f]{32})$'\n\n'::([0-9a-f]{32}):: ]] || fail "$output"
}

# Pictures and comment are extras: where they cannot be had the verdict stands.
case_action_extras_fail() {
  prepare
  answer github-publish 'exit 4'
  answer github-comment 'exit 4'
  run_action 0 charts-branch=charts
  expect_output '::warning title=tracker::the charts are not published'
  expect_output '::warning title=tracker::the comment is not written'
  [[ $calls != *--charts-url* ]] || fail "$calls"
  answer draw 'exit 4'
  run_action 0 charts-branch=charts
  expect_output '::warning title=tracker::the charts are not drawn'
  [[ $calls != *publish* ]] || fail "$calls"
  answer export '[[ $* != *0123* ]] || exit 3'
  run_action 0
  expect_no_output 'cannot be exported'
  answer export 'exit 4'
  run_action 0
  expect_output '::warning title=tracker::what was measured cannot be exported'
  # The store was asked for, and what is not in it is lost.
  event_is true
  answer sync '[[ $* == *--from-remote* ]] || exit 4'
  run_action 4 store=push
  # A report that says something else than the verdict is none.
  rm answers/sync
  answer report 'exit 1'
  run_action 4
  expect_output 'the report ended with 1, where the verdict had been 0'
  grep -q '❓ Could not judge: `the report ended' temp/tracker/report/comment.md || fail "$output"
  # A regression stays one.
  answers_with 1
  answer sync '[[ $* == *--from-remote* ]] || exit 4'
  answer report 'exit 4'
  run_action 1 store=push
  expect_output 'verdict=failed'
  grep -q '❌ Something regressed: `the report ended' temp/tracker/report/comment.md || fail "$output"
}

case_action_inputs() {
  prepare
  local row
  for row in store=elsewhere comment=yes confirm=maybe strict=1; do
    run_action 2 "$row"
    expect_output "no value of the input '${row%%=*}'"
    expect_calls 'token github comment STATE/report/comment.md --key report'
  done
  run_action 2 tracker=./missing
  expect_output "no program './missing'"
  expect_calls ''
  run_action 0 base=$'\n'
  [[ $calls == *'github event'*'compare 0123 HEAD_ID'* ]] || fail "$calls"
  run_action 0 strict=true
  [[ $calls == *'compare 0123 HEAD_ID --strict'* ]] || fail "$calls"
}

# A cached binary fits the sources it was built from and the release that it runs on.
case_action_cache_key() {
  local keys=() release sources=$scratch/sources
  mkdir -p "$sources/cmake" "$sources/tracker" "$sources/.github"
  cp -r "$repository/.github/actions" "$sources/.github/"
  touch "$sources/CMakeLists.txt" "$sources/CMakePresets.json"
  key() {
    echo "$1" >os-release
    GITHUB_OUTPUT=$scratch/output RUNNER_TEMP=$scratch TRACKER_OS_RELEASE=$scratch/os-release \
      "$sources/.github/actions/tracker/begin.sh"
    keys+=("$(sed -n 's/^key=//p' "$scratch/output")")
    rm "$scratch/output"
  }
  for release in 'ID=debian VERSION_ID=12' 'ID=debian VERSION_ID=12' 'ID=ubuntu VERSION_ID=24.04'; do key "$release"; done
  echo 'int a;' >"$sources/tracker/a.cpp"
  key 'ID=debian VERSION_ID=12'
  [[ ${keys[0]} == tracker-debian-12-* && ${keys[0]} == "${keys[1]}" ]] || fail "${keys[*]}"
  [[ ${keys[2]} == tracker-ubuntu-24.04-* && ${keys[2]##*-} == "${keys[0]##*-}" ]] || fail "${keys[*]}"
  [[ ${keys[3]} != "${keys[0]}" ]] || fail "${keys[*]}"
}

# The gate of ci.yml: whatever is not a success of all fails it.
case_ci_gate() {
  python3 -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["jobs"]["gate"]["steps"][0]["run"])' \
    "$repository/.github/workflows/ci.yml" >gate.sh
  RESULTS='success success' bash -e gate.sh
  local results
  for results in '' 'success failure' 'skipped success' 'success cancelled'; do
    if RESULTS=$results bash -e gate.sh >/dev/null 2>&1; then fail "the gate lets '$results' through"; fi
  done
}

run_case "${1:-}"
