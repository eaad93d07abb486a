#!/usr/bin/env bash
# Checks the inputs, and says which binary of tracker is used: one that is given, the release that the action names, or the key
# of one to be built.
#
# outputs: download (true: a release is to be downloaded), or key and folder of what is to be built; none where a binary is given
set -euo pipefail
step=begin
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

rm -rf "$state"
mkdir -p "$state"
keep "$exit_environment" "the action ended before anything was judged"

one_of store "${TRACKER_STORE:-local}" local push
one_of comment "${TRACKER_COMMENT:-auto}" auto never
one_of confirm "${TRACKER_CONFIRM:-auto}" auto always never
one_of strict "${TRACKER_STRICT:-false}" true false
one_of install "${TRACKER_INSTALL:-auto}" auto source

if [[ -n ${TRACKER_BINARY:-} ]]; then
  command -v -- "$TRACKER_BINARY" >/dev/null || die "$exit_usage" "no program '$TRACKER_BINARY': the input 'tracker'"
  exit 0
fi

if [[ ${TRACKER_INSTALL:-auto} == auto && -n $(released version) ]]; then
  if [[ $(uname -s) == Linux && -n $(released "sha256_$(uname -m)") ]]; then
    output download true
    exit 0
  fi
  say "there is no release for $(uname -s) on $(uname -m): tracker is built from the action's own sources"
fi

# A binary fits the sources it is made of, and the libraries of one release of one distribution.
source=$(cd "$here/../../.." && pwd)
sum=$(cd "$source" && find CMakeLists.txt CMakePresets.json cmake tracker -type f -print0 | LC_ALL=C sort -z |
  xargs -0 sha256sum | sha256sum)
release=$(
  ID=linux VERSION_ID=
  # shellcheck source=/dev/null
  source "${TRACKER_OS_RELEASE:-/etc/os-release}" 2>/dev/null || true
  printf '%s-%s' "$ID" "$VERSION_ID"
)
output key "tracker-${release//[^[:alnum:].-]/_}-$(uname -m)-${sum:0:32}"
output folder "$state/bin"
