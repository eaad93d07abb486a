// What charts show, in words: for who cannot see them, and for the page that lists them.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

struct ChartWords {
  std::string title;        // "Trend of gemm/naive/f32/1024 on nvidia-h200"
  std::string description;  // sentences: what there is to see
};

// Of one benchmark on its devices.
ChartWords words_of(const std::vector<Series>& devices);
ChartWords words_of(const FamilyOverview& overview);
ChartWords words_of(const SweepGrid& grid);
ChartWords words_of(const Roofline& roofline);
ChartWords words_of(const ComparisonReport& report);
ChartWords words_of(const BenchmarkSamples& samples);

}  // namespace tracker
