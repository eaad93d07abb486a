// A roofline: how fast each benchmark of one commit is, against what its device allows. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker {

struct RooflinePoint {
  std::string benchmark;
  std::string group;  // points that are drawn alike: "gemm f32"
  std::string variant;
  std::string shape;                 // "4096x4096x4096"; may be empty
  double bytes_per_second = 0;       // of the traffic that is stated, not of what was moved
  double flops_per_second = 0;       // 0: it only moves data
  std::optional<double> peak_flops;  // FLOP/s
  bool is_bound = false;             // others are compared with it

  double intensity() const { return flops_per_second / bytes_per_second; }  // FLOP per byte
};

struct Roofline {
  std::string device;  // the key
  std::string commit;
  std::vector<RooflinePoint> points;
  std::optional<double> peak_bytes_per_second;  // theoretical
  std::optional<double> peak_flops;             // theoretical, FP32
  std::optional<double> core_clock_mhz;         // that the peaks are stated for
  std::optional<double> memory_clock_mhz;
  std::optional<ReferenceLine> measured;  // the best bandwidth of a benchmark that only moves data
  std::vector<std::string> unplaced;      // names: FLOP/s are known, bytes are not
};

}  // namespace tracker
