#include "tracker/report/keep_matching.hpp"

#include <algorithm>

#include <regex.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

class Expression {
 public:
  explicit Expression(const std::string& text) {
    if (::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      throw Error(ExitCode::kUsage, "--filter '" + printable(text) + "' is no regular expression",
                  "it is one as --benchmark_filter takes it: 'gemm/.*/4096'");
  }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression() { ::regfree(&compiled_); }

  bool matches(const std::string& name) const {
    return ::regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_{};
};

}  // namespace

void keep_matching(std::vector<ComparisonReport>& reports, const std::string& filter) {
  const bool others = filter.starts_with('-');
  const Expression expression(others ? filter.substr(1) : filter);
  std::size_t kept = 0;
  for (auto& report : reports) {
    const std::size_t all = report.comparisons.size();
    std::erase_if(report.comparisons, [&](const Comparison& comparison) {
      return expression.matches(comparison.benchmark) == others;
    });
    kept += report.comparisons.size();
    report.notes.push_back("only the " + std::to_string(report.comparisons.size()) + " of " +
                           count_of(all, "benchmark") + " that --filter '" + printable(filter) +
                           "' matches are shown and count; they were judged with all others");
  }
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches --filter '" + printable(filter) + "'",
                "tracker log '*' lists what is recorded");
}

}  // namespace tracker
