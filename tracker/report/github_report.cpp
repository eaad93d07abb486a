#include "tracker/report/github_report.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

// A comparison that fails the build, and the device it was made on.
struct Failing {
  const ComparisonReport* report;
  const Comparison* comparison;
};

std::vector<Failing> failing_in(const std::vector<ComparisonReport>& reports) {
  std::vector<Failing> failing;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (fails_gate(comparison)) failing.push_back({&report, &comparison});
  std::stable_sort(failing.begin(), failing.end(), [](const Failing& a, const Failing& b) {
    return matters_more(*a.comparison, *b.comparison);
  });
  return failing;
}

std::string command(const std::string& name, const std::string& properties, const std::string& message) {
  return "::" + name + " " + properties + "::" + workflow_data(message) + "\n";
}

std::string error_for(const Failing& failing) {
  const Comparison& comparison = *failing.comparison;
  const Cells cells = cells_of(comparison);
  std::string title = cells.benchmark + ": " + cells.verdict;
  if (!cells.change.empty()) title += " " + cells.change;
  std::vector<std::string> lines{cells.reason};
  if (!cells.change.empty())
    lines.push_back(cells.base + " → " + cells.candidate + ", " + cells.change +
                    (cells.interval.empty() ? "" : " " + cells.interval));
  if (!cells.cause.empty()) lines.push_back("likely cause: " + cells.cause);
  lines.push_back("on " + device_in_words(*failing.report));
  std::string properties = "title=" + workflow_property(title);
  if (!comparison.source.empty())
    properties = "file=" + workflow_property(comparison.source) + "," + properties;
  return command("error", properties, join(lines, "\n"));
}

std::string more_in_words(const std::vector<Failing>& failing) {
  constexpr std::size_t kNamesMax = 20;
  std::vector<std::string> names;
  const std::size_t more = failing.size() - kAnnotationsMax;
  for (std::size_t i = kAnnotationsMax; i < failing.size() && names.size() < kNamesMax; ++i)
    names.push_back(failing[i].comparison->benchmark);
  if (names.size() < more) names.push_back("…");
  return count_of(more, "more benchmark") + (more == 1 ? " fails: " : " fail: ") + join(names, ", ");
}

std::string verdict_of(Answer answer) {
  if (answer == Answer::kFailed) return "failed";
  if (answer == Answer::kUndecided) return "undecided";
  return answer == Answer::kPassed ? "passed" : "cannot-judge";
}

}  // namespace

std::string write_annotations(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  const auto failing = failing_in(reports);
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(failing.size(), kAnnotationsMax); ++i)
    out += error_for(failing[i]);
  if (failing.size() > kAnnotationsMax) out += command("warning", "title=tracker", more_in_words(failing));
  const std::string could_not = "title=tracker could not judge";
  int notices = 0;
  for (const auto& one : options.unjudged)
    if (++notices <= kAnnotationsMax)
      out += command("notice", could_not, one.reason + (one.hint.empty() ? "" : "\nnext step: " + one.hint));
  if (notices == 0 && answer_of(reports, options) == Answer::kCannotJudge)
    out += command("notice", could_not, answer_in_words(reports, options));
  if (notices == 0 && answer_of(reports, options) == Answer::kUndecided)
    out += command("notice", "title=tracker: undecided", answer_in_words(reports, options));
  return out;
}

std::string workflow_outputs(const std::vector<ComparisonReport>& reports, const ReportOptions& options,
                             ExitCode exit_code, const std::map<std::string, std::string>& files,
                             const std::string& delimiter) {
  std::string out;
  const auto add = [&](const std::string& name, const std::string& value) {
    out += workflow_output(name, value, delimiter);
  };
  add("verdict", verdict_of(answer_of(reports, options)));
  add("exit-code", std::to_string(static_cast<int>(exit_code)));
  add("headline", headline_in_words(reports, options));
  std::vector<std::string> names;
  for (const auto& one : failing_in(reports)) names.push_back(printable(one.comparison->benchmark));
  constexpr std::size_t kNamesMax = 1000;  // GitHub takes a megabyte of outputs
  if (names.size() > kNamesMax) names.resize(kNamesMax);
  add("failing", join(names, "\n"));
  for (const Verdict verdict : all_verdicts()) {
    int count = 0;
    for (const auto& report : reports)
      for (const auto& comparison : report.comparisons) count += comparison.verdict == verdict ? 1 : 0;
    std::string name = verdict_name(verdict);
    std::replace(name.begin(), name.end(), ' ', '-');
    add(name, std::to_string(count));
  }
  for (const auto& [name, path] : files) add(name, path);
  return out;
}

}  // namespace tracker
