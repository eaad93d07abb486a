#include "tracker/formats/method_suffix.hpp"

#include <algorithm>
#include <array>

namespace tracker {
namespace {

// In benchmark/src/benchmark_name.cc's vocabulary; a colon asks for a value.
constexpr std::array<std::string_view, 8> kSuffixes{"iterations:",      "repeats:",         "min_time:",
                                                    "min_warmup_time:", "manual_time",      "real_time",
                                                    "process_time",     "min_rel_accuracy:"};

}  // namespace

std::span<const std::string_view> method_suffixes() {
  return kSuffixes;
}

SplitName split_method_suffixes(const std::string& run_name) {
  SplitName split{run_name, {}};
  // Google Benchmark writes threads:N last: it is stepped over, and put back.
  std::string kept;
  while (true) {
    const std::size_t slash = split.name.rfind('/');
    if (slash == std::string::npos || slash == 0) break;
    const std::string segment = split.name.substr(slash + 1);
    if (segment.starts_with("threads:") && kept.empty()) {
      kept = "/" + segment;
      split.name.erase(slash);
      continue;
    }
    const auto known = std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view suffix) {
      return suffix.back() == ':' ? segment.starts_with(suffix) : segment == suffix;
    });
    if (known == kSuffixes.end()) break;
    const bool has_value = known->back() == ':';
    const std::string key(has_value ? known->substr(0, known->size() - 1) : *known);
    split.attributes[key] = has_value ? segment.substr(known->size()) : "";
    split.name.erase(slash);
  }
  split.name += kept;
  return split;
}

}  // namespace tracker
