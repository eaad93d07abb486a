#include "tracker/judge/cause.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "tracker/base/text.hpp"
#include "tracker/judge/code_diff.hpp"

namespace tracker {
namespace {

using Found = std::optional<Finding>;

// A clock that differs by less explains nothing.
constexpr double kClockShareMin = 0.01;
constexpr double kTemperatureMin = 10;  // °C
constexpr double kLoadMin = 1;          // of the host, in busy CPUs
constexpr double kThrottledShareMin = 0.5;
constexpr std::size_t kCausesInLine = 3;

std::string arrow(const std::string& what, const std::string& was, const std::string& is) {
  return what + " " + was + " → " + is;
}

std::string whole(double value) {
  return format_plain(std::round(value));
}

Effect slower_if(bool slower) {
  return slower ? Effect::kSlower : Effect::kFaster;
}

// A counter that both sides have, and that differs.
struct Change {
  double was = 0;
  double is = 0;
};
std::optional<Change> change_of(const std::optional<double>& was, const std::optional<double>& is) {
  if (!was || !is || *was == *is) return {};
  return Change{*was, *is};
}
std::optional<Change> change_of(const char* counter, const SideFacts& was, const SideFacts& is) {
  return change_of(counter_of(was, counter), counter_of(is, counter));
}

const Code* code_of(const SideFacts& side) {
  return side.benchmark && side.benchmark->code ? &*side.benchmark->code : nullptr;
}

Found other_kernel(const SideFacts& was, const SideFacts& is) {
  if (code_of(was) == nullptr || code_of(is) == nullptr) return {};
  const std::string words = kernels_in_words(code_of(was)->launches, code_of(is)->launches);
  return words.empty() ? Found{} : Finding{words};
}

Found other_work(const SideFacts& was, const SideFacts& is) {
  struct Work {
    const char* unit;
    std::optional<double> Benchmark::*amount;
  };
  static constexpr Work kWorks[] = {{"B", &Benchmark::bytes_per_iteration},
                                    {"FLOP", &Benchmark::flops_per_iteration},
                                    {"items", &Benchmark::items_per_iteration}};
  if (!was.benchmark || !is.benchmark) return {};
  for (const auto& work : kWorks)
    if (const auto change = change_of((*was.benchmark).*work.amount, (*is.benchmark).*work.amount))
      return Finding{arrow("work of an iteration", format_quantity(change->was, work.unit),
                           format_quantity(change->is, work.unit))};
  return {};
}

Found spills(const SideFacts& was, const SideFacts& is) {
  const auto bytes = change_of("local_bytes", was, is);
  if (!bytes) return {};
  std::string text = "spills " + whole(bytes->was) + " → " + format_bytes(bytes->is);
  const auto registers = change_of("registers", was, is);
  if (registers && (registers->is < registers->was) == (bytes->is > bytes->was))
    text += ": " + arrow("registers", whole(registers->was), whole(registers->is));
  return Finding{text, slower_if(bytes->is > bytes->was)};
}

// What takes the room that the blocks have lost, or leaves what they gained.
std::string why_occupancy(const SideFacts& was, const SideFacts& is, bool fewer) {
  std::vector<std::string> parts;
  if (const auto registers = change_of("registers", was, is);
      registers && (registers->is > registers->was) == fewer)
    parts.push_back(arrow("registers", whole(registers->was), whole(registers->is)));
  if (const auto shared = change_of(shared_bytes(was), shared_bytes(is));
      shared && (shared->is > shared->was) == fewer)
    parts.push_back(arrow("shared memory", format_bytes(shared->was), format_bytes(shared->is)));
  if (const auto threads = change_of("threads_per_block", was, is))
    parts.push_back(arrow("threads per block", whole(threads->was), whole(threads->is)));
  return parts.empty() ? "" : ": " + join(parts, ", ");
}

// Larger blocks are fewer; what counts is the threads that are there at a time.
Found occupancy(const SideFacts& was, const SideFacts& is) {
  const auto blocks = change_of("blocks_per_sm", was, is);
  if (!blocks) return {};
  const auto threads_was = counter_of(was, "threads_per_block").value_or(1);
  const auto threads_is = counter_of(is, "threads_per_block").value_or(threads_was);
  const double resident_was = blocks->was * threads_was;
  const double resident_is = blocks->is * threads_is;
  if (resident_was == resident_is) return {};
  const bool fewer = resident_is < resident_was;
  return Finding{
      arrow("blocks per SM", whole(blocks->was), whole(blocks->is)) + why_occupancy(was, is, fewer),
      slower_if(fewer)};
}

Found launch_shape(const SideFacts& was, const SideFacts& is) {
  std::string words;
  if (code_of(was) != nullptr && code_of(is) != nullptr)
    words = shapes_in_words(code_of(was)->launches, code_of(is)->launches);
  const auto threads = change_of("threads_per_block", was, is);
  if (words.empty() && threads) words = arrow("threads per block", whole(threads->was), whole(threads->is));
  return words.empty() ? Found{} : Finding{words};
}

Found shared_memory(const SideFacts& was, const SideFacts& is) {
  const auto bytes = change_of(shared_bytes(was), shared_bytes(is));
  if (!bytes || occupancy(was, is)) return {};
  return Finding{arrow("shared memory", format_bytes(bytes->was), format_bytes(bytes->is))};
}

Found registers(const SideFacts& was, const SideFacts& is) {
  const auto count = change_of("registers", was, is);
  if (!count || occupancy(was, is) || spills(was, is)) return {};
  return Finding{arrow("registers", whole(count->was), whole(count->is))};
}

Found machine_code(const SideFacts& was, const SideFacts& is) {
  if (code_of(was) == nullptr || code_of(is) == nullptr) return {};
  const std::string words = code_in_words(*code_of(was), *code_of(is));
  return words.empty() ? Found{} : Finding{words};
}

// "sw_thermal" as people write it.
std::string reason_in_words(std::string reason) {
  std::replace(reason.begin(), reason.end(), '_', ' ');
  return reason;
}

Found core_clock(const SideFacts& was, const SideFacts& is) {
  const auto clock = change_of(was.conditions.core_clock_mhz, is.conditions.core_clock_mhz);
  if (!clock || std::abs(clock->is - clock->was) < kClockShareMin * clock->was) return {};
  const bool lower = clock->is < clock->was;
  std::string text = arrow("SM clock", whole(clock->was), whole(clock->is)) + " MHz";
  for (const auto& [reason, count] : (lower ? is : was).conditions.throttle_reasons)
    text += ", " + reason_in_words(reason);
  return Finding{text, slower_if(lower)};
}

Found memory_clock(const SideFacts& was, const SideFacts& is) {
  const auto clock = change_of(was.conditions.memory_clock_mhz, is.conditions.memory_clock_mhz);
  if (!clock || std::abs(clock->is - clock->was) < kClockShareMin * clock->was) return {};
  return Finding{arrow("memory clock", whole(clock->was), whole(clock->is)) + " MHz",
                 slower_if(clock->is < clock->was)};
}

// Where the clocks do not show it already.
Found throttling(const SideFacts& was, const SideFacts& is) {
  if (core_clock(was, is) || was.conditions.invocations == 0 || is.conditions.invocations == 0) return {};
  std::map<std::string, int> all = was.conditions.throttle_reasons;
  all.insert(is.conditions.throttle_reasons.begin(), is.conditions.throttle_reasons.end());
  const auto count_in = [](const SideFacts& side, const std::string& reason) {
    const auto found = side.conditions.throttle_reasons.find(reason);
    return found == side.conditions.throttle_reasons.end() ? 0 : found->second;
  };
  const auto of_all = [](int count, int invocations) {
    return std::to_string(count) + " of " + std::to_string(invocations);
  };
  for (const auto& [reason, unused] : all) {
    const int before = count_in(was, reason);
    const int now = count_in(is, reason);
    const double more = static_cast<double>(now) / is.conditions.invocations -
                        static_cast<double>(before) / was.conditions.invocations;
    if (std::abs(more) < kThrottledShareMin) continue;
    return Finding{reason_in_words(reason) + " in " + of_all(before, was.conditions.invocations) + " → " +
                       of_all(now, is.conditions.invocations) + " invocations",
                   slower_if(more > 0)};
  }
  return {};
}

Found other_processes(const SideFacts& was, const SideFacts& is) {
  const int before = was.conditions.other_processes.value_or(0);
  const int now = is.conditions.other_processes.value_or(0);
  if (before == now) return {};
  return Finding{arrow("other processes on the GPU", std::to_string(before), std::to_string(now)),
                 slower_if(now > before)};
}

Found temperature(const SideFacts& was, const SideFacts& is) {
  const auto degrees = change_of(was.conditions.temperature_c, is.conditions.temperature_c);
  if (!degrees || std::abs(degrees->is - degrees->was) < kTemperatureMin) return {};
  return Finding{arrow("temperature", whole(degrees->was), whole(degrees->is)) + " °C",
                 slower_if(degrees->is > degrees->was)};
}

Found host_load(const SideFacts& was, const SideFacts& is) {
  const auto load = change_of(was.conditions.load_average, is.conditions.load_average);
  if (!load || std::abs(load->is - load->was) < kLoadMin) return {};
  return Finding{arrow("load of the host", format_quantity(load->was, ""), format_quantity(load->is, "")),
                 slower_if(load->is > load->was)};
}

// How it was measured: "iterations 10 → 20".
Found method(const SideFacts& was, const SideFacts& is) {
  if (!was.benchmark || !is.benchmark) return {};
  const auto& before = was.benchmark->attributes;
  const auto& now = is.benchmark->attributes;
  for (const auto& [name, value] : now) {
    const auto found = before.find(name);
    if (found != before.end() && found->second != value)
      return Finding{"measured with " + arrow(name, found->second, value)};
  }
  return {};
}

Found other_fact(const char* name, const SideFacts& was, const SideFacts& is) {
  const auto before = was.facts.find(name);
  const auto now = is.facts.find(name);
  if (before == was.facts.end() || now == is.facts.end() || before->second == now->second) return {};
  return Finding{arrow(name, before->second, now->second)};
}

// A UUID is long, and only says that it is another one.
Found board(const SideFacts& was, const SideFacts& is) {
  return other_fact("board", was, is) ? Found{Finding{"another board of the model"}} : Found{};
}

}  // namespace

const std::vector<CauseRule>& cause_rules() {
  static const std::vector<CauseRule> rules{
      {"kernel", About::kCode, other_kernel},
      {"work", About::kCode, other_work},
      {"build type", About::kBuild,
       [](const auto& was, const auto& is) { return other_fact("build type", was, is); }},
      {"spills", About::kCode, spills},
      {"occupancy", About::kCode, occupancy},
      {"SM clock", About::kAround, core_clock},
      {"memory clock", About::kAround, memory_clock},
      {"other processes", About::kAround, other_processes},
      {"launch shape", About::kCode, launch_shape},
      {"shared memory", About::kCode, shared_memory},
      {"registers", About::kCode, registers},
      {"cuBLAS", About::kAround,
       [](const auto& was, const auto& is) { return other_fact("cuBLAS", was, is); }},
      {"machine code", About::kCode, machine_code},
      {"throttling", About::kAround, throttling},
      {"driver", About::kAround,
       [](const auto& was, const auto& is) { return other_fact("driver", was, is); }},
      {"CUDA runtime", About::kAround,
       [](const auto& was, const auto& is) { return other_fact("CUDA runtime", was, is); }},
      {"compiler", About::kBuild,
       [](const auto& was, const auto& is) { return other_fact("compiler", was, is); }},
      {"compiler flags", About::kBuild,
       [](const auto& was, const auto& is) { return other_fact("compiler flags", was, is); }},
      {"power limit", About::kAround,
       [](const auto& was, const auto& is) { return other_fact("power limit", was, is); }},
      {"method", About::kAround, method},
      {"board", About::kAround, board},
      {"temperature", About::kAround, temperature},
      {"load", About::kAround, host_load},
      {"ECC", About::kAround, [](const auto& was, const auto& is) { return other_fact("ECC", was, is); }},
      {"CPU", About::kAround, [](const auto& was, const auto& is) { return other_fact("CPU", was, is); }},
      {"host", About::kAround, [](const auto& was, const auto& is) { return other_fact("host", was, is); }},
  };
  return rules;
}

std::vector<Cause> find_causes(const SideFacts& base, const SideFacts& candidate,
                               std::optional<bool> same_code) {
  std::vector<Cause> causes;
  for (const auto& rule : cause_rules()) {
    if (rule.about == About::kBuild && same_code.value_or(false)) continue;
    if (auto found = rule.find(base, candidate)) causes.push_back({rule.name, rule.about, *found});
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

}  // namespace tracker
