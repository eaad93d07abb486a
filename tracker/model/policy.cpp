#include "tracker/model/policy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker {
namespace {

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

bool is_builtin(const Metric& metric) {
  const auto& known = builtin_metrics();
  return std::any_of(known.begin(), known.end(), [&](const Metric& m) { return m.name == metric.name; });
}

// "{12}" at this place of a pattern.
struct SegmentMark {
  std::size_t place = 0;   // from 1
  std::size_t length = 0;  // 0: there is none
};

SegmentMark mark_at(const std::string& pattern, std::size_t at) {
  if (pattern[at] != '{') return {};
  SegmentMark mark;
  const char* const end = pattern.data() + pattern.size();
  const auto number = std::from_chars(pattern.data() + at + 1, end, mark.place);
  const bool whole = number.ec == std::errc{} && number.ptr != end && *number.ptr == '}' && mark.place >= 1;
  if (!whole) return {};
  mark.length = static_cast<std::size_t>(number.ptr - pattern.data()) + 1 - at;
  return mark;
}

}  // namespace

bool is_same_binary(const Binary& a, const Binary& b) {
  return a.path == b.path && a.arguments == b.arguments;
}

std::string describe(const Binary& binary) {
  return binary.path + (binary.arguments.empty() ? "" : " " + join(binary.arguments, " "));
}

std::string label_of(const Binary& binary) {
  return binary.label.empty() ? file_name(binary.path) : binary.label;
}

void label_binaries(std::vector<Binary>& binaries) {
  for (auto& binary : binaries) {
    const auto others_like_it = [&](auto same) {
      return std::count_if(binaries.begin(), binaries.end(), [&](const Binary& other) {
        return !is_same_binary(other, binary) && same(other);
      });
    };
    binary.label.clear();
    if (others_like_it([&](const Binary& other) { return other.path == binary.path; }) > 0)
      binary.label = describe(binary);
    else if (others_like_it(
                 [&](const Binary& other) { return file_name(other.path) == file_name(binary.path); }) > 0)
      binary.label = binary.path;
    // It is recorded, where names are short and have no control characters.
    constexpr std::size_t kLabelBytesMax = 500;
    if (const std::string label = label_of(binary);
        label.size() > kLabelBytesMax || printable(label) != label)
      binary.label =
          printable(label.substr(0, kLabelBytesMax)) + " #" + std::to_string(&binary - binaries.data() + 1);
  }
}

bool may_be_same_binary(std::string_view label, std::string_view other) {
  if (label == other) return true;
  const auto is_file_name = [](std::string_view text) { return text.find_first_of("/ ") == text.npos; };
  const auto path_of = [](std::string_view text) { return text.substr(0, text.find(' ')); };
  if (is_file_name(label)) return label == file_name(path_of(other));
  return is_file_name(other) && other == file_name(path_of(label));
}

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kCpusMax = 1024;  // that an affinity mask has room for
  const auto number = [](std::string_view digits) {
    int value = -1;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = failure == std::errc{} && end == digits.data() + digits.size();
    return whole && value >= 0 && value < kCpusMax ? value : -1;
  };
  std::set<int> cpus;
  for (const auto& range : split(text, ',')) {
    const std::size_t dash = range.find('-');
    const int first = number(std::string_view(range).substr(0, dash));
    const int last = dash == std::string::npos ? first : number(std::string_view(range).substr(dash + 1));
    if (first < 0 || last < first) return {};
    for (int cpu = first; cpu <= last; ++cpu) cpus.insert(cpu);
  }
  return {cpus.begin(), cpus.end()};
}

std::size_t gpu_count_of(const std::string& choice) {
  std::size_t count = 0;
  const auto [end, failure] = std::from_chars(choice.data(), choice.data() + choice.size(), count);
  return failure == std::errc{} && end == choice.data() + choice.size() ? count : 0;
}

bool is_gpu_choice(const std::string& text) {
  if (text == kAllGpusWord || gpu_count_of(text) > 0) return true;
  const auto parts = split(text, ',');
  return std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.starts_with("GPU-") || part.starts_with("MIG-");
  });
}

bool needs_repetitions(const Policy& policy) {
  return std::any_of(policy.rules.begin(), policy.rules.end(), [](const PolicyRule& rule) {
    return rule.statistic && repetitions_for(*rule.statistic) > 0;
  });
}

Gate gate_for(const Policy& policy, const Benchmark& benchmark) {
  Gate gate;
  std::optional<std::string> metric;
  std::optional<Better> better;
  Statistic statistic = Statistic::kMedian;
  for (const auto& rule : policy.rules) {
    if (!means_benchmark(rule.match, benchmark)) continue;
    if (rule.metric) metric = rule.metric;
    if (rule.better) better = rule.better;
    statistic = rule.statistic.value_or(statistic);
    if (rule.threshold || rule.threshold_amount) gate.threshold_amount = rule.threshold_amount;
    gate.threshold = rule.threshold.value_or(gate.threshold);
    if (rule.require) gate.require = rule.require;
    gate.same_clock = rule.same_clock.value_or(gate.same_clock);
    gate.same_code = rule.same_code.value_or(gate.same_code);
    if (rule.identical_code) gate.identical_code = rule.identical_code;
    gate.report_only = rule.report_only.value_or(gate.report_only);
    gate.may_be_missing = rule.may_be_missing.value_or(gate.may_be_missing);
    gate.may_exceed_peak = rule.may_exceed_peak.value_or(gate.may_exceed_peak);
    if (rule.bound) gate.bound = fill_segments(*rule.bound, benchmark.name);
    if (rule.floor) gate.floor = rule.floor;
    if (rule.source) gate.source = fill_segments(*rule.source, benchmark.name);
  }
  if (gate.floor && gate.floor->of) gate.floor->of = fill_segments(*gate.floor->of, benchmark.name);
  gate.metric = metric ? find_metric(*metric) : default_metric(benchmark);
  if (better && !is_builtin(gate.metric)) gate.metric.better = *better;
  gate.metric.statistic = statistic;
  return gate;
}

double threshold_at(const Gate& gate, const std::string& benchmark, const std::optional<double>& value) {
  if (!gate.threshold_amount) return gate.threshold;
  if (gate.threshold_amount->unit != gate.metric.unit)
    throw Error(ExitCode::kUsage,
                "the threshold '" + printable(gate.threshold_amount->text) + "' of benchmark '" +
                    printable(benchmark) + "' does not fit its metric '" + printable(gate.metric.name) + "'",
                gate.metric.unit.empty() ? "a counter's threshold is a share: \"2%\""
                                         : "write it in " + gate.metric.unit + ", or as a share: \"2%\"");
  return value && *value != 0 ? gate.threshold_amount->limit / std::abs(*value) : gate.threshold;
}

bool is_met(const Requirement& requirement, double value) {
  switch (requirement.relation) {
    case Requirement::Relation::kEqual:
      return value == requirement.value;
    case Requirement::Relation::kLeast:
      return value >= requirement.value;
    case Requirement::Relation::kMost:
      return value <= requirement.value;
  }
  return false;
}

std::optional<Requirement> usual_requirement(const std::string& counter) {
  // Kokkos writes Passed, our own benchmarks result_checked; the others are what people call it.
  constexpr std::array<std::string_view, 10> kRight{"passed",         "verified", "verification", "correct",
                                                    "is_correct",     "valid",    "validated",    "success",
                                                    "result_checked", "result_ok"};
  constexpr std::array<std::string_view, 8> kWrong{"errors",   "error_count", "num_errors", "failed",
                                                   "failures", "mismatches",  "wrong",      "incorrect"};
  std::string lower;
  for (const char c : counter) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(kRight.begin(), kRight.end(), lower) != kRight.end())
    return Requirement{counter, Requirement::Relation::kLeast, 1, counter + " >= 1"};
  if (std::find(kWrong.begin(), kWrong.end(), lower) != kWrong.end())
    return Requirement{counter, Requirement::Relation::kMost, 0, counter + " <= 0"};
  return {};
}

bool skips_identical_code(const Gate& gate) {
  if (gate.identical_code) return *gate.identical_code == IdenticalCode::kSkip;
  return !gate.floor;
}

std::string fill_segments(const std::string& pattern, const std::string& name) {
  const auto segments = split(name, '/');
  std::string filled;
  for (std::size_t at = 0; at < pattern.size();) {
    const SegmentMark mark = mark_at(pattern, at);
    if (mark.length > 0 && mark.place <= segments.size()) {
      filled += segments[mark.place - 1];
      at += mark.length;
    } else {
      filled += pattern[at++];
    }
  }
  return filled;
}

std::set<std::size_t> segments_in(const std::string& pattern) {
  std::set<std::size_t> places;
  for (std::size_t at = 0; at < pattern.size(); ++at)
    if (const SegmentMark mark = mark_at(pattern, at); mark.length > 0) places.insert(mark.place);
  return places;
}

}  // namespace tracker
