#include "tracker/model/wandering_words.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr const char* kMovesByItself = "the level moves by itself, and no single ";

}  // namespace

std::string wandering_of(const Series& series) {
  if (!(series.wanders > 0)) return "";
  return "wanders by up to " + format_share(series.wanders) + ": " + kMovesByItself + "commit made it";
}

std::string wandering_at(const std::vector<std::string>& places) {
  if (places.empty()) return "";
  return std::string("wanders: ") + kMovesByItself + "value made what looks like a change at " +
         join(places, ", ");
}

std::string wandering_among(const std::vector<Series>& all, std::size_t named_max) {
  std::vector<const Series*> wandering;
  for (const auto& series : all)
    if (series.wanders > 0) wandering.push_back(&series);
  if (wandering.empty()) return "";
  std::stable_sort(wandering.begin(), wandering.end(),
                   [](const Series* a, const Series* b) { return a->wanders > b->wanders; });
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(named_max, wandering.size()); ++i)
    named.push_back(printable(wandering[i]->benchmark) + " by up to " + format_share(wandering[i]->wanders));
  if (wandering.size() > named_max) named.push_back(std::to_string(wandering.size() - named_max) + " more");
  const std::string who = wandering.size() == 1
                              ? "1 benchmark wanders by itself, moved by no single commit"
                              : count_of(wandering.size(), "benchmark") + " " + kWanderByThemselves;
  return who + ": " + join(named, ", ");
}

}  // namespace tracker
