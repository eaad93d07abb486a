#include "tracker/measure/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The step under way.
class RunningStep {
 public:
  void start(const std::string& what) {
    what_ = what;
    done_ = benchmarks_ = 0;
    started_ = Clock::now();
  }
  void expect(int benchmarks) { benchmarks_ = benchmarks; }
  void benchmark_done() { ++done_; }
  double running_s() const { return since(started_); }
  const std::string& what() const { return what_; }
  // "12 of 620 benchmarks"; empty while the binary has told of none.
  std::string benchmarks() const {
    if (done_ == 0 || benchmarks_ == 0) return {};
    return std::to_string(std::min(done_, benchmarks_)) + " of " + count_of(benchmarks_, "benchmark");
  }
  // The part of it that is done, by the benchmarks that have ended or the time it usually takes; below 1.
  double share(double usual_s) const {
    const double by_count = benchmarks_ > 0 ? static_cast<double>(done_) / benchmarks_ : 0;
    const double by_time = usual_s > 0 ? running_s() / usual_s : 0;
    constexpr double kAlmost = 0.99;
    return std::min(std::max(by_count, by_time), kAlmost);
  }

 private:
  std::string what_;
  int done_ = 0;
  int benchmarks_ = 0;
  Clock::time_point started_ = Clock::now();
};

class BarProgress : public Progress {
 public:
  BarProgress(std::ostream& out, int columns) : out_(out), columns_(std::max(columns, 40)) {}

  void begin(int steps) override { left_.go_on(steps); }
  void extend(int steps) override { left_.extend(steps); }
  void start_step(const std::string& what) override {
    step_.start(what);
    running_ = true;
    draw();
  }
  void expect(double seconds, int benchmarks) override {
    left_.expect(seconds);
    step_.expect(benchmarks);
  }
  void benchmark_done() override { step_.benchmark_done(); }
  void tick() override { draw(); }
  void end_step() override {
    left_.add(step_.running_s());
    running_ = false;
    draw();
  }
  void end_one_of(int at_once, const std::string&, double taken_s) override {
    left_.add(taken_s / at_once);
    draw();
  }
  void skip_step() override { left_.skip(); }
  void tell(const std::string& state) override { state_ = state; }
  void end() override { out_ << "\r\x1b[K" << std::flush; }

 private:
  void draw() {
    const double running_s = running_ ? step_.running_s() : 0;
    const double left_s = left_.seconds(running_s);
    constexpr int kCells = 24;
    const double done = left_.done() + (running_ ? step_.share(left_.step_s()) : 0);
    const double share = left_.steps() == 0 ? 1 : done / left_.steps();
    const int full = static_cast<int>(std::lround(share * kCells));
    std::string bar;
    for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
    std::string line = bar + " " + std::to_string(left_.done()) + "/" + std::to_string(left_.steps());
    line +=
        left_s < 0 ? ", " + format_duration(running_s) + " so far" : ", " + format_duration(left_s) + " left";
    if (!state_.empty()) line += ", " + state_;
    line += "  " + step_.what();
    if (const auto benchmarks = step_.benchmarks(); running_ && !benchmarks.empty())
      line += ", " + benchmarks;
    while (display_width(line) >= static_cast<std::size_t>(columns_)) {
      while ((static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
      line.pop_back();
    }
    out_ << "\r" << line << "\x1b[K" << std::flush;
  }

  std::ostream& out_;
  int columns_;
  TimeLeft left_{0};
  RunningStep step_;
  bool running_ = false;
  std::string state_;
};

class LineProgress : public Progress {
 public:
  LineProgress(std::ostream& out, std::chrono::milliseconds pause) : out_(out), pause_(pause) {}

  void begin(int steps) override { left_.go_on(steps); }
  void extend(int steps) override { left_.extend(steps); }
  void start_step(const std::string& what) override {
    step_.start(what);
    said_ = Clock::now();
  }
  void expect(double seconds, int benchmarks) override {
    left_.expect(seconds);
    step_.expect(benchmarks);
  }
  void benchmark_done() override { step_.benchmark_done(); }
  void tick() override {
    if (Clock::now() - said_ < pause_) return;
    said_ = Clock::now();
    const double running_s = step_.running_s();
    const double left_s = left_.seconds(running_s);
    const auto benchmarks = step_.benchmarks();
    out_ << "        " << step_.what() << ": " << format_duration(running_s) << " so far"
         << (benchmarks.empty() ? "" : ", " + benchmarks)
         << (left_s > 0 ? ", " + format_duration(left_s) + " left in all" : "") << std::endl;
  }
  void end_step() override { end_one_of(1, step_.what(), step_.running_s()); }
  void end_one_of(int at_once, const std::string& what, double taken_s) override {
    left_.add(taken_s / at_once);
    constexpr int kLinesMax = 10;  // a log is read afterwards
    const auto line = [&](int done) {
      return std::int64_t{done} * kLinesMax / std::max(left_.steps(), kLinesMax);
    };
    if (line(left_.done()) == line(left_.done() - 1) && left_.done() < left_.steps()) return;
    out_ << "[" << left_.done() << "/" << left_.steps() << "] " << what << ": " << format_duration(taken_s);
    if (left_.done() < left_.steps()) out_ << ", " << format_duration(left_.seconds(0)) << " left";
    out_ << std::endl;
  }
  void skip_step() override { left_.skip(); }
  void tell(const std::string&) override {}  // lines before the steps say it
  void end() override {}

 private:
  std::ostream& out_;
  std::chrono::milliseconds pause_;
  TimeLeft left_{0};
  RunningStep step_;
  Clock::time_point said_ = Clock::now();
};

class NoProgress : public Progress {
 public:
  void begin(int) override {}
  void extend(int) override {}
  void start_step(const std::string&) override {}
  void expect(double, int) override {}
  void benchmark_done() override {}
  void tick() override {}
  void end_step() override {}
  void end_one_of(int, const std::string&, double) override {}
  void skip_step() override {}
  void tell(const std::string&) override {}
  void end() override {}
};

}  // namespace

std::unique_ptr<Progress> make_bar_progress(std::ostream& out, int columns) {
  return std::make_unique<BarProgress>(out, columns);
}
std::unique_ptr<Progress> make_line_progress(std::ostream& out, std::chrono::milliseconds pause) {
  return std::make_unique<LineProgress>(out, pause);
}
std::unique_ptr<Progress> make_no_progress() {
  return std::make_unique<NoProgress>();
}

void TimeLeft::go_on(int steps) {
  expected_s_ = step_s();
  counted_ = 0;
  total_s_ = 0;
  steps_ = done_ + steps;
}

void TimeLeft::add(double seconds) {
  ++done_;
  ++counted_;
  total_s_ += seconds;
}

double TimeLeft::seconds(double running_s) const {
  if (counted_ == 0 && expected_s_ <= 0) return -1;
  // What takes longer than usual is about to end.
  return step_s() * std::max(steps_ - done_ - 1, 0) +
         (steps_ > done_ ? std::max(step_s() - running_s, 0.0) : 0.0);
}

}  // namespace tracker
