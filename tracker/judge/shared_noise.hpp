// The noise that a benchmark is believed to have. What a few invocations show of it is a poor estimate: it
// borrows from the benchmark's own past first, and then from the other benchmarks of the report.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/judge/noise_model.hpp"

namespace tracker::judge {

// One benchmark's noise, as variances of one invocation, or of one pair's difference.
struct NoiseShown {
  stats::Variance now;          // by the invocations that are compared
  stats::Variance past;         // by earlier ones; degrees 0: there are none
  double with_outliers = 0;     // the variance of all invocations, where some are excluded as outliers
  double past_invocations = 0;  // that the past is from, at least
  // What the variance of now is from: how far each invocation, or pair, lies from their mean, by its number.
  std::map<int, double> deviations = {};
  double base_range = 0;   // from the least logarithm of the base's invocations to the greatest
  std::string group = {};  // what shares its noise: times and rates (empty), or one counter
};

// What so few invocations cannot have shown: a benchmark that runs at one of two speeds in every invocation
// may have taken one on one side and the other on the other, and look quiet and changed.
struct HiddenModes {
  stats::Variance noise;  // that it may have
  int peers = 0;          // benchmarks of the report that move as far; 0: no other does
  int more = 0;           // invocations a side that would rule it out
};

// A change that looks real, or the least distance of two speeds that would hide one.
struct Suspicion {
  double change = 0;  // of logarithms
  bool paired = false;
  int base_invocations = 0;  // those of pairs, where they are paired
  int candidate_invocations = 0;
  double error = 0.01;    // the share of reports that may have any interval which misses
  int base_outliers = 0;  // left out besides; of pairs, where they are paired
  int candidate_outliers = 0;
  double comparisons = 8;   // of the report
  int at_second_speed = 0;  // of the candidate's invocations, where none of the base's is
  int alike = 1;            // benchmarks of the report with the same of these, itself included
};

// Noise is shared within a group alone: what a count does says nothing of a time.
class SharedNoise {
 public:
  // `error`: how often one interval may miss.
  explicit SharedNoise(std::vector<NoiseShown> shown, double error = 0.001);

  // What each is believed to have, in the order of the argument.
  const stats::Variance& of(std::size_t benchmark) const { return believed_[benchmark]; }

  // None where the chance of it, for all benchmarks that move as far, is at most the error allowed.
  std::optional<HiddenModes> hidden_modes(std::size_t benchmark, const Suspicion& suspicion) const;

  // How many more invocations a side rule out that one speed on one side and the other on the other hide a
  // change. None where the chance of that is small already.
  std::optional<int> more_to_rule_out_hiding(std::size_t benchmark, const Suspicion& suspicion) const;

  // How many more invocations a side would show that the base has not the second speed that some of the
  // candidate's invocations have, if as large a share of them goes on having it; at most so many. None where
  // the chance of it is small already.
  std::optional<int> more_to_tell_second_speed(std::size_t benchmark, const Suspicion& suspicion,
                                               int more_max) const;

 private:
  // Other benchmarks that move by so much by chance alone, and their noise, with as much weight as anything
  // usual has.
  struct Peers {
    int count = 0;
    stats::Variance noise;
  };
  // moves() of all of a group, the loudest first, and the sums of the first 0, 1, 2, … of them.
  struct Group {
    std::vector<double> moves;
    std::vector<double> sums{0};
  };
  void believe(const std::vector<std::size_t>& benchmarks, double error);  // of one group
  Peers peers_of(std::size_t benchmark, double change) const;
  double past_at_one_speed(std::size_t benchmark, const Suspicion& suspicion) const;  // invocations
  double moves(std::size_t benchmark) const;  // the variance of what it does by chance, outliers included

  std::vector<NoiseShown> shown_;
  std::vector<stats::Variance> pasts_;  // as far as they count today
  std::vector<stats::Variance> believed_;
  std::map<std::string, Group> groups_;
};

// Which benchmarks ran beside one another: those of one process move each other by per cents.

struct ChangedNeighbours {
  std::string words;    // what differed: "'a', 'b' and 3 more ran beside it only in the candidate"
  bool copies = false;  // another benchmark of the same name is among that ("a#2" beside "a")
};

// For the benchmarks that did not have the same others beside them on the two sides. A run that measured each
// benchmark in a process of its own has none beside any. Invocations that are left out count: what ran before
// them is what ran.
std::map<std::string, ChangedNeighbours> changed_neighbours(Runs base, Runs candidate);

// Days on which a machine measures otherwise: which of a history were unusual, and whether the sides' were.

// Fewer cannot say which days are the usual ones.
inline constexpr std::size_t kBenchmarksForDaysMin = 5;
inline constexpr std::size_t kJobsForDaysMin = 5;

// A day that moved most benchmarks away from where the usual days around it have them.
struct UnusualDay {
  std::string job;
  std::vector<double> offsets;  // of each benchmark, in their order, of logarithms
};

struct DaysSeen {
  int usual = 0;                    // number of days
  std::vector<UnusualDay> unusual;  // in the order of time

  bool is_unusual(const std::string& job) const;
};

// A day is unusual whose benchmarks lie, in the middle, three times as far from the usual days around it as
// usual days do, and farther than `least` (of logarithms). Benchmarks share their days; what the code did to
// a few of them, or to all of them for good, is none. No unusual ones where fewer than five benchmarks or
// jobs can be asked, or where half of the jobs would be: then nobody can say which days are the usual ones.
DaysSeen days_seen(const JobLevels& levels, double least);

// How one benchmark of the report moved between the two sides.
struct Moved {
  double estimate = 0;         // of logarithms
  double sampling = 0;         // its variance from the noise of invocations
  double job_factor = 0;       // times one job's variance: its variance from the jobs
  stats::Variance learned;     // one job's variance, as the history has it, or its usual days
  double history_degrees = 0;  // that the benchmark's own history has of it
  double all_days = 0;         // one job's variance with the unusual days, where there are any
};

// What a history of so few jobs leaves open: for each benchmark, the chance that one of the sides was
// measured on a day unlike all of the history's. If most benchmarks moved, each in its own way, suspect
// the day; a code change moves few of them, or all alike. Where the history had
// unusual days, and the base was measured on a usual one: the chance that the candidate was not.
std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day,
                                          const DaysSeen& before = {});

// The noise of a whole report.

// What a history whose days are of more kinds than one says of its usual days.
struct UsualDays {
  NoiseModel known;  // has every benchmark
  DaysSeen seen;     // the base was measured on a usual one
};

// What is known of a report beside the evidence of its benchmarks.
struct ReportContext {
  NoiseModel known;                                     // has every benchmark
  std::map<std::string, ChangedNeighbours> neighbours;  // changed_neighbours()
  DeviceKind kind = DeviceKind::kCpu;
  Distance distance = Distance::kSameJob;
  double error = 0.01;      // the share of such reports that may have any interval which misses
  int comparisons_min = 0;  // the error is shared among so many at least
  std::optional<UsualDays> usual_days = {};  // of one job a side, on one board
};

// Benchmarks of a report that noise decides on: their differences are known.
using OpenBenchmarks = std::span<const BenchmarkEvidence* const>;

// What the verdicts of one report share.
struct ReportNoise {
  ReportContext context;
  SharedNoise shared;           // in the order of the benchmarks
  JobNoise jobs;                // over all days
  JobNoise usual_jobs = {};     // over the usual days; the same where there are no others
  std::size_t comparisons = 0;  // of the report
  double confidence = 0;        // of one interval
  // Of each benchmark, that a side's day is unlike the history's; empty where nothing says so.
  std::vector<double> other_days = {};
  // By the rounds in which a candidate has a second speed: how many benchmarks have it there.
  std::map<std::vector<int>, int> second_speeds = {};

  bool paired() const { return context.distance == Distance::kSameJob; }
  // One job's offset, as a variance of logarithms; value 0 where the sides were measured in turn.
  stats::Variance of_one_job(const std::string& benchmark) const;
};

ReportNoise find_noise(OpenBenchmarks open, ReportContext context);

// How often one interval may miss, where all of a report together may do so with `error`. Bonferroni: as many
// comparisons share it; but few of them leave the rest unspent, as each is to be right by itself.
double error_of_one(double error, std::size_t comparisons);

}  // namespace tracker::judge
