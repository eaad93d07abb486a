#include "tracker/profile/counters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace tracker::profile {
namespace {

constexpr double kThreadsOfWarp = 32;

constexpr double kBytesOfWavefront = 128;  // of shared memory: 32 banks of 4 bytes

constexpr const char* kLoadEfficiency = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
constexpr const char* kStoreEfficiency = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* kLoadRate = "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second";
constexpr const char* kStoreRate = "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second";
constexpr const char* kSharedLoadTurns = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr const char* kSharedStoreTurns = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";

// Whether there is anything to divide by.
constexpr const char* kSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
constexpr const char* kSharedStores = "smsp__inst_executed_op_shared_st.sum";

// clang-format off
// The pipe also moves constants into registers, which every kernel does: Hopper tells the products apart, but for
// those in FP64.
constexpr const char* kTensorOfHopper =
    "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_active";

using enum Combine;
constexpr Better kHigher = Better::kHigher;
constexpr Better kLower = Better::kLower;

std::vector<std::string> stalls(std::initializer_list<const char*> reasons) {
  std::vector<std::string> metrics;
  for (const char* reason : reasons)
    metrics.push_back(std::string("smsp__warp_issue_stalled_") + reason + "_per_warp_active.pct");
  return metrics;
}

std::vector<Counter> make_counters() {  // NOLINT(readability-function-size): a table
  return {
      {"gld_efficiency", {kLoadEfficiency}, kFirstUnlessZero,
       "%", kHigher, true, "of the bytes that global loads fetch, the share that was asked for"},
      {"gst_efficiency", {kStoreEfficiency}, kFirstUnlessZero,
       "%", kHigher, true, "of the bytes that global stores touch, the share that is written"},
      {"cp_async_efficiency", {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ldgsts.pct"}, kFirstUnlessZero,
       "%", kHigher, true, "gld_efficiency of cp.async, which is not among the global loads there"},
      {"gld_transactions_per_request", {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}, kFirstUnlessZero,
       "", kLower, true, "32-byte sectors that one global load of a warp touches: 4 is ideal for 4-byte elements"},
      {"gst_transactions_per_request", {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"}, kFirstUnlessZero,
       "", kLower, true, "32-byte sectors that one global store of a warp touches"},
      {"gld_transactions", {kLoadSectors}, kFirst,
       "", kLower, true, "32-byte sectors that global loads touch, in total"},
      {"gst_transactions", {kStoreSectors}, kFirst,
       "", kLower, true, "32-byte sectors that global stores touch, in total"},
      {"gld_throughput", {kLoadRate}, kFirst,
       "B/s", kHigher, true, "bytes of sectors that global loads took through the L1 cache"},
      {"gst_throughput", {kStoreRate}, kFirst,
       "B/s", kHigher, true, "bytes of sectors that global stores took through the L1 cache"},
      {"gld_requested_throughput", {kLoadRate, kLoadEfficiency}, kShareOfFirst,
       "B/s", kHigher, true, "of these, the bytes that were asked for"},
      {"gst_requested_throughput", {kStoreRate, kStoreEfficiency}, kShareOfFirst,
       "B/s", kHigher, true, "of these, the bytes that were written"},
      {"loads_per_result", {kLoadSectors, kLoadEfficiency, kStoreSectors, kStoreEfficiency}, kProductRatio,
       "", kLower, true, "bytes that global loads ask for, for each byte stored: K/8, K/16 for a product by tiles of 16, 32"},
      {"shared_load_throughput", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second"}, kWavefronts,
       "B/s", kHigher, true, "128 bytes for each turn of shared loads: what the banks were busy with"},
      {"shared_store_throughput", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second"}, kWavefronts,
       "B/s", kHigher, true, "128 bytes for each turn of shared stores"},
      {"shared_load_transactions", {kSharedLoadTurns}, kFirst,
       "", kLower, false, "turns of shared loads, in total"},
      {"shared_store_transactions", {kSharedStoreTurns}, kFirst,
       "", kLower, false, "turns of shared stores, in total"},
      {"shared_load_transactions_per_request", {kSharedLoadTurns, kSharedLoads},
       kRatio, "", kLower, true, "turns that one shared load of a warp takes: 1 without bank conflicts"},
      {"shared_store_transactions_per_request", {kSharedStoreTurns, kSharedStores},
       kRatio, "", kLower, true, "turns that one shared store of a warp takes"},
      {"shared_efficiency", {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"}, kFirstUnlessZero,
       "%", kHigher, true, "of the bytes that turns of shared memory can move, the share that was asked for"},
      {"shared_ld_bank_conflict", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}, kFirst,
       "", kLower, true, "turns of shared loads beyond the first, in total"},
      {"shared_st_bank_conflict", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}, kFirst,
       "", kLower, true, "turns of shared stores beyond the first, in total"},
      {"achieved_occupancy", {"sm__warps_active.avg.pct_of_peak_sustained_active"}, kFirst,
       "%", kHigher, true, "warps in flight, as a share of what a multiprocessor can hold"},
      {"branch_efficiency", {"smsp__sass_average_branch_targets_threads_uniform.pct", "smsp__sass_branch_targets.sum"},
       kFirstIfSecond, "%", kHigher, true, "branches that all threads of a warp take alike"},
      {"warp_execution_efficiency", {"smsp__thread_inst_executed_per_inst_executed.ratio"}, kShareOfWarp,
       "%", kHigher, false, "threads of a warp that take part, averaged over instructions"},
      {"issue_slot_utilization", {"smsp__issue_active.avg.pct_of_peak_sustained_active"}, kFirst,
       "%", kHigher, false, "cycles in which a scheduler issued an instruction"},
      {"stall_memory_dependency", stalls({"long_scoreboard"}), kSum,
       "%", kLower, true, "warps that wait for data from global or local memory, of the warps in flight"},
      {"stall_memory_throttle", stalls({"lg_throttle", "drain"}), kSum,
       "%", kLower, true, "warps that wait as the queue to global and local memory is full, or for their last stores"},
      {"stall_mio_throttle", stalls({"mio_throttle"}), kSum,
       "%", kLower, true, "warps that wait as the queue to shared memory and special functions (MIO) is full"},
      {"stall_short_scoreboard", stalls({"short_scoreboard"}), kSum,
       "%", kLower, true, "warps that wait for data from shared memory or a special function (MIO)"},
      {"stall_sync", stalls({"barrier", "membar"}), kSum,
       "%", kLower, true, "warps that wait for others at a barrier, or at a memory fence"},
      {"stall_exec_dependency", stalls({"wait"}), kSum,
       "%", kLower, true, "warps that wait the fixed time of the instruction before"},
      {"stall_pipe_busy", stalls({"math_pipe_throttle"}), kSum,
       "%", kLower, true, "warps that wait for a busy arithmetic pipe"},
      {"stall_tensor", stalls({"gmma"}), kSum,
       "%", kLower, true, "warps that wait for a wgmma (compute capability 9.0)"},
      {"stall_not_selected", stalls({"not_selected"}), kSum,
       "%", kLower, true, "warps that could go on, while another one was chosen"},
      {"stall_inst_fetch", stalls({"no_instruction", "branch_resolving"}), kSum,
       "%", kLower, false, "warps that wait for their next instruction, or for a branch"},
      {"ipc", {"sm__inst_executed.avg.per_cycle_active"}, kFirst,
       "", kHigher, false, "instructions of warps a cycle and multiprocessor: at most 4"},
      {"inst_executed", {"smsp__inst_executed.sum"}, kFirst,
       "", kLower, false, "instructions of warps, in total"},
      {"inst_executed_local_loads", {"smsp__inst_executed_op_local_ld.sum"}, kFirst,
       "", kLower, false, "loads from local memory: spilled registers and indexed arrays"},
      {"inst_executed_local_stores", {"smsp__inst_executed_op_local_st.sum"}, kFirst,
       "", kLower, false, "stores to local memory"},
      {"dram_throughput", {"dram__bytes.sum.per_second"}, kFirst,
       "B/s", kHigher, true, "bytes to and from device memory"},
      {"dram_utilization", {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}, kFirst,
       "%", kHigher, true, "the same, as a share of the theoretical peak"},
      {"dram_read_bytes", {"dram__bytes_read.sum"}, kFirst,
       "B", kLower, false, "bytes from device memory"},
      {"dram_write_bytes", {"dram__bytes_write.sum"}, kFirst,
       "B", kLower, false, "bytes to device memory; what is still in the L2 cache at the end is not among them"},
      {"l2_throughput", {"lts__t_bytes.sum.per_second"}, kFirst,
       "B/s", kHigher, false, "bytes through the L2 cache"},
      {"l2_utilization", {"lts__throughput.avg.pct_of_peak_sustained_elapsed"}, kFirst,
       "%", kHigher, true, "the busiest part of the L2 cache, as a share of its peak"},
      {"l2_hit_rate", {"lts__t_sector_hit_rate.pct"}, kFirst,
       "%", kHigher, false, "sectors that were in the L2 cache"},
      {"l1_throughput", {"l1tex__t_bytes.sum.per_second"}, kFirst,
       "B/s", kHigher, false, "bytes through the L1 cache"},
      {"l1_utilization", {"l1tex__throughput.avg.pct_of_peak_sustained_active"}, kFirst,
       "%", kHigher, true, "the busiest part of the L1 cache and shared memory, as a share of its peak"},
      {"l1_hit_rate", {"l1tex__t_sector_hit_rate.pct"}, kFirst,
       "%", kHigher, false, "sectors that were in the L1 cache"},
      {"fma_utilization", {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"}, kFirst,
       "%", kHigher, false, "cycles in which the FP32 pipes were busy"},
      {"tensor_utilization", {kTensorOfHopper, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"}, kFirstThere,
       "%", kHigher, true, "cycles in which the tensor cores multiplied matrices"},
      {"tma_load_bytes", {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"}, kFirst,
       "B", kLower, true, "bytes that the Tensor Memory Accelerator fetched: not among the global loads"},
      {"tma_store_bytes", {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum"}, kFirst,
       "B", kLower, true, "bytes that the Tensor Memory Accelerator stored: not among the global stores"},
  };
}
// clang-format on

std::optional<double> metric_of(const ProfiledBenchmark& benchmark, const std::string& metric) {
  const auto found = benchmark.counters.find(metric);
  if (found == benchmark.counters.end()) return {};
  return found->second;
}

// Three significant digits: counters are read at a glance.
std::string short_number(double value) {
  const double size = std::abs(value);
  const int digits = size >= 99.95 || value == std::round(value) ? 0 : size >= 9.995 ? 1 : 2;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

struct Prefix {
  double factor;
  const char* name;
};
constexpr Prefix kPrefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};

}  // namespace

const std::vector<Counter>& counters() {
  static const std::vector<Counter> table = make_counters();
  return table;
}

std::vector<std::string> wanted_metrics() {
  std::vector<std::string> metrics{kDurationMetric};
  for (const auto& counter : counters())
    for (const auto& metric : counter.metrics)
      if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
  return metrics;
}

bool is_counted(const Counter& counter, const ProfiledBenchmark& benchmark) {
  const auto is_there = [&](const std::string& metric) { return metric_of(benchmark, metric).has_value(); };
  const auto& metrics = counter.metrics;
  return counter.combine == Combine::kFirstThere ? std::ranges::any_of(metrics, is_there)
                                                 : std::ranges::all_of(metrics, is_there);
}

std::optional<double> counter_value(const Counter& counter, const ProfiledBenchmark& benchmark) {
  if (!is_counted(counter, benchmark)) return {};
  if (counter.combine == Combine::kFirstThere) {
    const auto own = metric_of(benchmark, counter.metrics.front());
    return own ? own : metric_of(benchmark, counter.metrics.back());
  }
  const double first = *metric_of(benchmark, counter.metrics.front());
  const auto at = [&](std::size_t i) { return *metric_of(benchmark, counter.metrics.at(i)); };
  const auto divided = [](double part, double by) { return by == 0 ? std::optional<double>{} : part / by; };
  switch (counter.combine) {
    case Combine::kFirstUnlessZero:
      return first == 0 ? std::optional<double>{} : first;
    case Combine::kShareOfWarp:
      return 100 * first / kThreadsOfWarp;
    case Combine::kShareOfFirst:
      return first == 0 ? std::optional<double>{} : first * at(1) / 100;
    case Combine::kWavefronts:
      return first * kBytesOfWavefront;
    case Combine::kRatio:
      return divided(first, at(1));
    case Combine::kProductRatio:
      return first * at(1) == 0 ? std::optional<double>{} : divided(first * at(1), at(2) * at(3));
    case Combine::kFirstIfSecond:
      return at(1) == 0 ? std::optional<double>{} : first;
    case Combine::kSum: {
      double sum = 0;
      for (std::size_t i = 0; i < counter.metrics.size(); ++i) sum += at(i);
      return sum;
    }
    case Combine::kFirst:
    case Combine::kFirstThere:
      break;
  }
  return first;
}

std::string format_counter(double value, const std::string& unit) {
  if (!std::isfinite(value)) return "–";
  if (unit == "%") return short_number(value) + " %";
  for (const auto& [factor, name] : kPrefixes)
    if (std::abs(value) >= factor * 0.9995) return short_number(value / factor) + " " + name + unit;
  return short_number(value) + (unit.empty() ? "" : " " + unit);
}

std::vector<CounterRow> counter_rows(const ProfiledBenchmark* base, const ProfiledBenchmark* candidate) {
  std::vector<CounterRow> rows;
  for (const auto& counter : counters()) {
    CounterRow row{counter.name, counter.unit, counter.better, counter.summary, {}, {}};
    if (base != nullptr) row.base = counter_value(counter, *base);
    if (candidate != nullptr) row.candidate = counter_value(counter, *candidate);
    if (row.base || row.candidate) rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

constexpr double kAgreementMin = 0.6;
constexpr std::size_t kVariantsMin = 4;
constexpr double kSlowerMin = 1.05;
constexpr double kWorseMin = 1.5;

// Counters of a profiler vary a little from launch to launch, and what is small varies much.
constexpr double kFactorMin = 1.05;
constexpr double kPointsMin = 2;
constexpr double kShareFloor = 5;     // per cent: less counts as that
constexpr double kTotalFloor = 0.01;  // of the largest total of the unit, likewise
constexpr double kSameFactor = 0.02;  // as a logarithm

int sign(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Kendall 1945, with ties; 0 where one of them is the same everywhere.
double kendall_tau_b(const std::vector<double>& a, const std::vector<double>& b) {
  double together = 0;
  double differ_in_a = 0;
  double differ_in_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int of_a = sign(a[i] - a[j]);
      const int of_b = sign(b[i] - b[j]);
      together += of_a * of_b;
      differ_in_a += std::abs(of_a);
      differ_in_b += std::abs(of_b);
    }
  const double most = std::sqrt(differ_in_a * differ_in_b);
  return most > 0 ? together / most : 0;
}

// What is slower moves less a second, whatever the reason.
bool follows_from_time(const Counter& counter) {
  return counter.unit == "B/s" || counter.name.ends_with("_utilization") || counter.name == "ipc";
}

bool is_total(const Counter& counter) {
  return counter.combine == Combine::kFirst && counter.metrics.front().ends_with(".sum");
}

// By unit: the largest total of either side.
std::map<std::string, double> largest_totals(const std::vector<const ProfiledBenchmark*>& sides) {
  std::map<std::string, double> largest;
  for (const auto* side : sides)
    for (const auto& counter : counters())
      if (is_total(counter)) {
        double& most = largest[counter.unit];
        most = std::max(most, counter_value(counter, *side).value_or(0));
      }
  return largest;
}

// How much worse a variant is than another one, as a ratio; 0 where one of them has no value above 0.
double worse_by(const Counter& counter, const ProfiledBenchmark& variant, const ProfiledBenchmark& than) {
  const double value = counter_value(counter, variant).value_or(0);
  const double other = counter_value(counter, than).value_or(0);
  if (value <= 0 || other <= 0) return 0;
  return counter.better == Better::kLower ? value / other : other / value;
}

// The order that it puts the variants in: equal for counters that say the same.
std::vector<int> order_of(const std::vector<double>& values) {
  std::vector<int> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) order.push_back(sign(values[i] - values[j]));
  return order;
}

}  // namespace

std::vector<const ProfiledBenchmark*> by_time(const Profile& profile, const TimesS& times_s) {
  std::vector<const ProfiledBenchmark*> timed;
  for (const auto& benchmark : profile.benchmarks)
    if (times_s.contains(benchmark.name)) timed.push_back(&benchmark);
  std::ranges::stable_sort(
      timed, [&](const auto* a, const auto* b) { return times_s.at(a->name) < times_s.at(b->name); });
  return timed;
}

std::vector<FollowingCounter> counters_that_follow(const Profile& profile, const TimesS& times_s) {
  const auto timed = by_time(profile, times_s);
  if (timed.size() < kVariantsMin) return {};
  std::vector<double> times;
  for (const auto* benchmark : timed) times.push_back(times_s.at(benchmark->name));
  std::vector<FollowingCounter> following;
  std::set<std::vector<int>> orders;
  for (const auto& counter : counters()) {
    if (!counter.in_table || counter.unit == "B/s") continue;
    std::vector<double> cost;  // the worse, the higher
    for (const auto* benchmark : timed)
      if (const auto value = counter_value(counter, *benchmark))
        cost.push_back(counter.better == Better::kLower ? *value : -*value);
    if (cost.size() != timed.size()) continue;
    const double agreement = kendall_tau_b(cost, times);
    if (agreement < kAgreementMin || !orders.insert(order_of(cost)).second) continue;
    following.push_back({&counter, agreement, std::abs(cost.front()), std::abs(cost.back())});
  }
  std::ranges::stable_sort(following, [](const auto& a, const auto& b) { return a.agreement > b.agreement; });
  return following;
}

std::vector<MovedCounter> counters_that_moved(const ProfiledBenchmark& base,
                                              const ProfiledBenchmark& candidate) {
  struct Move {
    MovedCounter moved;
    double factor;  // as a logarithm, above 0
  };
  const auto totals = largest_totals({&base, &candidate});
  std::vector<Move> moves;
  for (const auto& counter : counters()) {
    if (follows_from_time(counter)) continue;
    const auto before = counter_value(counter, base);
    const auto now = counter_value(counter, candidate);
    if (!before || !now || !(std::isfinite(*before) && std::isfinite(*now)) || std::min(*before, *now) < 0)
      continue;
    const bool is_share = counter.unit == "%";
    const double least = is_share            ? kShareFloor
                         : is_total(counter) ? totals.at(counter.unit) * kTotalFloor
                                             : 0;
    const double low = std::max(std::min(*before, *now), least);
    const double high = std::max(std::max(*before, *now), least);
    if (low <= 0 || (is_share && high - low < kPointsMin)) continue;
    const double factor = std::log(high / low);
    const bool is_known = std::ranges::any_of(
        moves, [&](const Move& other) { return std::abs(other.factor - factor) < kSameFactor; });
    if (factor < std::log(kFactorMin) || is_known) continue;
    moves.push_back(
        {{&counter, *before, *now, (*now > *before) == (counter.better == Better::kLower)}, factor});
  }
  std::ranges::stable_sort(moves, [](const Move& a, const Move& b) { return a.factor > b.factor; });
  std::vector<MovedCounter> moved;
  for (const auto& move : moves) moved.push_back(move.moved);
  return moved;
}

std::vector<SlowingCounter> counters_that_slow(const Profile& profile, const TimesS& times_s) {
  constexpr double kClearly = 1.02;  // of counters that say the same, the table's first
  const auto timed = by_time(profile, times_s);
  std::vector<SlowingCounter> slowing;
  for (const auto* variant : timed) {
    if (times_s.at(variant->name) < kSlowerMin * times_s.at(timed.front()->name)) continue;
    const Counter* worst = nullptr;
    double most = kWorseMin / kClearly;
    for (const auto& counter : counters()) {
      if (!counter.in_table || follows_from_time(counter) || counter.name.starts_with("stall_")) continue;
      const double worse = worse_by(counter, *variant, *timed.front());
      if (worse < kClearly * most) continue;
      worst = &counter;
      most = worse;
    }
    if (worst == nullptr) continue;
    const auto known =
        std::ranges::find_if(slowing, [&](const SlowingCounter& one) { return one.counter == worst; });
    if (known != slowing.end())
      known->variants.push_back(variant);
    else
      slowing.push_back({worst, counter_value(*worst, *timed.front()).value_or(0), {variant}});
  }
  return slowing;
}

}  // namespace tracker::profile
