#!/usr/bin/env bash
# Builds tracker from the action's own checkout, without CUDA, where the cache had none.
set -euo pipefail
step=build
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

source=$(cd "$here/../../.." && pwd)
# The libraries that it runs with are needed beside a cached binary as well. Nothing is installed on a user's machine.
"$source/script/setup" --check || die "$exit_environment" \
  "what tracker is built with is not installed, as said above; a release needs none of it (the input 'install')"
if [[ ! -x $state/bin/tracker ]]; then
  echo '::group::build tracker'
  (cd "$source" && cmake --preset cpu && cmake --build --preset cpu --target tracker) ||
    die "$exit_environment" "tracker does not build, as said above"
  echo '::endgroup::'
  mkdir -p "$state/bin"
  cp "$source"/build/cpu/bin/{tracker,libtracker_injection.so} "$state/bin/"
fi
"$state/bin/tracker" --version || die "$exit_environment" "the tracker that was built does not start"
