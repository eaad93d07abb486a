#include "tracker/model/benchmark_name.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// In benchmark/src/benchmark_name.cc's vocabulary; a colon asks for a value.
constexpr std::string_view kSuffixes[] = {"iterations:", "repeats:",  "min_time:",    "min_warmup_time:",
                                          "manual_time", "real_time", "process_time", "min_rel_accuracy:"};

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
    const bool is_known = std::ranges::any_of(kSuffixes, [&](std::string_view suffix) {
      return suffix.back() == ':' ? segment.starts_with(suffix) : segment == suffix;
    });
    if (!is_known) return {};
    end.stem = slash;
    return segment;
  }
}

// All suffixes taken off.
NameEnd end_of(std::string_view run_name) {
  NameEnd end;
  while (!take_suffix(run_name, end).empty()) continue;
  return end;
}

// In the order of benchmark_name.cc; threads are always last.
constexpr const char* kPrintedOrder[] = {"min_time",         "min_warmup_time", "iterations",  "repeats",
                                         "min_rel_accuracy", "process_time",    "manual_time", "real_time"};

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
  const NameEnd end = end_of(run_name);
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
    const auto row = std::ranges::find(kRows, std::string_view(argument).substr(0, equals), &Row::name);
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
  const NameEnd end = end_of(benchmark.name);
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
  return std::ranges::all_of(wanted, [&](const auto& suffix) {
    const auto found = own.find(suffix.first);
    return found != own.end() && glob_match(suffix.second, found->second);
  });
}

bool means_benchmark(std::string_view glob, const Benchmark& benchmark) {
  if (benchmark.attributes.empty()) return means_benchmark(glob, benchmark.name, benchmark.name);
  return means_benchmark(glob, benchmark.name, printed_name(benchmark));
}

bool means_any(const std::vector<std::string>& globs, std::string_view name, std::string_view printed) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
           return means_benchmark(glob, name, printed);
         });
}

bool means_any(const std::vector<std::string>& globs, const Benchmark& benchmark) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
           return means_benchmark(glob, benchmark);
         });
}

BenchmarkFilter::BenchmarkFilter(const std::string& filter) : inverted_(filter.starts_with('-')) {
  const char* const next = "--filter takes an expression as --benchmark_filter does: 'gemm/.*/4096'";
  if (filter.size() > kFilterBytesMax || !is_bounded_expression(filter))
    throw Error(ExitCode::kUsage,
                "the filter of " + std::to_string(filter.size()) +
                    " bytes is too long, or has parentheses in one another without end",
                next);
  auto compiled = std::make_unique<regex_t>();
  if (::regcomp(compiled.get(), filter.c_str() + (inverted_ ? 1 : 0), REG_EXTENDED | REG_NOSUB) != 0)
    throw Error(ExitCode::kUsage, "the filter " + in_quotes(filter) + " is no regular expression", next);
  expression_ = std::shared_ptr<const regex_t>(compiled.release(), [](const regex_t* one) {
    ::regfree(const_cast<regex_t*>(one));
    delete one;
  });
}

bool BenchmarkFilter::passes_any(std::initializer_list<std::string> names) const {
  const bool found = std::ranges::any_of(names, [&](const std::string& name) {
    return !name.empty() && ::regexec(expression_.get(), name.c_str(), 0, nullptr, 0) == 0;
  });
  return found != inverted_;
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

std::optional<BenchmarkPlace> place_of(const std::string& name) {
  const auto segments = split(name, '/');
  if (segments.size() < 3) return {};
  const bool typed = segments.size() > 3 && std::isalpha(static_cast<unsigned char>(segments[2][0])) != 0;
  return BenchmarkPlace{typed ? segments[0] + " " + segments[2] : segments[0], segments[1],
                        join({segments.begin() + (typed ? 3 : 2), segments.end()}, "/")};
}

std::string family_of(const std::string& name) {
  if (const auto place = place_of(name)) return place->family;
  return name.substr(0, name.find('/'));
}

namespace {

constexpr std::size_t kLengthMax = 400;  // bounds how deep parentheses nest

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The value of {segment.place}, both from 1.
using Lookup = std::function<std::optional<double>(std::size_t segment, std::size_t place)>;

// By recursive descent. Once something is amiss every further step answers nothing.
class Evaluation {
 public:
  Evaluation(std::string_view formula, Lookup lookup)
      : at_(formula.data()), end_(at_ + formula.size()), lookup_(std::move(lookup)) {}

  std::optional<double> run() {
    const auto value = sum();
    return at_end() ? value : std::nullopt;
  }

 private:
  bool at_end() {
    while (at_ != end_ && *at_ == ' ') ++at_;
    return at_ == end_;
  }
  bool take(char wanted) {
    if (at_end() || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  std::optional<double> sum() {
    auto value = product();
    while (value && take('+')) {
      const auto next = product();
      value = next ? std::optional(*value + *next) : std::nullopt;
    }
    return value;
  }
  std::optional<double> product() {
    auto value = factor();
    while (value) {
      const bool divide = take('/');
      if (!divide && !take('*')) break;
      const auto next = factor();
      if (!next) return {};
      value = divide ? *value / *next : *value * *next;
    }
    return value;
  }
  std::optional<double> factor() {
    if (take('(')) {
      const auto value = sum();
      return take(')') ? value : std::nullopt;
    }
    if (take('{')) {
      const auto segment = place();
      const auto number = segment && take('.') ? place()
                          : segment            ? std::optional<std::size_t>(1)
                                               : std::nullopt;
      return number && take('}') ? lookup_(*segment, *number) : std::nullopt;
    }
    return at_end() || !is_digit(*at_) ? std::nullopt : read<double>();
  }
  std::optional<std::size_t> place() {
    const auto number = at_end() || !is_digit(*at_) ? std::nullopt : read<std::size_t>();
    return number && *number > 0 ? number : std::nullopt;
  }
  template <typename T>
  std::optional<T> read() {
    T value{};
    const auto [next, failure] = std::from_chars(at_, end_, value);
    if (failure != std::errc{}) return {};
    at_ = next;
    return value;
  }

  const char* at_;
  const char* end_;
  Lookup lookup_;
};

// The n-th run of digits.
std::optional<double> number_in(const std::string& segment, std::size_t n) {
  for (auto at = segment.begin();;) {
    at = std::find_if(at, segment.end(), is_digit);
    if (at == segment.end()) return {};
    const auto end = std::find_if_not(at, segment.end(), is_digit);
    if (--n == 0) {
      double value = 0;
      std::from_chars(&*at, &*at + (end - at), value);
      return value;
    }
    at = end;
  }
}

}  // namespace

bool is_work_formula(std::string_view formula) {
  return formula.size() <= kLengthMax &&
         Evaluation(formula, [](auto, auto) { return 1.0; }).run().has_value();
}

std::optional<double> work_of(std::string_view formula, const std::string& name) {
  if (formula.size() > kLengthMax) return {};
  const auto segments = split(name, '/');
  const auto work =
      Evaluation(formula, [&](std::size_t segment, std::size_t place) {
        return segment <= segments.size() ? number_in(segments[segment - 1], place) : std::nullopt;
      }).run();
  return work && *work > 0 && std::isfinite(*work) ? work : std::nullopt;
}

}  // namespace tracker
