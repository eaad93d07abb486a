// How far measuring has come, for a person waiting.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::measure {

class Progress {
 public:
  virtual ~Progress() = default;
  // Called again, it goes on: what is done stays counted, and the time left is told from what a step has
  // taken.
  virtual void begin(int steps) = 0;
  virtual void extend(int steps) = 0;  // so many more
  virtual void start_step(const std::string& what) = 0;
  // What is known of the step that has just started: how long it takes, and how many benchmarks it runs; 0
  // where that is not known.
  virtual void expect(double seconds, int benchmarks) = 0;
  virtual void benchmark_done() = 0;
  virtual void tick() = 0;  // called about ten times a second while a step runs
  virtual void end_step() = 0;
  // The same where so many steps are under way `at_once`: this one ended, after so long.
  virtual void end_one_of(int at_once, const std::string& what, double taken_s) = 0;
  virtual void skip_step() = 0;  // one that was counted in begin() is not done
  // What holds of all steps from now on, in a few words: "6 undecided, 21 min of the time budget left".
  virtual void tell(const std::string& state) = 0;
  virtual void end() = 0;
};

// One line that is drawn again and again, with a bar and the time left.
std::unique_ptr<Progress> make_bar_progress(std::ostream& out, int columns);
// Plain lines for logs: one a step, or every so many steps where there are more than a hundred; and within a
// long step one every `pause`.
std::unique_ptr<Progress> make_line_progress(std::ostream& out,
                                             std::chrono::milliseconds pause = std::chrono::seconds(30));

// The time that the remaining steps will take, from the mean of those that have ended. Pure.
class TimeLeft {
 public:
  explicit TimeLeft(int steps) : steps_(steps) {}
  // So many steps follow those that are done. They may be shorter or longer: until one of them has ended, the
  // mean of the others stands for them.
  void go_on(int steps);
  void add(double seconds);
  void skip() { --steps_; }
  void extend(int steps) { steps_ += steps; }
  // How long one step will take, as long as none has ended.
  void expect(double seconds) { expected_s_ = seconds; }
  int done() const { return done_; }
  int steps() const { return steps_; }
  // Negative while nothing is known. `running_s`: what the step under way has taken already.
  double seconds(double running_s) const;
  // Of one step; 0 while nothing is known.
  double step_s() const { return counted_ == 0 ? expected_s_ : total_s_ / counted_; }

 private:
  int steps_;
  int done_ = 0;
  int counted_ = 0;     // of those that are done, since go_on()
  double total_s_ = 0;  // that these took
  double expected_s_ = 0;
};

// How long an invocation will take, from what the binaries list. Pure.

struct Expectation {
  std::size_t benchmarks = 0;
  std::size_t open = 0;    // of them, with a number of iterations that says nothing of their time
  double seconds = 0;      // of one invocation, those that are open aside
  double min_time_s = 0;   // of one repetition, where the benchmark says nothing else
  std::size_t manual = 0;  // of them, those that measure their time themselves
};

// `lines`: benchmarks as --benchmark_list_tests prints them, with what they say of iterations, minimum time
// and repetitions. `arguments`: of the binary; --benchmark_min_time is looked for.
Expectation expect_time(const std::vector<std::string>& lines, const std::vector<std::string>& arguments,
                        int repetitions);

// "620 benchmarks × 5 repetitions of 0.5 s or more: about 38 min a round, 3 h 10 min for 5". A round is one
// invocation of every binary on each of the sides, and so is what the expectation is of.
std::string expectation_in_words(const Expectation& round, int repetitions, int rounds, int sides);

// "the first invocation took 1 min 29 s, not 51 s: about 7 min 23 s in all", where it took much longer than
// expected; empty where it did not. `all_s`: what was said of all of them.
std::string learned_in_words(double expected_s, double taken_s, double all_s);

// Nobody is advised to measure fewer rounds than this to save time.
constexpr int kShortenedRoundsMin = 3;

// What the samples of an invocation are the times of. 0 where that is not known: a program that says nothing
// of iterations has one each.
double measured_s(const Invocation& invocation);

struct JobTimes {
  double wall_s = 0;      // that invocations took
  double measured_s = 0;  // of it, what their samples are the times of; 0: not known
  double all_wall_s = 0;  // that all rounds would take
};

// How many of `rounds` are worth their time, at least kShortenedRoundsMin: all of them if the job is no
// longer than `long_s`, or measuring takes most of it; otherwise about as many as fit into the time that all
// of them would take if nothing but measuring took time.
int rounds_worth_it(int rounds, const JobTimes& times, double long_s);

// "measured 3 rounds instead of 5, as a round takes 2.4 times what it measures; -n 5 measures all"
std::string shortened_in_words(int rounds, int of, const JobTimes& times);

// What makes a job of so many repetitions shorter.
std::string how_to_shorten_in_words(int repetitions);

// Counts the benchmarks that a binary has printed a result of, while it runs. Pure.

class BenchmarkCounter {
 public:
  // `listed`: by name, the line that lists it. Each is counted at most `times` times.
  BenchmarkCounter(const std::map<std::string, std::string>& listed, int times);
  // How many more have ended in this piece of what it prints.
  int read(std::string_view text);

 private:
  std::map<std::string, int, std::less<>> left_;  // what a line of results starts with → how often it counts
  std::string line_;                              // the one that has no end yet
};

}  // namespace tracker::measure
