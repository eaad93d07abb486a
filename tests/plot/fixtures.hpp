// Data and folders that the chart tests share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tracker/model/series.hpp"

namespace tracker {

inline const Metric kBandwidth{"bytes_per_second", "B/s", Better::kHigher};
inline const Metric kTime{"real_time", "s", Better::kLower};

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tracker-plot-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    path_ = pattern;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string commit_of(int position) {
  std::string digits;
  unsigned state = static_cast<unsigned>(position) * 2654435761u + 12345u;
  for (int i = 0; i < 40; ++i) {
    state = state * 1664525u + 1013904223u;
    digits += "0123456789abcdef"[(state >> 24) & 15u];
  }
  return digits;
}

inline SeriesPoint point_at(int position, double median, double half_width) {
  SeriesPoint point;
  point.commit = commit_of(position);
  point.subject = "Change something";
  point.date = "2026-11-" + std::to_string(10 + position % 20) + "T12:00:00Z";
  point.position = position;
  point.median = median;
  point.spread = {median - half_width, median + half_width};
  point.invocations = 5;
  return point;
}

// `count` commits with medians around `value`, the last fifth of them lower by `drop`, a share.
inline Series make_series(int count, double value = 3.48e12, double drop = 0.05) {
  Series series;
  series.device = "nvidia-h200-140gib-700w";
  series.benchmark = "transpose/smem_padded/f32/8192x8192";
  series.metric = kBandwidth;
  series.threshold = 0.02;
  for (int i = 0; i < count; ++i) {
    const double wave = 1 + 0.002 * ((i * 7) % 5 - 2);
    const double level = i >= count - count / 5 ? 1 - drop : 1;
    series.points.push_back(point_at(i, value * wave * level, value * 0.003));
  }
  const auto dropped = static_cast<std::size_t>(count - count / 5);
  if (drop > 0 && dropped < series.points.size())
    series.steps.push_back({dropped, value, value * (1 - drop), true, count / 5 >= 3});
  if (count > 1) series.base = series.points[static_cast<std::size_t>(count) / 2].commit;
  series.references = {{"theoretical peak", 4.916e12}, {"copy_row", 3.93e12}};
  return series;
}

inline FamilyOverview make_overview(int variants, int shapes) {
  FamilyOverview overview;
  overview.device = "nvidia-h200-140gib-700w";
  overview.family = "transpose";
  overview.commit = commit_of(1);
  overview.metric = kBandwidth;
  for (int s = 0; s < shapes; ++s) {
    FamilyPanel panel;
    panel.shape = std::to_string(1024 << s) + "x1024";
    for (int v = 0; v < variants; ++v) {
      const double median = 3.9e12 * (v + 1) / variants * (1 - 0.05 * s);
      panel.bars.push_back({"variant_" + std::to_string(v), median, {median * 0.99, median * 1.01}});
    }
    panel.references = {{"theoretical peak", 4.916e12}, {"variant_0", panel.bars[0].median}};
    overview.panels.push_back(panel);
  }
  return overview;
}

// Variants against blocks: each row is best somewhere else, and a few cells were refused.
inline SweepGrid make_sweep_grid(int rows, int columns) {
  SweepGrid grid;
  grid.device = "nvidia-h200-140gib-700w";
  grid.title = "transpose_blocks/f32/8192x8192";
  grid.commit = commit_of(1);
  grid.metric = kBandwidth;
  grid.row_title = "variant";
  grid.column_title = "block x × y";
  for (int c = 0; c < columns; ++c) grid.columns.push_back(std::to_string(8 * (c + 1)) + "x8");
  for (int r = 0; r < rows; ++r) {
    grid.rows.push_back("variant_" + std::to_string(r));
    grid.thresholds.push_back(0.02);
    auto& line = grid.cells.emplace_back();
    for (int c = 0; c < columns; ++c) {
      const int distance = (c + 3 * r) % columns;
      const bool refused = (r * columns + c) % 11 == 7;
      line.push_back(refused ? std::nullopt : std::optional(3.9e12 / (1 + 0.25 * distance + 0.1 * r)));
    }
  }
  return grid;
}

}  // namespace tracker
