#include "tracker/measure/progress.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker::measure {
namespace {

using Clock = std::chrono::steady_clock;

// What both ways to show it know: the steps, and the one under way.
class StepProgress : public Progress {
 public:
  explicit StepProgress(std::ostream& out) : sink(out) {}

  void begin(int steps) override { time_left.go_on(steps); }
  void extend(int steps) override { time_left.extend(steps); }
  void start_step(const std::string& what) override {
    doing = printable(what);
    done_ = benchmarks_ = 0;
    started_ = Clock::now();
  }
  void expect(double seconds, int benchmarks) override {
    time_left.expect(seconds);
    benchmarks_ = benchmarks;
  }
  void benchmark_done() override { ++done_; }
  void skip_step() override { time_left.skip(); }

 protected:
  double running_s() const { return seconds_since(started_); }
  // ", 12 of 620 benchmarks"; empty while the binary has told of none.
  std::string benchmarks() const {
    if (done_ == 0 || benchmarks_ == 0) return {};
    return ", " + std::to_string(std::min(done_, benchmarks_)) + " of " + count_of(benchmarks_, "benchmark");
  }
  // The part of the step that is done, by the benchmarks that have ended or the time a step usually takes;
  // below 1.
  double share() const {
    constexpr double kAlmost = 0.99;
    const double by_count = benchmarks_ > 0 ? static_cast<double>(done_) / benchmarks_ : 0;
    const double by_time = time_left.step_s() > 0 ? running_s() / time_left.step_s() : 0;
    return std::min(std::max(by_count, by_time), kAlmost);
  }

  std::ostream& sink;
  TimeLeft time_left{0};
  std::string doing;

 private:
  int done_ = 0;
  int benchmarks_ = 0;
  Clock::time_point started_ = Clock::now();
};

class BarProgress : public StepProgress {
 public:
  BarProgress(std::ostream& out, int columns) : StepProgress(out), columns_(std::max(columns, 40)) {}

  void start_step(const std::string& what) override {
    StepProgress::start_step(what);
    running_ = true;
    draw();
  }
  void tick() override { draw(); }
  void end_step() override {
    running_ = false;
    end_one_of(1, doing, running_s());
  }
  void end_one_of(int at_once, const std::string&, double taken_s) override {
    time_left.add(taken_s / at_once);
    draw();
  }
  void tell(const std::string& state) override { state_ = state; }
  void end() override { sink << "\r\x1b[K" << std::flush; }

 private:
  void draw() {
    const double running = running_ ? running_s() : 0;
    const double left_s = time_left.seconds(running);
    constexpr int kCells = 24;
    const double done = time_left.done() + (running_ ? share() : 0);
    const int full =
        static_cast<int>(std::lround((time_left.steps() == 0 ? 1 : done / time_left.steps()) * kCells));
    std::string line;
    for (int i = 0; i < kCells; ++i) line += i < full ? "█" : "░";
    line += " " + std::to_string(time_left.done()) + "/" + std::to_string(time_left.steps());
    line +=
        left_s < 0 ? ", " + format_duration(running) + " so far" : ", " + format_duration(left_s) + " left";
    if (!state_.empty()) line += ", " + state_;
    line += "  " + doing + (running_ ? benchmarks() : "");
    while (display_width(line) >= static_cast<std::size_t>(columns_)) {
      while ((static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
      line.pop_back();
    }
    sink << "\r" << line << "\x1b[K" << std::flush;
  }

  int columns_;
  bool running_ = false;
  std::string state_;
};

class LineProgress : public StepProgress {
 public:
  LineProgress(std::ostream& out, std::chrono::milliseconds pause) : StepProgress(out), pause_(pause) {}

  void start_step(const std::string& what) override {
    StepProgress::start_step(what);
    said_ = Clock::now();
  }
  void tick() override {
    if (Clock::now() - said_ < pause_) return;
    said_ = Clock::now();
    const double left_s = time_left.seconds(running_s());
    sink << "        " << doing << ": " << format_duration(running_s()) << " so far" << benchmarks()
         << (left_s > 0 ? ", " + format_duration(left_s) + " left in all" : "") << std::endl;
  }
  void end_step() override { end_one_of(1, doing, running_s()); }
  void end_one_of(int at_once, const std::string& what, double taken_s) override {
    time_left.add(taken_s / at_once);
    constexpr int kLinesMax = 10;  // a log is read afterwards
    const auto line = [&](int done) {
      return std::int64_t{done} * kLinesMax / std::max(time_left.steps(), kLinesMax);
    };
    if (line(time_left.done()) == line(time_left.done() - 1) && time_left.done() < time_left.steps()) return;
    sink << "[" << time_left.done() << "/" << time_left.steps() << "] " << printable(what) << ": "
         << format_duration(taken_s);
    if (time_left.done() < time_left.steps())
      sink << ", " << format_duration(time_left.seconds(0)) << " left";
    sink << std::endl;
  }
  void tell(const std::string&) override {}  // lines before the steps say it
  void end() override {}

 private:
  std::chrono::milliseconds pause_;
  Clock::time_point said_ = Clock::now();
};

}  // namespace

std::unique_ptr<Progress> make_bar_progress(std::ostream& out, int columns) {
  return std::make_unique<BarProgress>(out, columns);
}
std::unique_ptr<Progress> make_line_progress(std::ostream& out, std::chrono::milliseconds pause) {
  return std::make_unique<LineProgress>(out, pause);
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

namespace {

constexpr double kMinTimeDefaultS = 0.5;
// The library aims at 1.4 times the least time, and takes up to about 0.3 of it to find the iterations.
constexpr double kAim = 1.4;
constexpr double kFindingIterations = 0.3;
// What lies between the launches of a benchmark that measures its time itself is in none of its times: an
// invocation of such took 1.7 times as long on an H100.
constexpr double kManualTime = 1.7;

std::optional<double> number_at(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || !(value >= 0)) return {};
  return value;
}

// The value of "key:VALUE" among the segments of a name.
std::optional<double> said(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("/" + key + ":");
  if (at == std::string::npos) return {};
  return number_at(std::string_view(line).substr(at + key.size() + 2));
}

}  // namespace

Expectation expect_time(const std::vector<std::string>& lines, const std::vector<std::string>& arguments,
                        int repetitions) {
  constexpr std::string_view kMinTime = "--benchmark_min_time=";
  Expectation expectation;
  expectation.min_time_s = kMinTimeDefaultS;
  bool by_iterations = false;
  for (const auto& argument : arguments) {
    if (!argument.starts_with(kMinTime)) continue;
    by_iterations = argument.ends_with('x');
    expectation.min_time_s =
        number_at(std::string_view(argument).substr(kMinTime.size())).value_or(kMinTimeDefaultS);
  }
  for (const auto& line : lines) {
    ++expectation.benchmarks;
    const auto own_min_time_s = said(line, "min_time");
    if (said(line, "iterations") || (by_iterations && !own_min_time_s)) {
      ++expectation.open;
      continue;
    }
    const double count = said(line, "repeats").value_or(repetitions);
    const bool is_manual = line.find("/manual_time") != std::string::npos;
    if (is_manual) ++expectation.manual;
    expectation.seconds += own_min_time_s.value_or(expectation.min_time_s) *
                           (kAim * count + kFindingIterations) * (is_manual ? kManualTime : 1);
    expectation.seconds += said(line, "min_warmup_time").value_or(0);
  }
  return expectation;
}

std::string expectation_in_words(const Expectation& round, int repetitions, int rounds, int sides) {
  const std::string head =
      count_of(round.benchmarks, "benchmark") + " × " + count_of(repetitions, "repetition");
  const std::string of_sides = sides > 1 ? " of both sides" : "";
  if (round.seconds <= 0)
    return head + " of a fixed number of iterations, " + count_of(rounds, "invocation") + of_sides +
           ": the first one shows how long it takes";
  return head + " of " + format_quantity(round.min_time_s, "s") + " or more: about " +
         format_duration(round.seconds) + " an invocation" + of_sides + ", " +
         format_duration(round.seconds * rounds) + " for " + std::to_string(rounds) +
         (round.open > 0 ? ", without those of a fixed number of iterations" : "") +
         (round.manual > 0 ? "; the first one shows how much longer those of manual time take" : "");
}

std::string learned_in_words(double expected_s, double taken_s, double all_s) {
  constexpr double kMuchLonger = 1.3;
  constexpr double kWorthSayingS = 30;
  if (!(expected_s > 0) || taken_s < kMuchLonger * expected_s) return "";
  const double all = all_s * taken_s / expected_s;
  if (all - all_s < kWorthSayingS) return "";
  return "the first invocation took " + format_duration(taken_s) + ", not " + format_duration(expected_s) +
         ": about " + format_duration(all) + " in all";
}

double measured_s(const Invocation& invocation) {
  constexpr double kNsInS = 1e9;
  double time_ns = 0;
  bool counts = false;
  for (const auto& [name, samples] : invocation.samples)
    for (std::size_t i = 0; i < std::min(samples.iterations.size(), samples.real_time_ns.size()); ++i) {
      time_ns += samples.real_time_ns[i] * static_cast<double>(samples.iterations[i]);
      counts = counts || samples.iterations[i] > 1;
    }
  return counts ? time_ns / kNsInS : 0;
}

int rounds_worth_it(int rounds, const JobTimes& times, double long_s) {
  constexpr double kUsual = 1.3;  // starting a binary and finding the iterations take a part of any job
  constexpr double kMultiple = 1.6;
  if (times.all_wall_s <= long_s || !(times.measured_s > 0) || times.wall_s < kMultiple * times.measured_s)
    return rounds;
  const double worth = std::ceil(rounds * kUsual * times.measured_s / times.wall_s);
  return std::min(rounds, std::max(kShortenedRoundsMin, static_cast<int>(worth)));
}

std::string shortened_in_words(int rounds, int of, const JobTimes& times) {
  const double multiple = std::round(10 * times.wall_s / times.measured_s) / 10;
  return "measured " + count_of(rounds, "round") + " instead of " + std::to_string(of) +
         ", as a round takes " + format_plain(multiple) + " times what it measures; -n " +
         std::to_string(of) + " measures all";
}

std::string how_to_shorten_in_words(int repetitions) {
  constexpr int kFew = 3;
  std::string text = "shorter: fewer benchmarks (--filter), ";
  if (repetitions > 1)
    text += "fewer repetitions (-r " + std::to_string(repetitions > kFew ? kFew : 1) + "), ";
  return text +
         "or less time for each (arguments = [\"--benchmark_min_time=0.1s\"] in [[binary]], or behind the "
         "binary)";
}

namespace {

// Results stand in columns behind the name: what is before the first blank tells most names apart.
std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find(' '));
}

}  // namespace

BenchmarkCounter::BenchmarkCounter(const std::map<std::string, std::string>& listed, int times) {
  for (const auto& [name, line] : listed) left_[std::string(first_word(line))] += times;
}

int BenchmarkCounter::read(std::string_view text) {
  int ended = 0;
  line_ += text;
  std::size_t from = 0;
  for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', from)) {
    const std::string_view line = std::string_view(line_).substr(from, end - from);
    from = end + 1;
    const auto found = left_.find(first_word(line));
    if (found == left_.end() || found->second == 0 || line.find(' ') == std::string_view::npos) continue;
    --found->second;
    ++ended;
  }
  line_.erase(0, from);
  return ended;
}

}  // namespace tracker::measure
