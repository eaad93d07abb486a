#!/usr/bin/env bash
# Runs a case of browser_test.mjs: `browser.sh CASE`, with WRITE_MADE_UP_SITE naming that program; or with PAGES another
# such file beside it. Exit code 77, which ctest counts as skipped, where there is no browser: script/setup --dev installs
# Debian's chromium.
set -euo pipefail
program=browser
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=script/lib/common.sh
source "$here/../../script/lib/common.sh"
# shellcheck source=script/lib/npm.sh
source "$root/script/lib/npm.sh"

if ! browser=$(find_browser); then
  # As a test of Google Test says why: script/test looks for these two lines.
  printf '%s\n' 'browser: Skipped' 'there is no chromium: script/setup --dev installs it on Debian'
  exit 77
fi
modules=$(pinned_modules "$here" site-browser)
BROWSER=$browser MODULES=$modules exec node "$here/${PAGES:-browser_test.mjs}" "$@"
