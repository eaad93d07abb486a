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

# The same of the XML that a program of Google Tests wrote.
googletest_outcomes() {
  awk -v OFS='\t' '
    function attribute(name,  text) {
      if (!match($0, " " name "=\"[^\"]*\"")) return ""
      text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
      sub(/^[^&]*&#x0A;/, "", text); gsub(/&#x0A;/, " ", text)
      gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&amp;/, "\\&", text)
      return text
    }
    function tell() { if (test != "") print outcome, test, outcome == "skipped" ? (why == "" ? "no reason given" : why) : "" }
    in_text { if (/\]\]>/) in_text = 0; next }  # what a failed test printed
    /<testcase / {
      tell()
      test = attribute("classname") "." attribute("name"); result = attribute("result")
      outcome = result == "completed" ? "passed" : "skipped"
      why = result == "suppressed" ? "disabled" : ""
    }
    /<skipped /  { why = attribute("message") }
    /<failure /  { outcome = "failed" }
    /<!\[CDATA\[/ && !/\]\]>/ { in_text = 1 }
    END { tell() }' "$1"
}

# tally_ctest <tally> <label> <JUnit file> <exit status of ctest> <least number of tests>
# Where a test of ctest is a whole suite (TRACKER_TESTS_BY_SUITE), each test of it counts, by the XML in googletest/ beside
# the JUnit file; a suite that did not come to its end has failed.
tally_ctest() {
  local tally=$1 label=$2 junit=$3 status=$4 tests_min=$5
  local outcomes='' tests=0 failed=0 outcome test why suite of_suite
  if [[ -f $junit ]]; then outcomes=$(junit_outcomes "$junit"); fi
  while IFS=$'\t' read -r outcome test why; do
    if [[ -z $outcome ]]; then continue; fi
    suite=$(dirname "$junit")/googletest/${test//\//_}.xml
    if [[ -f $suite ]]; then
      of_suite=$(googletest_outcomes "$suite")
      if [[ $outcome == failed && $of_suite != *failed$'\t'* ]]; then of_suite+=$'\n'"failed"$'\t'"$test"; fi
    else
      of_suite=$outcome$'\t'$test$'\t'$why
    fi
    while IFS=$'\t' read -r outcome test why; do
      tests=$((tests + 1))
      if [[ $outcome == failed ]]; then failed=$((failed + 1)); fi
      tally_add "$tally" "$outcome" "$label: $test" "$why"
    done <<<"$of_suite"
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
