#include <algorithm>

#include "tracker/app/compare.hpp"
#include "tracker/app/compare_sides.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/repo/worktree.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

// A commit by its id, as "HEAD" is another one tomorrow.
std::string side_word(const CompareSide& side, const Side& judged) {
  if (side.kind == SideKind::kWorkingTree) return "--worktree";
  const bool is_commit = side.kind == SideKind::kRevision && !judged.commit.empty();
  return is_commit ? lasting_id(judged.commit) : side.text;
}

// The options that have a job measure the same again as the one that a report rests on.
std::vector<std::string> measuring_words(const Workspace& workspace, const CompareRequest& request,
                                         const CompareSides& sides, const ComparisonReport& report) {
  std::vector<std::string> words;
  if (!request.worktree) words.emplace_back("--measure");
  const auto add = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  if (request.measuring.repetitions > 0) add("--repetitions", std::to_string(request.measuring.repetitions));
  const auto candidate = sides.candidate.runs_on(workspace, report.device);
  if (!candidate) return words;
  const auto& ids = report.candidate.runs;
  const auto run = std::find_if(candidate->runs.begin(), candidate->runs.end(), [&](const Run& one) {
    return std::find(ids.begin(), ids.end(), one.id) != ids.end();
  });
  if (run == candidate->runs.end()) return words;
  const int invocations = invocation_count(*run);
  if (invocations != workspace.config().measure.invocations) add("-n", std::to_string(invocations));
  if (!run->selection.expression.empty()) add("--filter", run->selection.expression);
  if (run->isolated) words.emplace_back("--isolate");
  return words;
}

std::string command_line(std::vector<std::string> words, const CompareRequest& request, bool strict) {
  const std::pair<const char*, const std::string*> others[] = {{"--threshold", &request.threshold},
                                                               {"--device", &request.device},
                                                               {"--gpu", &request.gpu},
                                                               {"--cpu", &request.cpu}};
  for (const auto& [name, value] : others)
    if (!value->empty()) words.insert(words.end(), {name, *value});
  if (strict) words.emplace_back("--strict");
  words.insert(words.begin(), {"tracker", "compare"});
  for (auto& word : words) word = shell_word(word);
  return join(words, " ");
}

std::vector<std::string> as_typed(const CompareRequest& request) {
  return {request.base, request.worktree ? "--worktree" : request.candidate};
}

}  // namespace

std::string reproducing(const Workspace& workspace, const CompareRequest& request, bool strict,
                        const CompareSides& sides, const std::vector<ComparisonReport>& reports) {
  if (reports.empty()) return command_line(as_typed(request), request, strict);
  std::vector<std::string> words{side_word(sides.base, reports.front().base),
                                 side_word(sides.candidate, reports.front().candidate)};
  const auto in_turn =
      std::find_if(reports.begin(), reports.end(), [](const auto& report) { return report.interleaved; });
  const auto confirmed = [](const auto& report) { return report.effort.has_value(); };
  const auto can_be_built = [](const CompareSide& side) {
    return side.kind == SideKind::kRevision || side.kind == SideKind::kWorkingTree;
  };
  const bool are_commits = can_be_built(sides.base) && can_be_built(sides.candidate);
  if (are_commits && (request.measure || in_turn != reports.end())) {
    const auto& report = in_turn != reports.end() ? *in_turn : reports.front();
    const auto how = measuring_words(workspace, request, sides, report);
    words.insert(words.end(), how.begin(), how.end());
  } else {
    words.insert(words.end(), request.globs.begin(), request.globs.end());
    if (!request.measuring.filter.empty()) words.insert(words.end(), {"--filter", request.measuring.filter});
    if (are_commits && std::any_of(reports.begin(), reports.end(), confirmed))
      words.emplace_back("--confirm");
  }
  return command_line(words, request, strict);
}

std::string explaining(const CompareSides& sides, const std::vector<ComparisonReport>& reports) {
  const Comparison* worst = nullptr;
  const ComparisonReport* of_worst = nullptr;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      const bool can_be_explained = fails_gate(comparison) && comparison.change;
      if (!can_be_explained || (worst != nullptr && !matters_more(comparison, *worst))) continue;
      worst = &comparison;
      of_worst = &report;
    }
  if (worst == nullptr || sides.candidate.kind == SideKind::kWorkingTree) return "";
  std::vector<std::string> words{"tracker", "explain", worst->benchmark,
                                 side_word(sides.base, of_worst->base),
                                 side_word(sides.candidate, of_worst->candidate)};
  for (auto& word : words) word = shell_word(word);
  return join(words, " ");
}

std::string reproducing_as_typed(const CompareRequest& request, bool strict) {
  return command_line(as_typed(request), request, strict);
}

}  // namespace tracker
