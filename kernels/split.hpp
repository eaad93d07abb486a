// How a product's tiles of C are dealt out to the blocks of a device: whole ones in full rounds, and of what
// is left over, parts along k. Pure: no CUDA.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace kernels {

// The first `whole_tiles` are one block's work each. Each of the others is that of `parts` blocks, which take
// `depth` along k each (the last one may have less), and whose sums are added afterwards.
struct Split {
  std::int64_t whole_tiles = std::numeric_limits<std::int32_t>::max();
  std::int64_t parts = 1;
  std::int64_t depth = 0;
  bool operator==(const Split&) const = default;
};

// A split, and an estimate of the cycles that it takes, for a comparison with other splits.
struct SplitChoice {
  Split split;
  double cycles = 0;
};

// The split that should end first, for tiles of `depth` steps along k and a device that computes `blocks` of
// them at once. A part has at least `depth_min` steps, and there are at most `parts_max` parts in all. A Cost
// says in cycles what `count` units of so many steps take, of_units(count, steps, blocks), and what adding
// the parts takes, of_adding(parts, blocks); and, if it has one, what a sum of these becomes where memory is
// slower, of_memory(cycles, adding, units).
template <typename Cost>
constexpr SplitChoice choose_split(std::int64_t tiles, std::int64_t depth, std::int64_t blocks,
                                   std::int64_t depth_min, std::int64_t parts_max, const Cost& cost) {
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  const auto total = [&](double cycles, double adding, std::int64_t units) {
    if constexpr (requires { cost.of_memory(cycles, adding, units); }) {
      return cost.of_memory(cycles, adding, units);
    } else {
      return cycles;
    }
  };
  SplitChoice best{.split = {.whole_tiles = tiles, .parts = 1, .depth = depth},
                   .cycles = total(cost.of_units(tiles, depth, blocks), 0, tiles)};
  const std::int64_t whole = tiles / blocks * blocks;
  const std::int64_t left = tiles - whole;
  if (left == 0) {
    return best;
  }
  // As many parts as fill one round, two, …, and fewer, which are less to add.
  const std::int64_t fill = blocks / left;
  const std::int64_t wanted_max =
      std::min(depth / std::max<std::int64_t>(depth_min, 1), parts_max / std::max<std::int64_t>(left, 1));
  for (const std::int64_t each : {std::int64_t{2}, std::int64_t{3}, fill / 4, fill / 2, fill,
                                  2 * blocks / left, 3 * blocks / left, 4 * blocks / left}) {
    const std::int64_t wanted = std::min(each, wanted_max);
    if (wanted < 2) {
      continue;
    }
    const std::int64_t part_depth = up(depth, wanted);
    const std::int64_t parts = up(depth, part_depth);
    const double adding = cost.of_adding(left * parts, blocks);
    const double cycles =
        total(cost.of_units(whole, depth, blocks) + cost.of_units(left * parts, part_depth, blocks) + adding,
              adding, whole + left * parts);
    if (cycles < best.cycles) {
      best = {.split = {.whole_tiles = whole, .parts = parts, .depth = part_depth}, .cycles = cycles};
    }
  }
  return best;
}

// What was chosen for a shape last time: a choice takes as long to make as a launch. One of these a thread.
template <typename Choice>
class LastChoices {
 public:
  // choose() where it is not known for these sizes, on a device with so many multiprocessors.
  template <typename Choose>
  const Choice& find(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t device,
                     const Choose& choose) {
    const auto hash = static_cast<std::uint64_t>(m) * 0x9e3779b97f4a7c15U ^
                      static_cast<std::uint64_t>(n) * 0xbf58476d1ce4e5b9U ^
                      static_cast<std::uint64_t>(k) * 0x94d049bb133111ebU;
    Entry& entry = entries_[hash >> 58];
    if (entry.m != m || entry.n != n || entry.k != k || entry.device != device) {
      entry = {m, n, k, device, choose()};
    }
    return entry.choice;
  }

 private:
  struct Entry {
    std::int64_t m = -1;
    std::int64_t n = -1;
    std::int64_t k = -1;
    std::int64_t device = -1;
    Choice choice = {};
  };
  std::array<Entry, 64> entries_;
};

}  // namespace kernels
