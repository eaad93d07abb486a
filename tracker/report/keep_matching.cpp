#include "tracker/report/keep_matching.hpp"

#include <algorithm>

#include <regex.h>

#include "tracker/base/error.hpp"
#include "tracker/base/near_names.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker {
namespace {

class Expression {
 public:
  explicit Expression(const std::string& text) {
    if (!is_bounded_expression(text))
      throw Error(ExitCode::kUsage, "--filter has parentheses in one another, or a name, without end",
                  "it is one as --benchmark_filter takes it: 'gemm/.*/4096'");
    if (::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      throw Error(ExitCode::kUsage, "--filter '" + printable(text) + "' is no regular expression",
                  "it is one as --benchmark_filter takes it: 'gemm/.*/4096'");
  }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression() { ::regfree(&compiled_); }

  bool matches(const std::string& name) const {
    return !name.empty() && ::regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_{};
};

// Leaves those that hold, with a note; answers how many.
template <typename Holds>
std::size_t keep(std::vector<ComparisonReport>& reports, const std::string& what, Holds holds) {
  std::size_t kept = 0;
  for (auto& report : reports) {
    const std::size_t all = report.comparisons.size();
    std::erase_if(report.comparisons, [&](const Comparison& comparison) { return !holds(comparison); });
    kept += report.comparisons.size();
    report.notes.push_back("only the " + std::to_string(report.comparisons.size()) + " of " +
                           count_of(all, "benchmark") + " that " + what +
                           " are shown and count; they were judged with all others");
  }
  return kept;
}

std::string quoted(const std::vector<std::string>& globs) {
  std::vector<std::string> words;
  for (const auto& glob : globs) words.push_back("'" + printable(glob) + "'");
  return join(words, " or ");
}

}  // namespace

void keep_matching(std::vector<ComparisonReport>& reports, const std::string& filter) {
  const bool others = filter.starts_with('-');
  const Expression expression(others ? filter.substr(1) : filter);
  const std::size_t kept =
      keep(reports, "--filter '" + printable(filter) + "' matches", [&](const Comparison& one) {
        const bool matches = expression.matches(one.benchmark) || expression.matches(one.printed_name);
        return matches != others;
      });
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches --filter '" + printable(filter) + "'",
                "tracker list shows what is recorded");
}

void keep_matching(std::vector<ComparisonReport>& reports, const std::vector<std::string>& globs) {
  std::vector<std::string> names;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) names.push_back(comparison.benchmark);
  const std::size_t kept = keep(reports, "match " + quoted(globs), [&](const Comparison& one) {
    return means_any(globs, one.benchmark, one.printed_name);
  });
  const std::string hint = kept == 0 ? near_names_hint(globs, names) : "";
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches " + quoted(globs),
                hint.empty() ? "tracker list shows what is recorded" : hint);
}

}  // namespace tracker
