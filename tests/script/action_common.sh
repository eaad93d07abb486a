# shellcheck shell=bash disable=SC2034  # its variables are the sourcing script's as well
# What the tests of the actions share: run_action.py takes the steps out of action.yml, and a script stands in for
# tracker, and notes its calls. Each case has a temp folder of its own.

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$tests/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
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
echo "\$1 \${TRACKER_RECORD_INTO:-}" >>"$scratch/recorded"
out=\${*: -1}
if [[ -f "$scratch/answers/\$command" ]]; then source "$scratch/answers/\$command"; fi
END
  chmod +x tracker
  event_is false
  # shellcheck disable=SC2016  # tracker expands them
  answer github-publish 'echo "charts-url=https://example.org/{file}" >>"$GITHUB_OUTPUT"'
  answer run 'git update-ref refs/tracker/v1 HEAD'
  answers_with 0
}

# event_is <record>: what `tracker github event` says; true of the default branch.
event_is() {
  answer github-event "printf 'base=0123\ncandidate=%s\nskip=false\nrecord=%s\n' $head $1 >>\"\$GITHUB_OUTPUT\""
}

answer() { printf '%s\n' "$2" >"answers/$1"; }

# answers_with <exit code>: of everything that judges.
answers_with() {
  answer compare "exit $1"
  # shellcheck disable=SC2016  # tracker expands them
  answer draw 'mkdir -p "$out"; touch "$out/a.png"; exit '"$1"
  answer report "mkdir -p '$scratch/temp/tracker/report'; echo report >'$scratch/temp/tracker/report/comment.md'
    printf '%s\\n' 'headline<<end' '1 regressed' end >>\"\$GITHUB_OUTPUT\"; exit $1"
}

# run_action <expected exit code> [NAME=VALUE...]: the action in the workspace; keeps what it says in $output and the
# calls of tracker in $calls; the file `recorded` says into which ref each of them records.
run_action() {
  local expected=$1 status=0
  shift
  : >calls
  : >recorded
  output=$(cd workspace && env -u GITHUB_OUTPUT -u TRACKER_STATE RUNNER_TEMP="$scratch/temp" TOKEN=secret \
    GITHUB_EVENT_NAME="${event:-pull_request}" GITHUB_STEP_SUMMARY="$scratch/summary" GITHUB_REPOSITORY=a/b \
    GITHUB_RUN_ID=7 GITHUB_SERVER_URL=https://example.org GITHUB_TOKEN=left-over \
    "$tests/run_action.py" "$repository/.github/actions/${action:-tracker}" tracker="$scratch/tracker" "$@" 2>&1) || status=$?
  calls=$(sed "s,$scratch/temp/tracker,STATE,g; s,$head,HEAD_ID,g" calls)
  if [[ $status != "$expected" ]]; then fail "the action ended with $status instead of $expected: $output"; fi
}

expect_calls() {
  if [[ $calls != "$1" ]]; then fail "tracker was called with"$'\n'"$calls"$'\n'"instead of"$'\n'"$1"; fi
}

# run_case <name>
run_case() {
  declare -F "case_$1" >/dev/null || fail "no case '$1'"
  "case_$1"
}
