#include "tracker/measure/plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracker {
namespace {

// Fisher and Yates; std::shuffle's result differs between libraries. The modulus favours no place by more
// than one part in 2^50.
template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

std::vector<PartRound> all_rounds(std::size_t parts, int first_round, int rounds) {
  std::vector<PartRound> all;
  for (int round = first_round; round < first_round + rounds; ++round)
    for (std::size_t part = 0; part < parts; ++part) all.push_back({part, round});
  return all;
}

std::vector<Step> plan_steps(const std::vector<JobPart>& parts, const std::vector<PartRound>& rounds,
                             std::mt19937_64& random) {
  std::map<int, std::vector<std::size_t>> by_round;
  for (const auto& [part, round] : rounds) by_round[round].push_back(part);
  std::map<std::size_t, std::vector<std::size_t>>
      open_blocks;  // part → its targets' order in the first round
  std::vector<Step> steps;
  for (auto& [round, here] : by_round) {
    if (round > 1) shuffle(here, random);
    for (const std::size_t part : here) {
      std::vector<std::size_t> order;
      if (const auto open = open_blocks.extract(part); !open.empty()) {
        order = open.mapped();
        std::reverse(order.begin(), order.end());
      } else {
        order = parts[part].targets;
        shuffle(order, random);
        open_blocks[part] = order;
      }
      for (const std::size_t target : order) steps.push_back({part, target, round});
    }
  }
  return steps;
}

}  // namespace tracker
