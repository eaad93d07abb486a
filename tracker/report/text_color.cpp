#include "tracker/report/text_color.hpp"

namespace tracker {
namespace {

struct VerdictColor {
  Verdict verdict;
  const char* code;
};
constexpr VerdictColor kColors[] = {{Verdict::kRegressed, "\x1b[1;31m"}, {Verdict::kBelowFloor, "\x1b[1;31m"},
                                    {Verdict::kFailed, "\x1b[1;31m"},    {Verdict::kMissing, "\x1b[1;31m"},
                                    {Verdict::kSameCode, "\x1b[1;33m"},  {Verdict::kInconclusive, "\x1b[33m"},
                                    {Verdict::kImproved, "\x1b[1;32m"},  {Verdict::kNew, "\x1b[36m"}};

}  // namespace

std::string colored(const std::string& text, Verdict verdict, bool color) {
  if (!color) return text;
  for (const auto& row : kColors)
    if (row.verdict == verdict) return row.code + text + kReset;
  return text;
}

}  // namespace tracker
