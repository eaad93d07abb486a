# shellcheck shell=bash disable=SC2034,SC2154  # its variables are the sourcing script's as well
# What the steps of the actions share. Each of them sets `step` to its name and sources this file.
#
# A step reads its settings from TRACKER_… variables and GitHub's own, and leaves what later steps need in $state:
#   bin/tracker      the binary, where the action downloaded or built it
#   base candidate   what is compared, as the event or the caller said; an empty base: nothing
#   exit-code        the answer so far, and reason: one line, where that is no verdict
#   apart            that what is measured is not of the default branch, and stays with this job
#   failed-jobs      the artifacts of jobs in which something did not run, a line each
#   measure-failed   the answer where something did not run; compared: compare's exit code
#   skipped          that nobody waits for the report
#   charts/          pictures, and charts-url: where they were published
#   report/          comment.md, summary.md
#   artifact/        what may be uploaded

state=${TRACKER_STATE:-${RUNNER_TEMP:?the runner sets it}/tracker}
tracker=${TRACKER_BINARY:-$state/bin/tracker}
remote=${TRACKER_REMOTE:-origin}
# What is not of the default branch is recorded in a ref of this job alone: the store, a ref or a database that others
# share, is only read.
job_ref=refs/tracker/job
if [[ -f $state/apart ]]; then export TRACKER_RECORD_INTO=$job_ref; fi
limit=()  # before a command: ends it, with 124, after $TRACKER_TIME_LIMIT, where that is set
if [[ -n ${TRACKER_TIME_LIMIT:-} ]]; then limit=(timeout --kill-after=10 "$TRACKER_TIME_LIMIT"); fi
exit_usage=2
exit_cannot_judge=3
exit_environment=4
exit_timed_out=124

# sentinel_commit: the one that [sentinel] in tracker.toml names, where the clone has it. The default branch measures it
# beside its own (script/nightly). Nothing in other jobs.
sentinel_commit() {
  local named
  if [[ -f $state/apart ]]; then return; fi
  named=$(sed -n '/^\[sentinel\]/,/^\[/s/^commit *= *"\([^"]*\)".*/\1/p' tracker.toml 2>/dev/null || true)
  git rev-parse -q --verify --end-of-options "$named^{commit}" 2>/dev/null || true
}

say() { printf '%s: %s\n' "$step" "$*" >&2; }

# escaped <text>: as the message of a workflow command.
escaped() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

warn() { printf '::warning title=tracker::%s\n' "$(escaped "$*")"; }

# contents <name>: of a file in $state, without its last line end; nothing where there is none.
contents() { if [[ -f $state/$1 ]]; then printf '%s' "$(<"$state/$1")"; fi; }

# keep <exit code> [reason]: what the last step ends with. That something regressed stays, whatever fails after it.
keep() {
  if [[ $(contents exit-code) != 1 ]]; then printf '%s\n' "$1" >"$state/exit-code"; fi
  printf '%s\n' "${2:-}" >"$state/reason"
}

# Whether there may be an answer to report; 3 is some of it, or an inconclusive one.
judged() { [[ $(contents compared) == [013] ]]; }

# die <exit code> <message>...
die() {
  local code=$1
  shift
  keep "$code" "$*"
  say "$*"
  exit "$code"
}

# output <name> <value of one line>
output() {
  if [[ -n ${GITHUB_OUTPUT:-} ]]; then printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >>"$GITHUB_OUTPUT"; fi
}

# released <name>: what the file `release`, beside the scripts, says of it.
released() { sed -n "s/^$1=//p" "$(dirname "${BASH_SOURCE[0]}")/release"; }

# one_of <name> <value> <allowed>...
one_of() {
  local name=$1 value=$2 allowed
  shift 2
  for allowed in "$@"; do
    if [[ $value == "$allowed" ]]; then return 0; fi
  done
  die "$exit_usage" "'$value' is no value of the input '$name': it is one of $*"
}

# unheard <command>...: what it prints is shown and never obeyed, as benchmarks and builds of strangers may print
# ::commands::. Neither does it get the files by which steps talk to the runner, nor the token.
unheard() {
  local token status=0
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$token"
  env -u GITHUB_ENV -u GITHUB_OUTPUT -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY -u GITHUB_TOKEN "$@" ||
    status=$?
  printf '\n::%s::\n' "$token"
  return "$status"
}

# event_said <name>: one of the outputs of `tracker github event`.
event_said() { sed -n "s/^$1=//p" "$state/event"; }

# take_apart: after `tracker github event`, whose answer may be missing; nothing of an earlier job stays.
take_apart() {
  git update-ref -d "$job_ref" || die "$exit_environment" "the ref $job_ref of an earlier job cannot be removed"
  if [[ $(event_said record) == true ]]; then return 0; fi
  : >"$state/apart"
  export TRACKER_RECORD_INTO=$job_ref
}

# Sets the array `call`: compare, with what every call of it gets.
comparing() {
  call=(compare "$(contents base)" "$(contents candidate)")
  if [[ -n ${TRACKER_THRESHOLD:-} ]]; then call+=(--threshold "$TRACKER_THRESHOLD"); fi
  if [[ -n ${TRACKER_DEVICE:-} ]]; then call+=(--device "$TRACKER_DEVICE"); fi
  if [[ ${TRACKER_STRICT:-false} == true ]]; then call+=(--strict); fi
}

# Sets the array `binaries`: `-- BINARY...` of the globs in TRACKER_BINARIES, which stand between blanks or line ends;
# empty where there are none. A glob that matches nothing stays as it is: the build may yet make what it names.
binaries_asked() {
  local globs=() found=() glob
  read -r -d '' -a globs <<<"${TRACKER_BINARIES:-}" || true
  binaries=()
  for glob in "${globs[@]}"; do
    mapfile -t found < <(compgen -G "$glob" || true)
    if ((!${#found[@]})); then found=("$glob"); fi
    binaries+=("${found[@]}")
  done
  if ((${#binaries[@]})); then binaries=(-- "${binaries[@]}"); fi
}
