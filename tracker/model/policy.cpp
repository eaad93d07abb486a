#include "tracker/model/policy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

bool is_builtin(const Metric& metric) {
  return std::ranges::count(builtin_metrics(), metric.name, &Metric::name) > 0;
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
    const int value = parse_number<int>(digits).value_or(-1);
    return value < kCpusMax ? value : -1;
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
  return parse_number<std::size_t>(choice).value_or(0);
}

bool is_gpu_choice(const std::string& text) {
  if (text == kAllGpusWord || gpu_count_of(text) > 0) return true;
  return std::ranges::all_of(split(text, ','), [](const std::string& part) {
    return part.starts_with("GPU-") || part.starts_with("MIG-");
  });
}

bool needs_repetitions(const Policy& policy) {
  return std::ranges::any_of(policy.rules, [](const PolicyRule& rule) {
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
                "the threshold " + in_quotes(gate.threshold_amount->text) + " of benchmark " +
                    in_quotes(benchmark) + " does not fit its metric " + in_quotes(gate.metric.name),
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
  constexpr std::string_view kRight[] = {"passed",         "verified", "verification", "correct",
                                         "is_correct",     "valid",    "validated",    "success",
                                         "result_checked", "result_ok"};
  constexpr std::string_view kWrong[] = {"errors",   "error_count", "num_errors", "failed",
                                         "failures", "mismatches",  "wrong",      "incorrect"};
  const std::string lower = lower_case(counter);
  if (std::ranges::count(kRight, lower) > 0)
    return Requirement{counter, Requirement::Relation::kLeast, 1, counter + " >= 1"};
  if (std::ranges::count(kWrong, lower) > 0)
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

namespace {

// What each '*' of the pattern stands for; empty where the text does not match.
std::optional<std::vector<std::string>> match_stars(const std::string& pattern, const std::string& text) {
  const auto literals = split(pattern, '*');
  if (!text.starts_with(literals.front())) return {};
  std::vector<std::string> stars;
  std::size_t from = literals.front().size();
  for (std::size_t i = 1; i < literals.size(); ++i) {
    const bool last = i + 1 == literals.size();
    const std::size_t size = literals[i].size();
    std::size_t at = text.find(literals[i], from);
    if (last) at = text.size() >= from + size && text.ends_with(literals[i]) ? text.size() - size : text.npos;
    if (at == std::string::npos) return {};
    stars.push_back(text.substr(from, at - from));
    from = at + size;
  }
  if (from != text.size()) return {};
  return stars;
}

std::optional<std::string> renamed_once(const std::string& name, const Rename& rename) {
  const auto stars = match_stars(rename.from, name);
  if (!stars) return {};
  const auto literals = split(rename.to, '*');
  std::string to = literals.front();
  for (std::size_t i = 1; i < literals.size(); ++i) to += (*stars)[i - 1] + literals[i];
  return to;
}

struct Step {
  std::size_t rename;
  std::string name;  // what it makes
};

// Finds the rename that matches a name without going through all of them: there may be thousands, of
// thousands of names.
class RenameIndex {
 public:
  explicit RenameIndex(const std::vector<Rename>& renames) : renames_(renames) {
    for (std::size_t i = 0; i < renames_.size(); ++i) {
      const std::string& from = renames_[i].from;
      const std::size_t star = from.find('*');
      if (star == std::string::npos) {
        by_name_[from].push_back(i);
      } else {
        by_start_[from.substr(0, star)].push_back(i);
        start_lengths_.insert(star);
      }
    }
  }

  const std::vector<Rename>& renames() const { return renames_; }

  // The first rename that matches the name, but for those in `without`.
  std::optional<Step> next_step(const std::string& name, const std::set<std::size_t>& without = {}) const {
    std::optional<Step> first;
    const auto look_through = [&](const auto& lists, const std::string& key) {
      const auto list = lists.find(key);
      if (list == lists.end()) return;
      for (const std::size_t i : list->second) {
        if (first && first->rename < i) return;
        if (without.contains(i)) continue;
        if (auto to = renamed_once(name, renames_[i])) {
          first = Step{i, std::move(*to)};
          return;
        }
      }
    };
    look_through(by_name_, name);
    for (const std::size_t length : start_lengths_)
      if (length <= name.size()) look_through(by_start_, name.substr(0, length));
    return first;
  }

 private:
  using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

  std::vector<Rename> renames_;
  Places by_name_;   // those without a '*'
  Places by_start_;  // the others, by what stands before it
  std::set<std::size_t> start_lengths_;
};

// The new names, each made once.
class NewNames {
 public:
  explicit NewNames(const std::vector<Rename>& renames) : index_(renames) {}

  // Those of the renames that this thread asked for last: many ask for one name after the other.
  static NewNames& of_thread(const std::vector<Rename>& renames) {
    thread_local std::optional<NewNames> last;
    if (!last || last->index_.renames() != renames) last.emplace(renames);
    return *last;
  }

  const std::string& of(const std::string& name) {
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    if (names_.size() > kNamesMax) names_.clear();
    std::vector<std::string> path{name};
    std::set<std::size_t> used;
    while (const auto step = index_.next_step(path.back(), used)) {
      if (const auto known = names_.find(step->name); known != names_.end()) {
        path.push_back(known->second);
        break;
      }
      used.insert(step->rename);
      path.push_back(step->name);
    }
    // A name on the way leads to the same end, unless it comes back to a rename.
    const std::string end = path.back();
    if (!index_.next_step(end))
      for (const auto& passed : path) names_.try_emplace(passed, end);
    return names_.insert_or_assign(name, end).first->second;
  }

 private:
  static constexpr std::size_t kNamesMax = 1'000'000;

  RenameIndex index_;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace

std::string renamed(const std::string& name, const std::vector<Rename>& renames) {
  return renames.empty() ? name : NewNames::of_thread(renames).of(name);
}

namespace {

// One whose new name another one has already keeps its own. Whether any has a new one.
template <typename NameOf>
bool take_to_new_names(std::vector<Benchmark>& benchmarks, std::span<Invocation> invocations,
                       NameOf new_name_of) {
  std::set<std::string> taken;
  for (const auto& benchmark : benchmarks) taken.insert(benchmark.name);
  std::map<std::string, std::string> changed;
  for (auto& benchmark : benchmarks) {
    std::string to = new_name_of(benchmark);
    if (!taken.insert(to).second) continue;
    changed[benchmark.name] = to;
    benchmark.name = std::move(to);
  }
  for (auto& invocation : invocations)
    for (const auto& [from, to] : changed) {
      auto samples = invocation.samples.extract(from);
      if (samples.empty()) continue;
      samples.key() = to;
      invocation.samples.insert(std::move(samples));
    }
  return !changed.empty();
}

}  // namespace

void rename_benchmarks(Run& run, const std::vector<Rename>& renames) {
  if (renames.empty()) return;
  NewNames& names = NewNames::of_thread(renames);
  const auto new_name = [&](const Benchmark& benchmark) { return names.of(benchmark.name); };
  if (take_to_new_names(run.benchmarks, run.invocations, new_name)) index_benchmarks(run);
}

bool keep_names_apart(std::vector<Benchmark>& benchmarks, std::span<Invocation> invocations,
                      const SharedNames& shared) {
  const auto new_name = [&](const Benchmark& benchmark) { return shared.name_of(benchmark); };
  return !shared.empty() && take_to_new_names(benchmarks, invocations, new_name);
}

void keep_names_apart(Run& run, const SharedNames& shared) {
  if (keep_names_apart(run.benchmarks, run.invocations, shared)) index_benchmarks(run);
}

void keep_names_apart(NoiseHistory& history, const SharedNames& shared) {
  if (shared.empty()) return;
  for (auto& run : history.runs) keep_names_apart(run, shared);
  for (auto& times : history.times) times.benchmark.name = shared.name_of(times.benchmark);
}

bool keeps_names_apart(const NoiseHistory& history, const std::vector<Rename>& renames) {
  if (renames.empty()) return true;
  NewNames& names = NewNames::of_thread(renames);
  std::set<std::string> targets;
  const auto add_target = [&](const std::string& name) {
    if (const auto& to = names.of(name); to != name) targets.insert(to);
  };
  for (const auto& run : history.runs)
    for (const auto& benchmark : run.benchmarks) add_target(benchmark.name);
  for (const auto& times : history.times) add_target(times.benchmark.name);
  std::set<std::pair<std::size_t, std::string>> taken;  // in which run
  const auto take = [&](std::size_t run, const std::string& name) {
    if (targets.contains(name) && !taken.emplace(run, name).second) return false;
    const auto& to = names.of(name);
    return to == name || taken.emplace(run, to).second;
  };
  for (std::size_t i = 0; i < history.runs.size(); ++i)
    for (const auto& benchmark : history.runs[i].benchmarks)
      if (!take(i, benchmark.name)) return false;
  for (const auto& times : history.times)
    for (const auto& one : times.in_runs)
      if (!take(one.run, times.benchmark.name)) return false;
  return true;
}

void rename_benchmarks(NoiseHistory& history, const std::vector<Rename>& renames) {
  if (renames.empty()) return;
  for (auto& run : history.runs) rename_benchmarks(run, renames);
  NewNames& names = NewNames::of_thread(renames);
  for (auto& times : history.times) times.benchmark.name = names.of(times.benchmark.name);
}

void rename_benchmarks(NoiseModel& noise, const std::vector<Rename>& renames) {
  if (renames.empty()) return;
  NewNames& names = NewNames::of_thread(renames);
  std::map<std::string, BenchmarkNoise> kept = noise.benchmarks;
  for (const auto& [name, own] : noise.benchmarks)
    if (const std::string& to = names.of(name); to != name && kept.emplace(to, own).second) kept.erase(name);
  noise.benchmarks = std::move(kept);
}

Policy without_renames(Policy policy) {
  policy.renames.clear();
  return policy;
}

std::optional<std::size_t> rename_in_a_circle(const std::vector<Rename>& renames) {
  // A pattern is followed as if it were a name: a '*' in it stands for itself.
  const RenameIndex index(renames);
  std::unordered_set<std::string> lead_out;  // names whose way was followed to its end
  for (std::size_t i = 0; i < renames.size(); ++i) {
    std::set<std::size_t> used{i};
    std::vector<std::string> path{renames[i].to};
    while (!lead_out.contains(path.back())) {
      const auto step = index.next_step(path.back());
      if (!step) break;
      if (!used.insert(step->rename).second) return i;
      path.push_back(step->name);
    }
    lead_out.insert(path.begin(), path.end());
  }
  return {};
}

}  // namespace tracker
