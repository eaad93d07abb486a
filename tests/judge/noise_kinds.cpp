#include "tests/judge/noise_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tracker/judge/cause.hpp"
#include "tracker/judge/difference.hpp"

namespace tracker::test {
namespace {

NoiseKind two_modes(const char* name, double share_of_second, double apart, bool in_scales) {
  return {name, [=](Random& random, std::vector<double>& logs, double scale) {
            const double distance = in_scales ? apart * scale : apart;
            for (double& log : logs)
              log = (random.uniform() < share_of_second ? distance : 0) + scale * random.normal();
          }};
}

// Student's t with three degrees of freedom, of variance 1.
double heavy_tailed(Random& random) {
  double squares = 0;
  const double normal = random.normal();
  for (int i = 0; i < 3; ++i) {
    const double one = random.normal();
    squares += one * one;
  }
  return normal / std::sqrt(squares);
}

void autocorrelated(Random& random, std::vector<double>& logs, double scale) {
  constexpr double kLag1 = 0.6;
  double last = random.normal();
  for (double& log : logs) {
    log = scale * last;
    last = kLag1 * last + std::sqrt(1 - kLag1 * kLag1) * random.normal();
  }
}

judge::SideValues values(const std::vector<double>& logs) {
  judge::SideValues side;
  side.logs_by_job.push_back(logs);
  side.boards.push_back("board");
  side.rounds_by_job.emplace_back(logs.size());
  return side;
}

// One benchmark's two sides, measured side by side.
void measure_in_turn(const ReportPlan& plan, const NoiseKind& kind, double scale, Random& random,
                     judge::BenchmarkEvidence& e) {
  const auto pairs = static_cast<std::size_t>(plan.pairs);
  std::vector<double> logs(2 * pairs);
  kind.fill(random, logs, scale);
  std::vector<double> base;
  std::vector<double> candidate;
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool candidate_first = plan.order == Order::kAlternating ? i % 2 == 1
                                 : plan.order == Order::kRandom    ? random.uniform() < 0.5
                                                                   : false;
    base.push_back(logs[2 * i + (candidate_first ? 1 : 0)]);
    candidate.push_back(logs[2 * i + (candidate_first ? 0 : 1)]);
  }
  e.base.values = values(base);
  e.candidate.values = values(candidate);
}

void measure_in_two_jobs(const ReportPlan& plan, const NoiseKind& kind, double scale, Random& random,
                         judge::BenchmarkEvidence& e) {
  for (judge::SideValues* side : {&e.base.values, &e.candidate.values}) {
    std::vector<double> logs(static_cast<std::size_t>(plan.pairs));
    kind.fill(random, logs, scale);
    const double job = plan.job_deviation * random.normal();
    for (double& log : logs) log += job;
    *side = values(logs);
  }
}

constexpr double kJobDegrees = 10;

BenchmarkNoise past_of(const ReportPlan& plan, const NoiseKind& kind, double scale, Random& random) {
  BenchmarkNoise noise;
  if (plan.past_pairs == 0) return noise;
  std::vector<double> logs(static_cast<std::size_t>(plan.past_pairs) + 1);
  kind.fill(random, logs, scale);
  double squares = 0;
  for (std::size_t i = 1; i < logs.size(); ++i) squares += std::pow(logs[i] - logs[i - 1], 2);
  // Differences share their members: three of them are worth two.
  noise.successive = {squares / plan.past_pairs, plan.past_pairs * 2.0 / 3};
  return noise;
}

}  // namespace

const NoiseKind& bell() {
  static const NoiseKind kind{"bell", [](Random& random, std::vector<double>& logs, double scale) {
                                for (double& log : logs) log = scale * random.normal();
                              }};
  return kind;
}

const std::vector<NoiseKind>& noise_kinds() {
  static const std::vector<NoiseKind> kinds{
      two_modes("two_modes_5_percent_apart", 0.5, 0.05, false),
      two_modes("two_modes_1_percent_apart", 0.5, 0.01, false),
      two_modes("two_modes_4_deviations_apart", 0.5, 4, true),
      two_modes("a_rare_mode_5_percent_apart", 0.1, 0.05, false),
      {"heavy_tailed",
       [](Random& random, std::vector<double>& logs, double scale) {
         for (double& log : logs) log = scale * heavy_tailed(random);
       }},
      {"outliers",
       [](Random& random, std::vector<double>& logs, double scale) {
         for (double& log : logs) log = scale * random.normal() * (random.uniform() < 0.05 ? 20 : 1);
       }},
      {"autocorrelated", autocorrelated},
  };
  return kinds;
}

bool has_noise_kind(const ReportPlan& plan, int benchmark) {
  return benchmark < std::lround(plan.share * plan.benchmarks);
}

bool has_change(const ReportPlan& plan, int benchmark) {
  return plan.change != 0 && (plan.benchmarks == 1 || benchmark % 7 == 6);
}

SimulatedReport simulate_report(const ReportPlan& plan, Random& random) {
  SimulatedReport report;
  for (int i = 0; i < plan.benchmarks; ++i) {
    const NoiseKind& kind = has_noise_kind(plan, i) ? plan.kind : bell();
    const double scale = plan.scale_of ? plan.scale_of(random, i) : plan.scale;
    judge::BenchmarkEvidence e;
    e.name = std::to_string(i);
    e.gate.metric = find_metric("real_time");
    e.gate.threshold = plan.threshold;
    const bool in_turn = !(plan.job_deviation > 0);
    (in_turn ? measure_in_turn : measure_in_two_jobs)(plan, kind, scale, random, e);
    if (has_change(plan, i))
      for (double& log : e.candidate.values.logs_by_job.front())
        log = plan.moves ? plan.moves(log) : log + std::log1p(plan.change);
    judge::SideValues& base = e.base.values;
    judge::SideValues& candidate = e.candidate.values;
    e.contrast = in_turn ? judge::paired_contrast(base, candidate)
                         : judge::contrast(base, candidate, judge::Distance::kSameBoard);
    report.known.benchmarks[e.name] = past_of(plan, kind, scale, random);
    if (plan.jobs_known > 0)
      report.known.benchmarks[e.name].same_board = {plan.jobs_known * plan.jobs_known, kJobDegrees};
    report.benchmarks.push_back(std::move(e));
  }
  return report;
}

std::vector<Comparison> judge_benchmarks(const std::vector<judge::BenchmarkEvidence>& benchmarks,
                                         judge::ReportContext context) {
  std::vector<const judge::BenchmarkEvidence*> open;
  for (const auto& one : benchmarks) open.push_back(&one);
  const judge::ReportNoise noise = judge::find_noise(open, std::move(context));
  auto bases = judge::find_bases(open, noise);
  auto judged = judge::decide(bases, noise);
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i].reasons = judge::reasons_for(judged[i], bases[i]);
  return judged;
}

std::vector<Comparison> judge_report(const ReportPlan& plan, const SimulatedReport& report) {
  return judge_benchmarks(report.benchmarks, {.known = report.known,
                                              .kind = DeviceKind::kGpu,
                                              .distance = plan.job_deviation > 0 ? judge::Distance::kSameBoard
                                                                                 : judge::Distance::kSameJob,
                                              .error = plan.error});
}

double at_most(double rate, int trials) {
  const double expected = rate * trials;
  return expected + 3 * std::sqrt(expected * (1 - rate));
}

double at_least(double rate, int trials) {
  const double expected = rate * trials;
  return expected - 3 * std::sqrt(expected * (1 - rate));
}

}  // namespace tracker::test
