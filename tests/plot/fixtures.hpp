// Data and folders that the chart tests share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tracker/model/series.hpp"

namespace tracker::plot {

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

// What a device allows, and nothing measured.
inline Roofline empty_roofline() {
  Roofline roofline;
  roofline.device = "nvidia-h200-140gib-700w";
  roofline.commit = commit_of(1);
  roofline.peak_bytes_per_second = 4.8e12;
  roofline.peak_flops = 67e12;
  roofline.core_clock_mhz = 1980;
  roofline.memory_clock_mhz = 3201;
  return roofline;
}

inline RooflinePoint product_at(const std::string& group, const std::string& variant, int side, double flops,
                                double peak_flops = 67e12, double bytes_an_element = 4) {
  const std::string n = std::to_string(side);
  RooflinePoint point;
  point.group = group;
  point.variant = variant;
  point.shape = n + "x" + n + "x" + n;
  point.benchmark = group + "/" + variant + "/" + point.shape;
  point.flops_per_second = flops;
  point.bytes_per_second = flops / (2.0 * side / (3 * bytes_an_element));
  point.peak_flops = peak_flops;
  return point;
}

inline RooflinePoint copy_at(const std::string& variant, int side, double bytes) {
  RooflinePoint point;
  point.group = "transpose f32";
  point.variant = variant;
  point.shape = std::to_string(side) + "x" + std::to_string(side);
  point.benchmark = "transpose/" + variant + "/f32/" + point.shape;
  point.bytes_per_second = bytes;
  return point;
}

// Products of as many variants and sizes in each of the groups, and copies of two sizes.
inline Roofline make_roofline(int variants, int sizes, int groups) {
  Roofline roofline = empty_roofline();
  for (int g = 0; g < groups; ++g)
    for (int v = 0; v < variants; ++v)
      for (int s = 0; s < sizes; ++s) {
        const double share = 0.8 * (v + 1) / variants / (1 + 0.3 * (sizes - 1 - s));
        const double peak = g == 1 ? 1070e12 : g == 2 ? 535e12 : 67e12;
        roofline.points.push_back(product_at("gemm " + std::to_string(g), "variant_" + std::to_string(v),
                                             1024 << s, peak * share, peak, g == 1 ? 2 : 4));
        roofline.points.back().is_bound = v + 1 == variants;
      }
  for (int v = 0; v < variants; ++v)
    for (const int side : {2048, 8192})
      roofline.points.push_back(
          copy_at("copy_" + std::to_string(v), side, 4e12 * (v + 1) / variants * (side / 8192.0 + 1) / 2));
  roofline.measured = {"copy_0 8192x8192", 4e12};
  return roofline;
}

}  // namespace tracker::plot
