#!/usr/bin/env bash
# Builds tracker from the action's own checkout, without CUDA, where the cache had none.
set -euo pipefail
step=build
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

source=$(cd "$here/../../.." && pwd)
# The libraries, gnuplot and fonts that it runs with are needed beside a cached binary as well.
"$source/script/setup" || die "$exit_environment" "what tracker needs is not installed: $source/script/setup says what"
if [[ ! -x $state/bin/tracker ]]; then
  echo '::group::build tracker'
  (cd "$source" && cmake --preset cpu && cmake --build --preset cpu --target tracker) ||
    die "$exit_environment" "tracker does not build, as said above"
  echo '::endgroup::'
  mkdir -p "$state/bin"
  cp "$source/build/cpu/bin/tracker" "$state/bin/"
fi
"$state/bin/tracker" --version || die "$exit_environment" "the tracker that was built does not start"
