#include "tracker/report/backfill_report.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

constexpr std::size_t kPlannedShown = 8;

std::string counted_runs(const BackfillWords& words) {
  return words.device.empty() ? "by this machine" : "on devices like '" + printable(words.device) + "'";
}

// The line of a compiler's or a build system's that says what is wrong, as far as it can be told.
std::string last_error(const std::vector<std::string>& lines) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (line->find("error") != std::string::npos || line->find("Error") != std::string::npos) return *line;
  return lines.back();
}

std::string failure_in_words(const std::string& why) {
  std::vector<std::string> lines = split(why, '\n');
  std::erase(lines, "");
  return lines.size() > 1 ? "does not build: " + printable(last_error(lines)) : why;
}

std::string measured_in_words(const BackfillMeasured& one, double length_s) {
  std::string text = count_of(one.benchmarks, "benchmark") + ", " + format_duration(length_s);
  if (one.missing.empty()) return text;
  return text + "; " + count_of(one.missing.size(), "benchmark") + " of " + short_id(one.compared_with) +
         " not there: '" + printable(one.missing.front()) + "'" + (one.missing.size() > 1 ? ", …" : "");
}

std::pair<std::string, std::string> row(const std::string& what, const Commit& commit,
                                        const std::string& more) {
  return {what, describe(commit) + (more.empty() ? "" : ": " + more)};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> backfill_plan_in_words(const BackfillPlan& plan,
                                                                        const BackfillWords& words) {
  std::vector<std::pair<std::string, std::string>> facts{
      {"range", count_of(plan.commits, "commit") + " after " + short_id(plan.before.id) + " up to " +
                    describe(plan.last) + ", on the first-parent line"},
      {"recorded", std::to_string(plan.recorded) + " of them, " + counted_runs(words)}};
  if (plan.narrow) {
    facts.emplace_back("planned", "what narrows the changes best, one after the other");
    if (!plan.order.empty()) facts.emplace_back("next", describe(plan.order.front()));
    return facts;
  }
  facts.emplace_back("planned", count_of(plan.order.size(), "commit"));
  for (std::size_t i = 0; i < std::min(plan.order.size(), kPlannedShown); ++i)
    facts.emplace_back(i == 0 ? "order" : "", describe(plan.order[i]));
  if (plan.order.size() > kPlannedShown)
    facts.emplace_back("", "… and " + std::to_string(plan.order.size() - kPlannedShown) + " more");
  facts.emplace_back("time", plan.measuring_s ? "about " + format_duration(*plan.measuring_s) +
                                                    " of measuring, by stored runs, and the builds"
                                              : "not known: no run of these commits is stored");
  return facts;
}

std::vector<std::pair<std::string, std::string>> backfill_step_in_words(const BackfillStep& step) {
  switch (step.what) {
    case BackfillStep::What::kFailed:
      return {row("failed", step.commit, failure_in_words(step.why))};
    case BackfillStep::What::kSameProgram:
      return {row("same", step.commit, "the same program as " + short_id(step.same_as))};
    case BackfillStep::What::kMeasured:
      break;
  }
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& one : step.measured)
    facts.push_back(row("measured", step.commit, measured_in_words(one, step.length_s)));
  return facts;
}

std::string backfill_result_in_words(const BackfillResult& result, const BackfillWords& words) {
  std::string text = std::to_string(result.measured) + " measured, " + std::to_string(result.same) +
                     " the same program as another, " + std::to_string(result.failed) +
                     " could not be measured";
  if (!result.again)
    text += "; " + std::to_string(result.have_run) + " of " + count_of(result.commits, "commit") +
            " have a run " + counted_runs(words);
  return text;
}

std::vector<std::string> backfill_notes(const BackfillResult& result, const BackfillWords& words) {
  std::vector<std::string> notes;
  if (result.out_of_time)
    notes.push_back("the time budget of " + words.time_budget +
                    " has no room for the next commit; the same command goes on from here");
  else if (result.measured + result.same + result.failed == 0)
    notes.emplace_back(result.narrow
                           ? "there is nothing to narrow: no change was first seen after commits "
                             "without a run"
                           : "there is nothing to measure: every commit has a run (--again: all the same)");
  if (result.measured > 0) notes.emplace_back("next: tracker log NAME, tracker top, tracker site DIR");
  return notes;
}

}  // namespace tracker
