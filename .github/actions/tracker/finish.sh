#!/usr/bin/env bash
# Ends with the answer: 0 nothing regressed, 1 regressed, 2 usage, 3 cannot judge, 4 the environment failed.
#
# outputs: verdict, exit-code, comment, artifact, tracker
set -euo pipefail
step=finish
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=.github/actions/tracker/common.sh
source "$here/common.sh"

# The report may be undecided where nothing failed either. Nothing to compare with is no success.
passed=${TRACKER_VERDICT:-passed}
if [[ -f $state/base && -z $(contents base) ]]; then passed=recorded; fi
if [[ -f $state/skipped ]]; then passed=skipped; fi
words=("$passed" failed)
code=$(contents exit-code)
code=${code:-$exit_environment}
output exit-code "$code"
output verdict "${words[code]:-cannot-judge}"
output tracker "$tracker"
if [[ -s $state/report/comment.md ]]; then output comment "$state/report/comment.md"; fi
if [[ -d $state/artifact ]]; then output artifact "$state/artifact"; fi
if ((code > 1)); then printf '::error title=tracker: no verdict::%s\n' "$(escaped "$(contents reason)")"; fi
exit "$code"
