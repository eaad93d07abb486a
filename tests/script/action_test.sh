#!/usr/bin/env bash
# Tests of .github/actions/ and .github/workflows/: `action_test.sh CASE` runs the function case_CASE in a temp folder
# of its own. run_action.py takes the steps out of action.yml; a script stands in for tracker, and notes its calls.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$tests/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'action_test: %s\n' "$*" >&2
  exit 1
}

expect_output() {
  if [[ $output != *"$1"* ]]; then fail "expected '$1' in: $output"; fi
}

expect_no_output() {
  if [[ $output == *"$1"* ]]; then fail "did not expect '$1' in: $output"; fi
}

# A workspace, and a tracker that notes a line a call: 'token ' where it had one, and its arguments. What it answers
# to a command stands in answers/COMMAND: a script that is sourced.
prepare() {
  mkdir -p workspace temp answers
  git init -q workspace
  git -C workspace -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m 'Begin'
  head=$(git -C workspace rev-parse HEAD)
  cat >tracker <<END
#!/usr/bin/env bash
set -eu
command=\$1
if [[ \$1 == github ]]; then command=github-\$2; fi
if [[ "\$*" == *'--format github'* ]]; then command=report; fi
if [[ "\$*" == *'--format json'* ]]; then command=draw; fi
echo "\${GITHUB_TOKEN:+token }\$*" >>"$scratch/calls"
out=\${*: -1}
if [[ -f "$scratch/answers/\$command" ]]; then source "$scratch/answers/\$command"; fi
END
  chmod +x tracker
  answer github-event "printf 'base=0123\ncandidate=%s\nskip=false\n' $head >>\"\$GITHUB_OUTPUT\""
  # shellcheck disable=SC2016  # tracker expands them
  answer github-publish 'echo "charts-url=https://example.org/{file}" >>"$GITHUB_OUTPUT"'
  answer run 'git update-ref refs/tracker/v1 HEAD'
  answers_with 0
}

answer() { printf '%s\n' "$2" >"answers/$1"; }

# answers_with <exit code>: of everything that judges.
answers_with() {
  answer compare "exit $1"
  # shellcheck disable=SC2016  # tracker expands them
  answer draw 'mkdir -p "$out"; touch "$out/a.png"; exit '"$1"
  answer report "mkdir -p '$scratch/temp/tracker/report'; echo report >'$scratch/temp/tracker/report/comment.md'
    echo 'counts=1 regressed' >>\"\$GITHUB_OUTPUT\"; exit $1"
}

# run_action <expected exit code> [NAME=VALUE...]: the action in the workspace; keeps what it says in $output and the
# calls of tracker in $calls.
run_action() {
  local expected=$1 status=0
  shift
  : >calls
  output=$(cd workspace && env -u GITHUB_OUTPUT -u TRACKER_STATE RUNNER_TEMP="$scratch/temp" TOKEN=secret \
    GITHUB_EVENT_NAME="${event:-pull_request}" GITHUB_STEP_SUMMARY="$scratch/summary" GITHUB_REPOSITORY=a/b \
    GITHUB_RUN_ID=7 GITHUB_SERVER_URL=https://example.org GITHUB_TOKEN=left-over \
    "$tests/run_action.py" "$repository/.github/actions/tracker" tracker="$scratch/tracker" "$@" 2>&1) || status=$?
  calls=$(sed "s,$scratch/temp/tracker,STATE,g; s,$head,HEAD_ID,g" calls)
  if [[ $status != "$expected" ]]; then fail "the action ended with $status instead of $expected: $output"; fi
}

expect_calls() {
  if [[ $calls != "$1" ]]; then fail "tracker was called with"$'\n'"$calls"$'\n'"instead of"$'\n'"$1"; fi
}

# All of it, in order; the token reaches those steps alone that speak to the remote or to GitHub.
case_action_order() {
  prepare
  touch workspace/a_bench workspace/b_bench
  run_action 0 binaries=$'*_bench\nlater_*' threshold=2% device='nvidia-*' confirm=always time-budget=9m store=push \
    charts-branch=charts comment-key=gpu
  local options="compare 0123 HEAD_ID --threshold 2% --device nvidia-*"
  expect_calls "doctor -- a_bench b_bench later_*
token github event
token sync origin --fetch
run --build -- a_bench b_bench later_*
$options --confirm --time-budget 9m
token $options --no-confirm --format json --out STATE/comparison.json --charts STATE/charts
token github publish STATE/charts --branch charts
token export HEAD_ID 0123 --out STATE/artifact/runs
token sync origin
$options --no-confirm --format github --out STATE/report --charts STATE/charts --charts-url https://example.org/{file}
token github comment STATE/report/comment.md --key gpu"
  expect_output 'verdict=passed'
  expect_output 'counts=1 regressed'
  expect_output "artifact=$scratch/temp/tracker/artifact"
  expect_output 'measured=true'
  [[ $(cat temp/tracker/artifact/candidate) == "$head" ]] || fail 'the artifact does not say for which commit it is'
}

# What a caller leaves out is left to tracker; a push records, and writes no comment.
case_action_defaults() {
  prepare
  event=push run_action 0
  expect_calls "doctor
token github event
token sync origin --fetch
run --build
compare 0123 HEAD_ID --time-budget 15m
token compare 0123 HEAD_ID --no-confirm --format json --out STATE/comparison.json --charts STATE/charts
token export HEAD_ID 0123 --out STATE/artifact/runs
compare 0123 HEAD_ID --no-confirm --format github --out STATE/report"
  run_action 0 comment=never base=baseline
  if [[ $calls == *'github event'* || $calls == *'github comment'* ]]; then fail "$calls"; fi
  [[ $calls == *'export HEAD --out'* ]] || fail "$calls"
}

# The last step ends with what compare said, and the report and the comment are made before.
case_action_exit_codes() {
  prepare
  local row code verdict
  for row in '0 passed' '1 regressed' '3 cannot-judge'; do
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
    [[ $(cat temp/tracker/report/comment.md) == '**tracker could not judge this**: `the step '*'actions/runs/7)' ]] ||
      fail "$(cat temp/tracker/report/comment.md)"
    grep -q 'could not judge' summary || fail 'the summary does not say it'
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

# Where one binary fails, the rest is judged, and what did not run is no success.
case_action_measure_fails() {
  prepare
  answer run 'git update-ref refs/tracker/v1 HEAD; exit 4'
  run_action 4
  [[ $calls == *'compare 0123'*'github comment'* ]] || fail "$calls"
  expect_output '::warning title=tracker::a benchmark binary failed'
  answers_with 1
  git -C workspace update-ref -d refs/tracker/v1
  run_action 1
  git -C workspace update-ref -d refs/tracker/v1
  answer run 'exit 4'  # recorded nothing
  run_action 4
  [[ $calls != *compare* ]] || fail "$calls"
  expect_output 'verdict=environment'
}

# Nothing before this commit: recorded, and no claim is made.
case_action_nothing_before() {
  prepare
  answer github-event "printf 'base=\ncandidate=%s\n' $head >>\"\$GITHUB_OUTPUT\""
  run_action 0
  [[ $calls != *compare* && $calls != *comment* && $calls == *'export HEAD_ID --out'* ]] || fail "$calls"
  grep -q 'recorded this commit.*nothing to compare with' summary || fail "$(cat summary)"
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
  # The store was asked for, and what is not in it is lost.
  answer sync '[[ $* == *--fetch ]] || exit 4'
  run_action 4 store=push
  # A report that says something else than the verdict is none.
  rm answers/sync
  answer report 'exit 1'
  run_action 4
  expect_output 'the report ended with 1, where the verdict had been 0'
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
  run_action 0 strict=true
  [[ $calls == *'compare 0123 HEAD_ID --strict'* ]] || fail "$calls"
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

case_function=case_${1:-}
declare -F "$case_function" >/dev/null || fail "no case '${1:-}'"
"$case_function"
