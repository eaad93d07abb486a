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

class BarProgress : public Progress {
 public:
  BarProgress(std::ostream& out, int columns) : out_(out), columns_(std::max(columns, 40)) {}

  void begin(int steps) override { left_ = TimeLeft(steps); }
  void extend(int steps) override { left_.extend(steps); }
  void start_step(const std::string& what) override {
    what_ = what;
    started_ = Clock::now();
    draw();
  }
  void tick() override { draw(); }
  void end_step() override {
    left_.add(since(started_));
    draw();
  }
  void skip_step() override { left_.skip(); }
  void end() override { out_ << "\r\x1b[K" << std::flush; }

 private:
  void draw() {
    const double running_s = since(started_);
    const double left_s = left_.seconds(running_s);
    constexpr int kCells = 24;
    const double share = left_.steps() == 0 ? 1 : static_cast<double>(left_.done()) / left_.steps();
    const int full = static_cast<int>(std::lround(share * kCells));
    std::string bar;
    for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
    std::string line = bar + " " + std::to_string(left_.done()) + "/" + std::to_string(left_.steps());
    line +=
        left_s < 0 ? ", " + format_duration(running_s) + " so far" : ", " + format_duration(left_s) + " left";
    line += "  " + what_;
    while (display_width(line) >= static_cast<std::size_t>(columns_)) {
      while ((static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
      line.pop_back();
    }
    out_ << "\r" << line << "\x1b[K" << std::flush;
  }

  std::ostream& out_;
  int columns_;
  TimeLeft left_{0};
  std::string what_;
  Clock::time_point started_ = Clock::now();
};

class LineProgress : public Progress {
 public:
  explicit LineProgress(std::ostream& out) : out_(out) {}

  void begin(int steps) override { left_ = TimeLeft(steps); }
  void extend(int steps) override { left_.extend(steps); }
  void start_step(const std::string& what) override {
    what_ = what;
    started_ = Clock::now();
  }
  void tick() override {}
  void end_step() override {
    const double taken_s = since(started_);
    left_.add(taken_s);
    constexpr int kLinesMax = 100;
    const auto line = [&](int done) {
      return std::int64_t{done} * kLinesMax / std::max(left_.steps(), kLinesMax);
    };
    if (line(left_.done()) == line(left_.done() - 1) && left_.done() < left_.steps()) return;
    out_ << "[" << left_.done() << "/" << left_.steps() << "] " << what_ << ": " << format_duration(taken_s);
    if (left_.done() < left_.steps()) out_ << ", " << format_duration(left_.seconds(0)) << " left";
    out_ << std::endl;
  }
  void skip_step() override { left_.skip(); }
  void end() override {}

 private:
  std::ostream& out_;
  TimeLeft left_{0};
  std::string what_;
  Clock::time_point started_ = Clock::now();
};

class NoProgress : public Progress {
 public:
  void begin(int) override {}
  void extend(int) override {}
  void start_step(const std::string&) override {}
  void tick() override {}
  void end_step() override {}
  void skip_step() override {}
  void end() override {}
};

}  // namespace

std::unique_ptr<Progress> make_bar_progress(std::ostream& out, int columns) {
  return std::make_unique<BarProgress>(out, columns);
}
std::unique_ptr<Progress> make_line_progress(std::ostream& out) {
  return std::make_unique<LineProgress>(out);
}
std::unique_ptr<Progress> make_no_progress() {
  return std::make_unique<NoProgress>();
}

void TimeLeft::add(double seconds) {
  ++done_;
  total_s_ += seconds;
}

double TimeLeft::seconds(double running_s) const {
  if (done_ == 0) return -1;
  return std::max(total_s_ / done_ * (steps_ - done_) - running_s, 0.0);
}

}  // namespace tracker
