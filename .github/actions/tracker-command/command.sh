#!/usr/bin/env bash
# Does what the comment of the event asks for: tracker reads it from the event's file, and no shell sees it.
set -euo pipefail
step='command'
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=.github/actions/tracker/common.sh
source "$here/../tracker/common.sh"

exec "$tracker" github command --workflow "${TRACKER_WORKFLOW:-perf.yml}" --key "${TRACKER_COMMENT_KEY:-report}" \
  --remote "${TRACKER_REMOTE:-origin}"
