// A job under way: what was made of it so far, and what is to be made again.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tracker/measure/invoke.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/measure/measure.hpp"
#include "tracker/measure/plan.hpp"
#include "tracker/measure/progress.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker::measure {

class Job {
 public:
  Job(const std::vector<Target>& targets, const Options& options, const LocalEnvironment& environment,
      Progress& progress);

  // Settles what is measured, which may start the binaries to list it. False after Ctrl-C.
  bool choose();
  // Makes these rounds. False after Ctrl-C.
  bool take(const std::vector<PartRound>& rounds);
  std::vector<PartRound> first_rounds() const;
  // Leaves out what was disturbed and, once that is made up for, the warm-up; gives the rounds that are to be
  // made instead. In the end there are none.
  std::vector<PartRound> rounds_again();
  // Invocations in these rounds.
  int steps(const std::vector<PartRound>& rounds) const;
  // To be called last.
  Measured finish();

 private:
  struct Made {
    Step step;
    std::size_t file = 0;  // its place among its target's
  };

  bool list(std::size_t target, const Binary& binary, Listing& listing);
  bool choose_binary(const Binary& binary);
  [[noreturn]] void refuse_no_match() const;
  void tell(const std::string& what) const;
  // How long it will take, and what makes it shorter.
  void tell_expectation();
  void tell_load() const;
  bool on_cpu() const;
  void settle_cpus();
  Expectation expectation_of(const JobPart& part) const;
  void leave_out_halves();
  void tell_what_is_missing(const Binary& binary) const;
  using Guard = std::unique_lock<std::mutex>;
  // Of the steps of one part and round on one board, which follow one another.
  using Unit = std::vector<Step>;
  bool runs_on_cpu(const Unit& unit) const;
  // `board`: its place among the options' boards. Gives the guard back while a binary runs; so does
  // take_step().
  void take_unit(const Unit& unit, std::optional<std::size_t> board, Guard& guard);
  void take_on_boards(std::vector<Unit> units);
  void work_on_board(std::size_t board, std::vector<std::deque<Unit>>& queues);
  void take_step(const Step& step, std::optional<std::size_t> board, Guard& guard);
  void keep(const Step& step, InvocationOutcome outcome);
  // What was just measured on this board shows that it is ill: its rounds are left to the others. Environment
  // error where there is none.
  void leave_out_board(const Device& board, const std::string& illness);
  bool has_failed(const Step& step) const;
  // Whether its round is one of those that wall time is too long for; then it is not made.
  bool is_too_many(const Unit& unit);
  // Whether a round that starts now would end after the deadline; then it is not started.
  bool is_out_of_time(const Step& first);
  InvocationSpec spec_for(std::size_t target, const Binary& binary) const;
  std::filesystem::path output_for(const Step& step) const;
  std::string step_name(const Step& step) const;
  // What was made of these parts, by board; without boards all of it is of one.
  std::map<std::string, std::vector<Taken>> taken_by_board(const std::set<std::size_t>& parts);
  std::vector<Taken> taken_of(const std::set<std::size_t>& parts);
  std::vector<PartRound> retakes();
  void leave_out_warm_up();

  const std::vector<Target>& targets_;
  const Options& options_;
  const LocalEnvironment& environment_;
  Progress& progress_;
  int invocations_ = options_.invocations;       // rounds: the options', or fewer (shorten_above_s)
  bool is_settled_ = !options_.shorten_above_s;  // how many they are
  JobTimes times_;
  double expected_all_s_ = 0;  // as it was said before the first invocation
  bool is_first_ = true;       // no invocation has ended yet
  std::mt19937_64 random_{options_.seed};
  NameClaims claims_;
  std::map<std::string, LibraryFlags> flags_;  // by key_of() the binary: what it knows on all targets
  LoadWatch load_;
  std::vector<int> cpus_;  // that benchmarks may run on; empty: all
  std::map<std::string, std::map<std::string, std::string>> listed_;  // key → name → the line that lists it
  std::vector<JobPart> parts_;
  std::vector<Made> made_;
  std::set<std::pair<std::size_t, std::size_t>> failed_;  // part, target
  std::map<std::size_t, int> retaken_;                    // part → rounds
  std::set<std::string> warmed_up_;                       // keys of binaries
  bool warm_up_sought_ = false;
  int next_round_ = options_.first_round + options_.invocations;
  Measured measured_;
  mutable std::mutex mutex_;  // of all that a step changes, and of the progress
  std::exception_ptr failure_;
  std::set<std::string> ill_boards_;
  double longest_s_ = 0;  // of a part's round
  bool out_of_time_ = false;
};

}  // namespace tracker::measure
