#include "tracker/judge/cause.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/profile/counters.hpp"

namespace tracker::judge {
namespace {

using Found = std::optional<Finding>;

// A clock that differs by less explains nothing.
constexpr double kClockShareMin = 0.01;
constexpr double kTemperatureMin = 10;  // °C
constexpr double kLoadMin = 1;          // of the host, in busy CPUs
constexpr double kThrottledShareMin = 0.5;
constexpr std::size_t kCausesInLine = 3;
constexpr std::size_t kCountersInLine = 3;

std::string arrow(const std::string& what, const std::string& base, const std::string& candidate) {
  return what + " " + base + " → " + candidate;
}

std::string whole(double value) {
  return format_plain(std::round(value));
}

Effect slower_if(bool slower) {
  return slower ? Effect::kSlower : Effect::kFaster;
}

// A counter that both sides have, and that differs.
struct Change {
  double base = 0;
  double candidate = 0;
};
std::optional<Change> change_of(const std::optional<double>& base, const std::optional<double>& candidate) {
  if (!base || !candidate || *base == *candidate) return {};
  return Change{*base, *candidate};
}
std::optional<Change> change_of(const char* counter, const SideFacts& base, const SideFacts& candidate) {
  return change_of(counter_of(base, counter), counter_of(candidate, counter));
}

Found finding_of(const std::string& words) {
  return words.empty() ? Found{} : Finding{words};
}

Found other_kernel(const SideFacts& base, const SideFacts& candidate) {
  return finding_of(kernels_in_words(code_of(base).launches, code_of(candidate).launches));
}

Found other_work(const SideFacts& base, const SideFacts& candidate) {
  struct Work {
    const char* unit;
    std::optional<double> Benchmark::*amount;
  };
  static constexpr Work kWorks[] = {{"B", &Benchmark::bytes_per_iteration},
                                    {"FLOP", &Benchmark::flops_per_iteration},
                                    {"items", &Benchmark::items_per_iteration}};
  if (!base.benchmark || !candidate.benchmark) return {};
  for (const auto& work : kWorks)
    if (const auto change = change_of((*base.benchmark).*work.amount, (*candidate.benchmark).*work.amount))
      return Finding{arrow("work of an iteration", format_quantity(change->base, work.unit),
                           format_quantity(change->candidate, work.unit))};
  return {};
}

Found spills(const SideFacts& base, const SideFacts& candidate) {
  const auto bytes = change_of("local_bytes", base, candidate);
  if (!bytes) return {};
  std::string text = "spills " + whole(bytes->base) + " → " + format_bytes(bytes->candidate);
  const auto registers = change_of("registers", base, candidate);
  if (registers && (registers->candidate < registers->base) == (bytes->candidate > bytes->base))
    text += ": " + arrow("registers", whole(registers->base), whole(registers->candidate));
  return Finding{text, slower_if(bytes->candidate > bytes->base)};
}

// What takes the room that the blocks have lost, or leaves what they gained.
std::string why_occupancy(const SideFacts& base, const SideFacts& candidate, bool fewer) {
  std::vector<std::string> parts;
  if (const auto registers = change_of("registers", base, candidate);
      registers && (registers->candidate > registers->base) == fewer)
    parts.push_back(arrow("registers", whole(registers->base), whole(registers->candidate)));
  if (const auto shared = change_of(shared_bytes(base), shared_bytes(candidate));
      shared && (shared->candidate > shared->base) == fewer)
    parts.push_back(arrow("shared memory", format_bytes(shared->base), format_bytes(shared->candidate)));
  if (const auto threads = change_of("threads_per_block", base, candidate))
    parts.push_back(arrow("threads per block", whole(threads->base), whole(threads->candidate)));
  return parts.empty() ? "" : ": " + join(parts, ", ");
}

// Larger blocks are fewer; what counts is the threads that are there at a time.
Found occupancy(const SideFacts& base, const SideFacts& candidate) {
  const auto blocks = change_of("blocks_per_sm", base, candidate);
  if (!blocks) return {};
  const auto threads_was = counter_of(base, "threads_per_block").value_or(1);
  const auto threads_is = counter_of(candidate, "threads_per_block").value_or(threads_was);
  const double resident_was = blocks->base * threads_was;
  const double resident_is = blocks->candidate * threads_is;
  if (resident_was == resident_is) return {};
  const bool fewer = resident_is < resident_was;
  return Finding{arrow("blocks per SM", whole(blocks->base), whole(blocks->candidate)) +
                     why_occupancy(base, candidate, fewer),
                 slower_if(fewer)};
}

Found launch_shape(const SideFacts& base, const SideFacts& candidate) {
  std::string words = shapes_in_words(code_of(base).launches, code_of(candidate).launches);
  if (const auto threads = change_of("threads_per_block", base, candidate); words.empty() && threads)
    words = arrow("threads per block", whole(threads->base), whole(threads->candidate));
  return finding_of(words);
}

Found shared_memory(const SideFacts& base, const SideFacts& candidate) {
  const auto bytes = change_of(shared_bytes(base), shared_bytes(candidate));
  if (!bytes || occupancy(base, candidate)) return {};
  return Finding{arrow("shared memory", format_bytes(bytes->base), format_bytes(bytes->candidate))};
}

Found registers(const SideFacts& base, const SideFacts& candidate) {
  const auto count = change_of("registers", base, candidate);
  if (!count || occupancy(base, candidate) || spills(base, candidate)) return {};
  return Finding{arrow("registers", whole(count->base), whole(count->candidate))};
}

Found machine_code(const SideFacts& base, const SideFacts& candidate) {
  return finding_of(code_in_words(code_of(base), code_of(candidate)));
}

// "sw_thermal" as people write it.
std::string reason_in_words(std::string reason) {
  std::replace(reason.begin(), reason.end(), '_', ' ');
  return reason;
}

Found other_clock(const char* name, const std::optional<double>& base_mhz,
                  const std::optional<double>& candidate_mhz) {
  const auto clock = change_of(base_mhz, candidate_mhz);
  if (!clock || std::abs(clock->candidate - clock->base) < kClockShareMin * clock->base) return {};
  return Finding{arrow(name, whole(clock->base), whole(clock->candidate)) + " MHz",
                 slower_if(clock->candidate < clock->base)};
}

Found core_clock(const SideFacts& base, const SideFacts& candidate) {
  auto found = other_clock("SM clock", base.conditions.core_clock_mhz, candidate.conditions.core_clock_mhz);
  if (!found) return {};
  const SideFacts& lower = found->effect == Effect::kSlower ? candidate : base;
  for (const auto& [reason, count] : lower.conditions.throttle_reasons)
    found->text += ", " + reason_in_words(reason);
  return found;
}

Found memory_clock(const SideFacts& base, const SideFacts& candidate) {
  return other_clock("memory clock", base.conditions.memory_clock_mhz, candidate.conditions.memory_clock_mhz);
}

// Where the clocks do not show it already.
Found throttling(const SideFacts& base, const SideFacts& candidate) {
  if (core_clock(base, candidate) || base.conditions.invocations == 0 ||
      candidate.conditions.invocations == 0)
    return {};
  std::map<std::string, std::pair<int, int>> counts;  // of the base's and of the candidate's invocations
  for (const auto& [reason, count] : base.conditions.throttle_reasons) counts[reason].first = count;
  for (const auto& [reason, count] : candidate.conditions.throttle_reasons) counts[reason].second = count;
  const auto of_all = [](int count, int invocations) {
    return std::to_string(count) + " of " + std::to_string(invocations);
  };
  for (const auto& [reason, count] : counts) {
    const auto [before, now] = count;
    const double more = static_cast<double>(now) / candidate.conditions.invocations -
                        static_cast<double>(before) / base.conditions.invocations;
    if (std::abs(more) < kThrottledShareMin) continue;
    return Finding{reason_in_words(reason) + " in " + of_all(before, base.conditions.invocations) + " → " +
                       of_all(now, candidate.conditions.invocations) + " invocations",
                   slower_if(more > 0)};
  }
  return {};
}

Found other_processes(const SideFacts& base, const SideFacts& candidate) {
  const int before = base.conditions.other_processes.value_or(0);
  const int now = candidate.conditions.other_processes.value_or(0);
  if (before == now) return {};
  return Finding{arrow("other processes on the GPU", std::to_string(before), std::to_string(now)),
                 slower_if(now > before)};
}

Found temperature(const SideFacts& base, const SideFacts& candidate) {
  const auto degrees = change_of(base.conditions.temperature_c, candidate.conditions.temperature_c);
  if (!degrees || std::abs(degrees->candidate - degrees->base) < kTemperatureMin) return {};
  return Finding{arrow("temperature", whole(degrees->base), whole(degrees->candidate)) + " °C",
                 slower_if(degrees->candidate > degrees->base)};
}

Found host_load(const SideFacts& base, const SideFacts& candidate) {
  const auto load = change_of(base.conditions.load_average, candidate.conditions.load_average);
  if (!load || std::abs(load->candidate - load->base) < kLoadMin) return {};
  return Finding{
      arrow("load of the host", format_quantity(load->base, ""), format_quantity(load->candidate, "")),
      slower_if(load->candidate > load->base)};
}

// How it was measured: "iterations 10 → 20".
Found method(const SideFacts& base, const SideFacts& candidate) {
  if (!base.benchmark || !candidate.benchmark) return {};
  const auto& before = base.benchmark->attributes;
  const auto& now = candidate.benchmark->attributes;
  for (const auto& [name, value] : now) {
    const auto found = before.find(name);
    if (found != before.end() && found->second != value)
      return Finding{"measured with " + arrow(name, found->second, value)};
  }
  return {};
}

Found other_fact(const char* name, const SideFacts& base, const SideFacts& candidate) {
  const auto before = base.facts.find(name);
  const auto now = candidate.facts.find(name);
  if (before == base.facts.end() || now == candidate.facts.end() || before->second == now->second) return {};
  return Finding{arrow(name, before->second, now->second)};
}

// "build commands -O3 → -O1"
Found other_words(const char* name, const SideFacts& base, const SideFacts& candidate) {
  if (!other_fact(name, base, candidate)) return {};
  const auto [before, after] = changed_words(base.facts.at(name), candidate.facts.at(name));
  return Finding{arrow(name, before, after)};
}

// Which of the files that say how it is built: "CMakePresets.json 1a2b3c4, build.sh 5d6e7f8".
Found build_files(const SideFacts& base, const SideFacts& candidate) {
  if (!other_fact("build files", base, candidate)) return {};
  std::set<std::string> names;
  const auto add_changed = [&](const SideFacts& one, const SideFacts& other) {
    const auto others = split(other.facts.at("build files"), ',');
    for (std::string file : split(one.facts.at("build files"), ',')) {
      if (std::ranges::find(others, file) != others.end()) continue;
      file.erase(file.rfind(' '));
      names.insert(file.substr(std::min(file.find_first_not_of(' '), file.size())));
    }
  };
  add_changed(base, candidate);
  add_changed(candidate, base);
  return Finding{"changed build: " + join({names.begin(), names.end()}, ", ")};
}

// A UUID is long, and only says that it is another one.
Found board(const SideFacts& base, const SideFacts& candidate) {
  return other_fact("board", base, candidate) ? Found{Finding{"another board of the model"}} : Found{};
}

}  // namespace

const std::vector<CauseRule>& cause_rules() {
  static const std::vector<CauseRule> rules{
      {"kernel", About::kCode, other_kernel},
      {"work", About::kCode, other_work},
      {"build type", About::kBuild},
      {"compiler", About::kBuild},
      {"compiler flags", About::kBuild,
       [](const auto& base, const auto& candidate) {
         const auto found = other_fact("compiler flags", base, candidate);
         constexpr std::size_t kLong = 60;
         return found && found->text.size() > kLong ? other_words("compiler flags", base, candidate) : found;
       }},
      {"build commands", About::kBuild,
       [](const auto& base, const auto& candidate) {
         return other_words("build commands", base, candidate);
       }},
      {"build files", About::kBuild, build_files},
      {"spills", About::kCode, spills},
      {"occupancy", About::kCode, occupancy},
      {"SM clock", About::kAround, core_clock},
      {"memory clock", About::kAround, memory_clock},
      {"other processes", About::kAround, other_processes},
      {"launch shape", About::kCode, launch_shape},
      {"shared memory", About::kCode, shared_memory},
      {"registers", About::kCode, registers},
      {"cuBLAS", About::kAround},
      {"machine code", About::kCode, machine_code},
      {"throttling", About::kAround, throttling},
      {"driver", About::kAround},
      {"CUDA runtime", About::kAround},
      {"Google Benchmark", About::kBuild},
      {"power limit", About::kAround},
      {"method", About::kAround, method},
      {"board", About::kAround, board},
      {"temperature", About::kAround, temperature},
      {"load", About::kAround, host_load},
      {"ECC", About::kAround},
      {"CPU", About::kAround},
      {"host", About::kAround},
  };
  return rules;
}

std::vector<Cause> find_causes(const SideFacts& base, const SideFacts& candidate,
                               std::optional<bool> same_code) {
  std::vector<Cause> causes;
  for (const auto& rule : cause_rules()) {
    if (rule.about == About::kBuild && same_code.value_or(false)) continue;
    const auto find = [&] {
      return rule.find == nullptr ? other_fact(rule.name, base, candidate) : rule.find(base, candidate);
    };
    if (auto found = find()) causes.push_back({rule.name, rule.about, *found});
  }
  return causes;
}

std::string cause_in_words(const std::vector<Cause>& causes, Effect effect) {
  std::vector<std::string> parts;
  for (const auto& cause : causes)
    if (cause.finding.effect == effect || cause.finding.effect == Effect::kEither)
      parts.push_back(cause.finding.text);
  if (parts.size() > kCausesInLine) parts.resize(kCausesInLine);
  return join(parts, "; ");
}

std::string counters_in_words(const ProfiledBenchmark& base, const ProfiledBenchmark& candidate,
                              Effect effect, bool with_stalls) {
  std::vector<std::string> parts;
  for (const auto& [counter, was, is, worse] : profile::counters_that_moved(base, candidate)) {
    if (!with_stalls && counter->name.starts_with("stall_")) continue;
    if (slower_if(worse) != effect || parts.size() == kCountersInLine) continue;
    parts.push_back(arrow(counter->name, profile::format_counter(was, counter->unit),
                          profile::format_counter(is, counter->unit)));
    if (was > 0) parts.back() += " (×" + profile::format_counter(is / was, "") + ")";
  }
  return parts.empty() ? "" : "hardware counters: " + join(parts, ", ");
}

namespace {

constexpr std::size_t kInstructionsNamed = 3;

// Prefixes of what costs most when there is more of it.
constexpr std::array<std::string_view, 14> kTelling{"LDL", "STL", "LDG", "STG",  "UTMA", "LDGSTS", "ATOM",
                                                    "RED", "LDS", "STS", "LDSM", "BAR",  "HGMMA",  "HMMA"};

std::size_t group_place(const std::string& instruction) {
  const auto found = std::ranges::find_if(kTelling, [&](std::string_view prefix) {
    return instruction == prefix || (instruction.starts_with(prefix) && instruction.size() > prefix.size() &&
                                     instruction[prefix.size()] == '.');
  });
  return static_cast<std::size_t>(found - kTelling.begin());
}

// How often each kernel is launched; the difference, kernel by kernel.
std::map<std::string, int> launch_changes(const std::vector<KernelLaunch>& base,
                                          const std::vector<KernelLaunch>& candidate) {
  std::map<std::string, int> changes;
  for (const auto& launch : base) --changes[launch.kernel];
  for (const auto& launch : candidate) ++changes[launch.kernel];
  std::erase_if(changes, [](const auto& change) { return change.second == 0; });
  return changes;
}

std::string name_of(const std::string& kernel, int times) {
  return times == 1 ? kernel : std::to_string(times) + " × " + kernel;
}

std::string or_none(const std::string& text, const char* none) {
  return text.empty() ? none : text;
}

// Of the sides of "32x8".
double product_of(const std::string& shape) {
  double product = 1;
  for (const auto& side : split(shape, 'x')) product *= std::atof(side.c_str());
  return product;
}

// Copies, waits and allocations have names of several words, kernels of one.
bool is_kernel(const std::string& name) {
  return name.find(' ') == std::string::npos && name != "memset" && name != "memcpy";
}

std::string shape_in_words(const KernelLaunch& of_base, const KernelLaunch& of_candidate) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const std::string& before, const std::string& now) {
    if (before != now && !before.empty() + !now.empty() > 0)
      parts.push_back(std::string(what) + " " + before + " → " + now);
  };
  add("block", of_base.block, of_candidate.block);
  add("cluster", or_none(of_base.cluster, "none"), or_none(of_candidate.cluster, "none"));
  const double block_max = std::max(product_of(of_base.block), product_of(of_candidate.block));
  const double fewer = product_of(of_base.grid) * product_of(of_base.block) -
                       product_of(of_candidate.grid) * product_of(of_candidate.block);
  if (of_base.block == of_candidate.block || std::abs(fewer) > block_max)
    add("grid", of_base.grid, of_candidate.grid);  // else it follows from the block
  return join(parts, ", ");
}

}  // namespace

std::string kernels_in_words(const std::vector<KernelLaunch>& base,
                             const std::vector<KernelLaunch>& candidate) {
  if (base.empty() || candidate.empty()) return "";
  std::vector<std::string> gone;
  std::vector<std::string> added;
  for (const auto& [kernel, change] : launch_changes(base, candidate))
    (change < 0 ? gone : added).push_back(name_of(kernel, std::abs(change)));
  const bool any_kernel = std::ranges::any_of(gone, is_kernel);
  if (!gone.empty() && !added.empty())
    return (any_kernel ? "another kernel: " : "another call: ") + join(gone, ", ") + " → " +
           join(added, ", ");
  const std::string counts =
      "launches " + std::to_string(base.size()) + " → " + std::to_string(candidate.size()) + ": ";
  if (!added.empty()) return counts + join(added, ", ") + " more";
  return gone.empty() ? "" : counts + join(gone, ", ") + " less";
}

std::string calls_in_words(const std::vector<KernelLaunch>& launches) {
  std::size_t kernels = 0;
  std::vector<std::pair<std::string, std::size_t>> others;  // in the order they come
  for (const auto& launch : launches) {
    if (is_kernel(launch.kernel)) {
      ++kernels;
      continue;
    }
    const auto known =
        std::ranges::find_if(others, [&](const auto& other) { return other.first == launch.kernel; });
    if (known == others.end())
      others.emplace_back(launch.kernel, 1);
    else
      ++known->second;
  }
  std::string text = std::to_string(kernels) + (kernels == 1 ? " launch" : " launches");
  for (std::size_t i = 0; i < others.size(); ++i)
    text += (i + 1 == others.size() ? " and " : ", ") + std::to_string(others[i].second) +
            (others[i].second == 1 ? " " : " × ") + others[i].first;
  return text;
}

bool has_other_calls(const std::vector<KernelLaunch>& launches) {
  return std::ranges::any_of(
      launches, [](const KernelLaunch& launch) { return launch.kernel.find(' ') != std::string::npos; });
}

std::string shapes_in_words(const std::vector<KernelLaunch>& base,
                            const std::vector<KernelLaunch>& candidate) {
  if (base.size() != candidate.size()) return "";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (base[i].kernel != candidate[i].kernel) return "";
    const std::string words = shape_in_words(base[i], candidate[i]);
    if (!words.empty()) parts.push_back(words + (base.size() > 1 ? " in " + base[i].kernel : ""));
  }
  return join(parts, "; ");
}

std::vector<InstructionChange> instruction_changes(const Code& base, const Code& candidate) {
  std::map<std::string, InstructionChange> all;
  for (const auto& [name, count] : base.instructions) all[name] = {name, count, 0};
  for (const auto& [name, count] : candidate.instructions) {
    all[name].name = name;
    all[name].candidate = count;
  }
  std::vector<InstructionChange> changes;
  for (const auto& [name, change] : all)
    if (change.base != change.candidate) changes.push_back(change);
  std::ranges::stable_sort(changes, [](const auto& a, const auto& b) {
    const std::size_t place_a = group_place(a.name);
    const std::size_t place_b = group_place(b.name);
    if (place_a != place_b) return place_a < place_b;
    return std::abs(a.candidate - a.base) > std::abs(b.candidate - b.base);
  });
  return changes;
}

std::string code_in_words(const Code& base, const Code& candidate) {
  const bool hashes_known = !base.hash.empty() && !candidate.hash.empty();
  if (hashes_known && base.hash == candidate.hash) return "";
  std::vector<std::string> parts;
  std::size_t more = 0;
  if (!base.instructions.empty() && !candidate.instructions.empty())
    for (const auto& change : instruction_changes(base, candidate)) {
      if (parts.size() < kInstructionsNamed)
        parts.push_back(change.name + " " + std::to_string(change.base) + " → " +
                        std::to_string(change.candidate));
      else
        ++more;
    }
  const bool sizes_known = base.bytes > 0 && candidate.bytes > 0;
  if (parts.empty() && sizes_known && base.bytes != candidate.bytes)
    parts.push_back(format_bytes(static_cast<double>(base.bytes)) + " → " +
                    format_bytes(static_cast<double>(candidate.bytes)));
  if (!hashes_known && parts.empty()) return "";
  const bool same_mix = parts.empty() && !base.instructions.empty() && !candidate.instructions.empty();
  return "machine code changed" + (parts.empty() ? "" : ": " + join(parts, ", ")) + and_more(more) +
         (same_mix ? ": as many of each instruction, in another order or with other operands" : "");
}

}  // namespace tracker::judge
