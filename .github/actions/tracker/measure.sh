#!/usr/bin/env bash
# Builds what tracker.toml says, measures it, and records a run for HEAD. Where a pull request can hardly have changed
# a program, it is first built beside the base, and not measured where it is the same.
#
# output: measured
set -euo pipefail
step=measure
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

# What the store's ref, whatever its name, and all others are.
refs() { git for-each-ref; }

binaries_asked
before=$(refs)
begin=$(date -u +%Y%m%dT%H%M%SZ)
status=0
# Where tracker.toml names no build, the workflow has built before.
build=()
if grep -Eqs '^[[:space:]]*build[[:space:]]*=' tracker.toml; then build=(--build); fi

# only_texts <base>: whether no file differs from it that programs are commonly made of. To be wrong here costs time, and
# no verdict: the programs decide.
only_texts() {
  git diff --quiet "$1" HEAD -- . ':(exclude).github' ':(exclude,icase,glob)**/*.md' ':(exclude,icase,glob)**/*.rst' \
    ':(exclude,glob)docs/**' ':(exclude,icase,glob)**/LICENSE*' ':(exclude,glob)**/.git*' 2>/dev/null
}
# On main every commit gets a run, as others are compared with it.
base=$(contents base)
if ((${#build[@]} && !${#binaries[@]})) && [[ -n $base && $base != baseline && ${TRACKER_CONFIRM:-auto} != never &&
  ${GITHUB_EVENT_NAME:-} == pull_request ]] && only_texts "$base"; then
  build=(--against "$base")
fi
unheard "$tracker" run "${build[@]}" "${binaries[@]}" || status=$?
# recorded_since <time>: whether the store, which may be a database, has a run of HEAD that began since. Ids begin with it.
recorded_since() {
  local run
  rm -rf "$state/recorded"
  "$tracker" export HEAD --out "$state/recorded" >/dev/null 2>&1 || true
  while read -r run; do
    if [[ ! $run < $1 ]]; then return 0; fi
  done < <(find "$state/recorded" -name '*.json' -printf '%f\n' 2>/dev/null)
  return 1
}
# Where one binary failed, what the others gave is recorded and judged: the verdict names what is missing.
if [[ $status == "$exit_environment" ]] && { [[ $(refs) != "$before" ]] || recorded_since "$begin"; }; then
  warn "a benchmark binary failed: the step 'measure' says which"
  printf '%s\n' "$status" >"$state/measure-failed"
elif [[ $status != 0 ]]; then
  die "$status" "nothing was measured: the step 'measure' says why"
fi
output measured true
