#!/usr/bin/env bash
# Builds what tracker.toml says, measures it, and records a run for HEAD.
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
status=0
# Where tracker.toml names no build, the workflow has built before.
build=()
if grep -Eqs '^[[:space:]]*build[[:space:]]*=' tracker.toml; then build=(--build); fi
unheard "$tracker" run "${build[@]}" "${binaries[@]}" || status=$?
# Where one binary failed, what the others gave is recorded and judged: the verdict names what is missing.
if [[ $status == "$exit_environment" && $(refs) != "$before" ]]; then
  warn "a benchmark binary failed: the step 'measure' says which"
  printf '%s\n' "$status" >"$state/measure-failed"
elif [[ $status != 0 ]]; then
  die "$status" "nothing was measured: the step 'measure' says why"
fi
output measured true
