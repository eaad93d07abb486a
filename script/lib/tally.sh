# shellcheck shell=bash
# Counts outcomes in a file: a line each, `passed|failed|skipped <TAB> what <TAB> why it was skipped`.

# tally_add <file> <outcome> <what> [why]
tally_add() { printf '%s\t%s\t%s\n' "$2" "$3" "${4:-}" >>"$1"; }

# tally_count <file> <outcome>
tally_count() { awk -F '\t' -v outcome="$2" '$1 == outcome { n++ } END { print n + 0 }' "$1"; }

# Prints a line of the tally for each test in the JUnit file that ctest wrote. ctest calls a test skipped there as
# well when its program was missing or a fixture failed: here only what the test itself skipped, or its author
# disabled, is skipped, and all the rest that did not run has failed.
junit_outcomes() {
  awk -v OFS='\t' '
    function attribute(name,  text) {
      if (!match($0, " " name "=\"[^\"]*\"")) return ""
      text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
      gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&amp;/, "\\&", text)
      return text
    }
    /<testcase / { test = attribute("name"); status = attribute("status"); skipped = ""; why = "" }
    /<skipped /  { skipped = attribute("message") }
    after_skip   { why = $0; after_skip = 0 }
    /: Skipped$/ { after_skip = 1 }
    /<\/testcase>/ {
      if (status == "run") outcome = "passed"
      else if (status == "disabled") { outcome = "skipped"; why = "disabled" }
      else if (skipped ~ /^SKIP_/) outcome = "skipped"
      else outcome = "failed"
      print outcome, test, outcome == "skipped" ? (why == "" ? "no reason given" : why) : ""
    }' "$1"
}

# tally_ctest <tally> <label> <JUnit file> <exit status of ctest> <least number of tests>
tally_ctest() {
  local tally=$1 label=$2 junit=$3 status=$4 tests_min=$5
  local outcomes='' tests=0 failed=0 outcome test why
  if [[ -f $junit ]]; then outcomes=$(junit_outcomes "$junit"); fi
  while IFS=$'\t' read -r outcome test why; do
    if [[ -z $outcome ]]; then continue; fi
    tests=$((tests + 1))
    if [[ $outcome == failed ]]; then failed=$((failed + 1)); fi
    tally_add "$tally" "$outcome" "$label: $test" "$why"
  done <<<"$outcomes"
  if ((tests < tests_min)); then
    tally_add "$tally" failed "$label: ctest found $tests tests, and there are $tests_min files of them"
  elif ((status != 0 && failed == 0)); then
    tally_add "$tally" failed "$label: ctest ended with $status"
  fi
}

# tally_report <tally>: what failed, why others were skipped, and the counts as the last line. Fails if a test did,
# and if nothing passed.
tally_report() {
  local tally=$1
  local passed failed skipped
  passed=$(tally_count "$tally" passed)
  failed=$(tally_count "$tally" failed)
  skipped=$(tally_count "$tally" skipped)
  if ((passed + failed == 0)); then
    tally_add "$tally" failed "nothing was tested"
    failed=1
  fi
  awk -F '\t' '$1 == "failed" { print "failed: " $2 }
               $1 == "skipped" { n[$3]++ }
               END { for (why in n) print "skipped " n[why] ": " why }' "$tally"
  local line="$passed passed, $failed failed"
  if ((skipped)); then line+=", $skipped skipped"; fi
  printf '%s\n' "$line"
  ((failed == 0))
}
