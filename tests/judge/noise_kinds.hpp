// Noise that is no bell curve, and whole reports of it: two sides of identical code, or with known changes,
// without runs, so that thousands of them can be judged.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/random.hpp"
#include "tracker/judge/decision.hpp"

namespace tracker::test {

// The invocations of one job, in the order they run, as deviations of logarithms. `scale` is the deviation of
// a quiet invocation.
struct NoiseKind {
  const char* name;
  std::function<void(Random&, std::vector<double>& logs, double scale)> fill;

  friend void PrintTo(const NoiseKind& kind, std::ostream* out) { *out << kind.name; }
};

const NoiseKind& bell();
const std::vector<NoiseKind>& noise_kinds();  // all others

// Who comes first in a round.
enum class Order { kFixed, kAlternating, kRandom };

struct ReportPlan {
  NoiseKind kind = bell();
  double share = 1;  // of the benchmarks that have this noise; the others have bells
  int benchmarks = 14;
  int pairs = 10;
  double scale = 0.001;
  std::function<double(Random&, int benchmark)> scale_of = {};  // instead, where there is one
  double threshold = 1e-9;                                      // so that nothing but the interval decides
  Order order = Order::kRandom;
  int past_pairs = 0;  // neighbours in earlier jobs that are known of every benchmark
  double change = 0;   // of every seventh benchmark's candidate, from the seventh on; of a single one
  // Instead of the change: where it takes the logarithm of an invocation.
  std::function<double(double log)> moves = {};
  double error = 0.01;       // of the report
  double job_deviation = 0;  // above 0: two jobs on one board, not side by side
  double jobs_known = 0;     // above 0: a history says that jobs deviate by so much
};

// The benchmarks of one report, with what is known of their past.
struct SimulatedReport {
  std::vector<judge::BenchmarkEvidence> benchmarks;
  NoiseModel known;
};
SimulatedReport simulate_report(const ReportPlan& plan, Random& random);

// The verdicts of a report on these benchmarks, in their order.
std::vector<Comparison> judge_benchmarks(const std::vector<judge::BenchmarkEvidence>& benchmarks,
                                         judge::ReportContext context);

bool has_change(const ReportPlan& plan, int benchmark);
bool has_noise_kind(const ReportPlan& plan, int benchmark);

// In the order of the benchmarks.
std::vector<Comparison> judge_report(const ReportPlan& plan, const SimulatedReport& report);

// So many of `trials` as this rate gives by chance, three standard deviations included.
double at_most(double rate, int trials);
double at_least(double rate, int trials);

}  // namespace tracker::test
