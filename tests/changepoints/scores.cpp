#include "tests/changepoints/scores.hpp"

#include <algorithm>
#include <set>

namespace tracker::changepoints {
namespace {

Places with_zero(const Places& places) {
  std::set<std::size_t> all(places.begin(), places.end());
  all.insert(0);
  return {all.begin(), all.end()};
}

Places segment_ends(const Places& places, std::size_t count) {
  Places ends = with_zero(places);
  while (!ends.empty() && ends.back() >= count) ends.pop_back();
  ends.push_back(count);
  return ends;
}

double covering_of(const Places& labelled, const Places& found, std::size_t count) {
  const Places truth = segment_ends(labelled, count);
  const Places said = segment_ends(found, count);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < truth.size(); ++i) {
    double best = 0;
    for (std::size_t j = 0; j + 1 < said.size(); ++j) {
      const std::size_t from = std::max(truth[i], said[j]);
      const std::size_t to = std::min(truth[i + 1], said[j + 1]);
      if (from >= to) continue;
      const std::size_t whole = std::max(truth[i + 1], said[j + 1]) - std::min(truth[i], said[j]);
      best = std::max(best, static_cast<double>(to - from) / static_cast<double>(whole));
    }
    sum += best * static_cast<double>(truth[i + 1] - truth[i]);
  }
  return sum / static_cast<double>(count);
}

}  // namespace

std::size_t matched(const Places& labels, const Places& found, std::size_t margin) {
  Places open = found;
  std::size_t hits = 0;
  const auto apart = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
  for (const std::size_t label : labels) {
    const auto nearest = std::min_element(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
      return apart(a, label) < apart(b, label);
    });
    if (nearest == open.end() || apart(*nearest, label) > margin) continue;
    open.erase(nearest);
    ++hits;
  }
  return hits;
}

double f1(const std::vector<Places>& annotators, const Places& found) {
  const Places said = with_zero(found);
  std::set<std::size_t> any;
  double recall = 0;
  for (const auto& places : annotators) {
    const Places labels = with_zero(places);
    any.insert(labels.begin(), labels.end());
    recall += static_cast<double>(matched(labels, said)) / static_cast<double>(labels.size());
  }
  recall /= static_cast<double>(annotators.size());
  const double precision =
      static_cast<double>(matched({any.begin(), any.end()}, said)) / static_cast<double>(said.size());
  return 2 * precision * recall / (precision + recall);
}

double covering(const std::vector<Places>& annotators, const Places& found, std::size_t count) {
  double sum = 0;
  for (const auto& labels : annotators) sum += covering_of(labels, found, count);
  return sum / static_cast<double>(annotators.size());
}

}  // namespace tracker::changepoints
