// How far measuring has come, for a person waiting.
#pragma once

#include <chrono>
#include <memory>
#include <ostream>
#include <string>

namespace tracker {

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
// Silent.
std::unique_ptr<Progress> make_no_progress();

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

}  // namespace tracker
