#!/usr/bin/env bash
# Ends well when there is a report, whatever its verdict: the job that measured carries that. 2 and 4 as everywhere.
#
# outputs: as those of ../tracker/finish.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

status=0
"$here/../tracker/finish.sh" || status=$?
case $status in
  0 | 1 | 3) exit 0 ;;
  *) exit "$status" ;;
esac
