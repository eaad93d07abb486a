#include "tests/quality/splits.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracker::quality {
namespace {

constexpr std::size_t kLeftOutMax = 2;
constexpr std::size_t kBlock = 4;  // rounds: two pairs

void add_pair(Split& split, std::size_t first, std::size_t second, test::Random& random) {
  if (random.uniform() < 0.5) std::swap(first, second);
  split.base.push_back(first);
  split.candidate.push_back(second);
}

}  // namespace

Split split_in_pairs(std::size_t rounds, std::size_t n, test::Random& random) {
  const std::size_t stretch = std::min(rounds, 2 * n + kLeftOutMax);
  std::vector<std::size_t> kept(stretch);
  std::iota(kept.begin(), kept.end(), random.below(rounds - stretch + 1));
  while (kept.size() > 2 * n)
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(random.below(kept.size())));
  Split split;
  for (std::size_t i = 0; i < kept.size(); i += 2) add_pair(split, kept[i], kept[i + 1], random);
  return split;
}

Split split_in_blocks(std::size_t rounds, std::size_t n, test::Random& random) {
  Split split;
  while (split.base.size() < n) {
    const std::size_t start = random.below(rounds - kBlock + 1);
    for (std::size_t i = 0; i < kBlock && split.base.size() < n; i += 2)
      add_pair(split, start + i, start + i + 1, random);
  }
  return split;
}

std::vector<std::size_t> pick(std::size_t rounds, std::size_t n, test::Random& random) {
  std::vector<std::size_t> kept(rounds);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  while (kept.size() > n) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(random.below(kept.size())));
  return kept;
}

std::vector<std::size_t> pick_in_blocks(std::size_t rounds, std::size_t n, test::Random& random) {
  std::vector<std::size_t> picked;
  while (picked.size() < n) {
    const std::size_t start = random.below(rounds - 1);
    for (std::size_t i = 0; i < 2 && picked.size() < n; ++i) picked.push_back(start + i);
  }
  return picked;
}

}  // namespace tracker::quality
