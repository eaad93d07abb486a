#include "tracker/model/method_suffix.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "tracker/base/text.hpp"

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

// In the order of benchmark_name.cc; threads are always last.
constexpr std::array<const char*, 8> kPrintedOrder{"min_time",    "min_warmup_time",  "iterations",
                                                   "repeats",     "min_rel_accuracy", "process_time",
                                                   "manual_time", "real_time"};

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

std::map<std::string, std::string> method_arguments(const std::vector<std::string>& arguments) {
  struct Row {
    std::string_view name;
    bool has_value;
    std::string_view usual;  // the value that it has where nobody gives it
  };
  static constexpr Row kRows[] = {{"--benchmark_min_warmup_time", true, "0"},  // Google Benchmark
                                  {"--benchmark_dry_run", true, "false"},
                                  {"--cold-warmup-runs", true, "1"},  // nvbench
                                  {"--cold-max-warmup-walltime", true, "-1"},
                                  {"--run-once", false, ""},
                                  {"--profile", false, ""}};
  std::map<std::string, std::string> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) {
      return std::string_view(argument).substr(0, equals) == one.name;
    });
    if (row == std::end(kRows)) continue;
    std::string value;
    if (equals < argument.size())
      value = argument.substr(equals + 1);
    else if (row->has_value && argument.starts_with("--benchmark_"))
      value = "true";
    else if (row->has_value && i + 1 < arguments.size())
      value = arguments[++i];
    if (value.ends_with('s') && !value.ends_with("ms")) value.pop_back();  // "0.2s", since 1.8
    if (row->has_value && value == row->usual)
      found.erase(std::string(row->name));
    else
      found[std::string(row->name)] = value;
  }
  return found;
}

int thread_count(std::string_view name) {
  constexpr std::string_view kThreads = "/threads:";
  const std::size_t at = name.rfind(kThreads);
  int count = 1;
  if (at != name.npos) std::from_chars(name.data() + at + kThreads.size(), name.data() + name.size(), count);
  return std::max(count, 1);
}

std::string printed_name(const Benchmark& benchmark) {
  NameEnd end;
  while (!take_suffix(benchmark.name, end).empty()) continue;
  std::string name = benchmark.name.substr(0, end.stem);
  for (const char* suffix : kPrintedOrder)
    if (const auto found = benchmark.attributes.find(suffix); found != benchmark.attributes.end())
      name += "/" + found->first + (found->second.empty() ? "" : ":" + found->second);
  return name + std::string(end.threads);
}

bool means_benchmark(std::string_view glob, std::string_view name, std::string_view printed) {
  if (glob_match(glob, name) || (!printed.empty() && glob_match(glob, printed))) return true;
  std::string joined;
  const std::string_view bare = without_method_suffixes(glob, joined);
  if (bare == glob || !glob_match(bare, name)) return false;
  if (printed.empty()) return true;
  const auto own = split_method_suffixes(printed).attributes;
  const auto wanted = split_method_suffixes(glob).attributes;
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& suffix) {
    const auto found = own.find(suffix.first);
    return found != own.end() && glob_match(suffix.second, found->second);
  });
}

bool means_benchmark(std::string_view glob, const Benchmark& benchmark) {
  if (benchmark.attributes.empty()) return means_benchmark(glob, benchmark.name, benchmark.name);
  return means_benchmark(glob, benchmark.name, printed_name(benchmark));
}

bool means_any(const std::vector<std::string>& globs, std::string_view name, std::string_view printed) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
           return means_benchmark(glob, name, printed);
         });
}

bool means_any(const std::vector<std::string>& globs, const Benchmark& benchmark) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
           return means_benchmark(glob, benchmark);
         });
}

void SharedNames::add(const Benchmark& benchmark) {
  std::string joined;
  if (!benchmark.attributes.empty() && without_method_suffixes(benchmark.name, joined) != benchmark.name)
    with_suffixes_.insert(benchmark.name);
}

std::string SharedNames::name_of(const Benchmark& benchmark) const {
  if (empty() || benchmark.attributes.empty()) return benchmark.name;
  std::string printed = printed_name(benchmark);
  return with_suffixes_.count(printed) > 0 ? printed : benchmark.name;
}

}  // namespace tracker
