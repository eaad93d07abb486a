// How fast the machine itself is, by a sentinel: benchmarks of a commit that stays the same, measured again
// and again. Where they move, the machine moved. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"

namespace tracker::history {

// A stretch in which the sentinel kept its level.
struct MachineEra {
  std::string facts;  // of the machine: "driver 580.159.04, board GPU-5d7fcfd0"
  std::string first;  // when the sentinel was measured first and last, UTC
  std::string last;
  std::size_t nights = 0;                   // runs of the sentinel
  std::map<std::string, double> log_times;  // by its benchmarks: the mean of the logarithms of their times
};

// How much longer the same code takes in one era than in another.
struct MachineShift {
  double log_time = 0;  // the logarithm of the ratio
  double error = 0;     // its standard deviation
};

class Sentinel {
 public:
  Sentinel() = default;  // nothing is known of the machine
  // Of the runs of one device those that are of the sentinel, in any order.
  explicit Sentinel(const std::vector<Run>& runs);

  bool empty() const { return nights_.empty(); }
  // In the order of their first nights.
  const std::vector<MachineEra>& eras() const { return eras_; }
  // The era of the night that is nearest to the run, of those on its board and with its driver. Without one:
  // kUnknownEra after the sentinel's first night, kNoEra before.
  std::uint16_t era_of(const Run& run) const;
  // From one era to another. Of a benchmark that the sentinel lacks: as its relatives moved, or else all.
  // None where an era is no number of one, or both share no benchmark.
  std::optional<MachineShift> shift(std::uint16_t from, std::uint16_t to, const std::string& benchmark) const;
  // "driver 570.1 → 580.2; the sentinel takes 3.1 % longer".
  std::string in_words(std::uint16_t from, std::uint16_t to, const std::string& benchmark) const;
  // The common move of the sentinel in a night, against the newest era: a share. In the order of time.
  struct Night {
    std::string started_at;
    std::uint16_t era = 0;
    double moved = 0;
  };
  std::vector<Night> drift() const;

 private:
  struct Measured {
    std::chrono::system_clock::time_point time;
    std::string started_at;
    std::string facts;
    std::uint16_t era = kNoEra;
    std::map<std::string, double> log_times;
  };

  void find_eras(const std::vector<Measured*>& of_facts, DeviceKind kind);
  void set_apart_odd_nights(const std::vector<Measured*>& of_facts);
  void learn_noise(DeviceKind kind);

  std::vector<Measured> nights_;  // in the order of time
  std::vector<MachineEra> eras_;
  std::map<std::string, double> deviations_;  // of a night's value in an era, by benchmark
};

// Gives each point the share that is the machine's, against the era of the newest point that has one: what is
// left is the code's.
void place_on_machine(Series& series, const Sentinel& sentinel);

}  // namespace tracker::history
