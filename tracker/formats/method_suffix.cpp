#include "tracker/formats/method_suffix.hpp"

#include <algorithm>
#include <array>

namespace tracker {
namespace {

// In benchmark/src/benchmark_name.cc's vocabulary; a colon asks for a value.
constexpr std::array<std::string_view, 8> kSuffixes{"iterations:",      "repeats:",         "min_time:",
                                                    "min_warmup_time:", "manual_time",      "real_time",
                                                    "process_time",     "min_rel_accuracy:"};

// How far a name was taken apart, from its end.
struct NameEnd {
  std::size_t stem = std::string_view::npos;  // where what was taken off begins; npos: nothing yet
  std::string_view threads;                   // "/threads:4", which Google Benchmark writes last
};

// The next suffix before what was taken off already; empty where there is none.
std::string_view take_suffix(std::string_view run_name, NameEnd& end) {
  end.stem = std::min(end.stem, run_name.size());
  while (true) {
    const std::string_view left = run_name.substr(0, end.stem);
    const std::size_t slash = left.rfind('/');
    if (slash == left.npos || slash == 0) return {};
    const std::string_view segment = left.substr(slash + 1);
    if (segment.starts_with("threads:") && end.threads.empty()) {
      end.threads = left.substr(slash);
      end.stem = slash;
      continue;
    }
    const bool is_known = std::any_of(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view suffix) {
      return suffix.back() == ':' ? segment.starts_with(suffix) : segment == suffix;
    });
    if (!is_known) return {};
    end.stem = slash;
    return segment;
  }
}

}  // namespace

std::span<const std::string_view> method_suffixes() {
  return kSuffixes;
}

SplitName split_method_suffixes(std::string_view run_name) {
  NameEnd end;
  SplitName split;
  for (auto suffix = take_suffix(run_name, end); !suffix.empty(); suffix = take_suffix(run_name, end)) {
    const std::size_t colon = suffix.find(':');
    split.attributes[std::string(suffix.substr(0, colon))] =
        colon == suffix.npos ? "" : suffix.substr(colon + 1);
  }
  split.name = std::string(run_name.substr(0, end.stem)) + std::string(end.threads);
  return split;
}

std::string_view without_method_suffixes(std::string_view run_name, std::string& joined) {
  NameEnd end;
  while (!take_suffix(run_name, end).empty()) continue;
  if (end.stem + end.threads.size() == run_name.size()) return run_name;
  if (end.threads.empty()) return run_name.substr(0, end.stem);
  joined = std::string(run_name.substr(0, end.stem)) + std::string(end.threads);
  return joined;
}

}  // namespace tracker
