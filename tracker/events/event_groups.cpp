#include "tracker/events/event_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tracker {
namespace {

constexpr double kLikely = 1;
constexpr double kPossible = 0.5;
constexpr double kNear = 0.25;
constexpr double kSharedMin = 0.5;  // of the stretch that two drifts cover together

double vote(const ChangePlace& place, int position) {
  if (position >= place.likely_first && position <= place.likely_last) return kLikely;
  if (position >= place.first && position <= place.last) return kPossible;
  const int before = place.likely_first - place.first;
  const int after = place.last - place.likely_last;
  if (position >= place.first - before && position <= place.last + after) return kNear;
  return 0;
}

// The votes for each commit that is the likeliest of some change, as changes leave.
class Ballot {
 public:
  explicit Ballot(const std::vector<ChangePlace>& places) : places_(places) {
    for (const auto& place : places) commits_.push_back(place.likely_last);
    std::sort(commits_.begin(), commits_.end());
    commits_.erase(std::unique(commits_.begin(), commits_.end()), commits_.end());
    votes_.resize(commits_.size());
    supporters_.resize(commits_.size());
    for (std::size_t i = 0; i < places.size(); ++i) count(i, 1);
  }

  void leave(std::size_t change) { count(change, -1); }

  // The likeliest commit for most of those that are left; of several the oldest.
  int best() const {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < commits_.size(); ++i)
      if (supporters_[i] > 0 && votes_[i] > most) {
        most = votes_[i];
        best = i;
      }
    return commits_[best];
  }

 private:
  std::size_t index_of(int position) const {
    return static_cast<std::size_t>(std::lower_bound(commits_.begin(), commits_.end(), position) -
                                    commits_.begin());
  }

  void count(std::size_t change, int times) {
    const ChangePlace& place = places_[change];
    supporters_[index_of(place.likely_last)] += times;
    const int first = 2 * place.first - place.likely_first;
    for (std::size_t i = index_of(first); i < commits_.size(); ++i) {
      const double sum = vote(place, commits_[i]);
      if (sum <= 0) break;
      votes_[i] += times * sum;  // multiples of a quarter: exact
    }
  }

  const std::vector<ChangePlace>& places_;
  std::vector<int> commits_;
  std::vector<double> votes_;
  std::vector<int> supporters_;
};

double votes(const std::vector<ChangePlace>& places, const std::vector<std::size_t>& members, int position) {
  double sum = 0;
  for (const std::size_t i : members) sum += vote(places[i], position);
  return sum;
}

// Of each series the change that fits the commit best.
std::vector<std::size_t> members_at(const std::vector<ChangePlace>& places,
                                    const std::vector<std::size_t>& left, int position) {
  std::map<std::size_t, std::size_t> of_series;
  for (const std::size_t i : left) {
    if (vote(places[i], position) <= 0) continue;
    const auto [at, is_first] = of_series.try_emplace(places[i].series, i);
    if (!is_first && vote(places[i], position) > vote(places[at->second], position)) at->second = i;
  }
  std::vector<std::size_t> members;
  for (const auto& [series, member] : of_series) members.push_back(member);
  std::sort(members.begin(), members.end());
  return members;
}

// The positions around the likeliest commit that are about as likely.
void set_interval(const std::vector<ChangePlace>& places, ChangeGroup& group) {
  constexpr double kDoubt = 0.5;  // of one change's vote
  int first = places[group.members.front()].first;
  int last = places[group.members.front()].last;
  for (const std::size_t i : group.members) {
    first = std::min(first, places[i].first);
    last = std::max(last, places[i].last);
  }
  const double least = votes(places, group.members, group.seen) - kDoubt;
  group.first = group.last = group.seen;
  while (group.first > first && votes(places, group.members, group.first - 1) >= least) --group.first;
  while (group.last < last && votes(places, group.members, group.last + 1) >= least) ++group.last;
}

}  // namespace

std::vector<ChangeGroup> group_places(const std::vector<ChangePlace>& places) {
  std::vector<ChangeGroup> groups;
  Ballot ballot(places);
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    ChangeGroup group;
    group.seen = ballot.best();
    group.members = members_at(places, left, group.seen);
    set_interval(places, group);
    for (const std::size_t i : group.members) ballot.leave(i);
    std::erase_if(left, [&](std::size_t i) {
      return std::binary_search(group.members.begin(), group.members.end(), i);
    });
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<ChangeGroup> group_drifts(const std::vector<DriftPlace>& places) {
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto length = [&](std::size_t i) { return places[i].to - places[i].from; };
  std::stable_sort(left.begin(), left.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  std::vector<ChangeGroup> groups;
  while (!left.empty()) {
    const DriftPlace& longest = places[left.front()];
    ChangeGroup group{{}, longest.from, longest.from, longest.to};
    std::set<std::size_t> series;
    for (const std::size_t i : left) {
      const double shared = std::min(places[i].to, longest.to) - std::max(places[i].from, longest.from);
      const double covered = std::max(places[i].to, longest.to) - std::min(places[i].from, longest.from);
      if (shared >= kSharedMin * covered && series.insert(places[i].series).second)
        group.members.push_back(i);
    }
    std::sort(group.members.begin(), group.members.end());
    std::erase_if(left, [&](std::size_t i) {
      return std::binary_search(group.members.begin(), group.members.end(), i);
    });
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace tracker
