// How often searches that are made up end with the right commit. TRACKER_BISECTIONS=200 makes so many of each
// kind instead of a few, and prints the table of docs/lab/bisect.md.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.hpp"
#include "tracker/base/text.hpp"
#include "tracker/stats/bisection.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

using test::Random;
using What = BisectionAdvice::What;

constexpr double kStep = 0.02;

// What is made up.
struct Kind {
  const char* name;
  int commits;
  double noise;   // of a pair
  double step;    // 0: there is none
  double tails;   // the share of pairs with six times the noise
  double offset;  // the deviation of each build's own offset
};

class MadeUp {
 public:
  MadeUp(const Kind& kind, Random& random)
      : kind_(kind),
        random_(random),
        guilty_(1 + static_cast<int>(random.below(static_cast<std::size_t>(kind.commits)))) {
    for (int i = 0; i <= kind.commits; ++i) offsets_.push_back(kind.offset * random.normal());
  }

  int guilty() const { return guilty_; }
  double pair(int commit) {
    const double level = commit >= guilty_ ? kind_.step : 0;
    const double wide = random_.uniform() < kind_.tails ? 6 : 1;
    return level + offsets_[static_cast<std::size_t>(commit)] + wide * kind_.noise * random_.normal();
  }

 private:
  const Kind& kind_;
  Random& random_;
  int guilty_;
  std::vector<double> offsets_;
};

struct Ended {
  int right = 0;
  int wrong = 0;
  int nothing = 0;
  int unclear = 0;
  std::vector<double> pairs;
  std::vector<double> commits;
};

Ended search_often(const Kind& kind, int searches) {
  Random random(20261122);
  Ended ended;
  for (int i = 0; i < searches; ++i) {
    MadeUp made_up(kind, random);
    Bisection search(kind.commits, {.smallest = kStep / 2});
    BisectionAdvice advice = search.advise();
    int pairs = 0;
    for (; advice.what == What::kMeasure; advice = search.advise()) {
      std::vector<double> ratios;
      for (int pair = 0; pair < advice.pairs; ++pair) ratios.push_back(made_up.pair(advice.commit));
      search.add(advice.commit, ratios);
      pairs += advice.pairs;
    }
    const bool found = advice.what == What::kFound;
    const bool right =
        found && kind.step > 0 && advice.first == made_up.guilty() && advice.last == made_up.guilty();
    ended.right += right ? 1 : 0;
    ended.wrong += found && !right ? 1 : 0;
    ended.nothing += advice.what == What::kNothing ? 1 : 0;
    ended.unclear += advice.what == What::kUnclear ? 1 : 0;
    int commits = 0;
    for (int commit = 1; commit <= kind.commits; ++commit) commits += search.pairs(commit) > 0 ? 1 : 0;
    ended.pairs.push_back(pairs);
    ended.commits.push_back(commits);
  }
  return ended;
}

// Plain bisection: so many pairs of each commit, and nearer to which end it lies decides.
double right_of_plain(const Kind& kind, int searches, int repeats) {
  Random random(20261122);
  int right = 0;
  for (int i = 0; i < searches; ++i) {
    MadeUp made_up(kind, random);
    const auto level = [&](int commit) {
      std::vector<double> ratios;
      for (int pair = 0; pair < repeats; ++pair) ratios.push_back(made_up.pair(commit));
      return median(ratios);
    };
    const double bad = level(kind.commits);
    int good_end = 0;
    int bad_end = kind.commits;
    while (bad_end - good_end > 1) {
      const int middle = (good_end + bad_end) / 2;
      (level(middle) > bad / 2 ? bad_end : good_end) = middle;
    }
    right += bad_end == made_up.guilty() ? 1 : 0;
  }
  return static_cast<double>(right) / searches;
}

int searches_wanted(int usually) {
  const char* text = std::getenv("TRACKER_BISECTIONS");
  return text != nullptr ? std::max(1, std::atoi(text)) : usually;
}

// The commits that plain bisection measures, with the bad end.
int commits_of_plain(int commits) {
  int count = 1;
  for (int rest = commits; rest > 1; rest = (rest + 1) / 2) ++count;
  return count;
}

std::string plain_in_words(const Kind& kind, int searches) {
  std::string text;
  for (const int repeats : {3, 5, 10, 20, 40, 80})
    if (text.empty() && right_of_plain(kind, searches, repeats) >= 0.95)
      text = std::to_string(repeats * commits_of_plain(kind.commits));
  return text.empty() ? "> " + std::to_string(80 * commits_of_plain(kind.commits)) : text;
}

void print_row(const Kind& kind, const Ended& ended, int searches) {
  if (std::getenv("TRACKER_BISECTIONS") == nullptr) return;
  std::cout << "| " << kind.name << " | " << kind.commits << " | " << format_share(kind.noise) << " | "
            << ended.right << " | " << ended.wrong << " | " << ended.nothing << " | " << ended.unclear
            << " | " << median(ended.commits) << " | " << median(ended.pairs) << " | "
            << std::round(mean(ended.pairs)) << " | "
            << (kind.step > 0 ? plain_in_words(kind, searches) : "–") << " |\n";
}

constexpr Kind kSteps[] = {{"normal", 32, 0.005, kStep, 0, 0},      {"normal", 32, 0.01, kStep, 0, 0},
                           {"normal", 32, 0.02, kStep, 0, 0},       {"normal", 100, 0.005, kStep, 0, 0},
                           {"normal", 100, 0.01, kStep, 0, 0},      {"normal", 100, 0.02, kStep, 0, 0},
                           {"tails", 32, 0.005, kStep, 0.08, 0},    {"tails", 32, 0.01, kStep, 0.08, 0},
                           {"offsets", 32, 0.005, kStep, 0, 0.003}, {"offsets", 32, 0.01, kStep, 0, 0.003}};

TEST(BisectionSimulation, TheRightCommitIsNamed) {
  for (const auto& kind : kSteps) {
    const int searches = searches_wanted(kind.noise > 0.015 ? 10 : 60);
    const Ended ended = search_often(kind, searches);
    print_row(kind, ended, searches);
    EXPECT_LE(ended.wrong, 0.05 * (ended.right + ended.wrong) + 1e-9) << kind.name << " " << kind.noise;
    EXPECT_GE(ended.right, 0.9 * searches) << kind.name << " " << kind.noise;
  }
}

TEST(BisectionSimulation, OnlyNoiseIsNothingToFind) {
  for (Kind kind : kSteps) {
    kind.step = 0;
    const int searches = searches_wanted(100);
    const Ended ended = search_often(kind, searches);
    print_row(kind, ended, searches);
    EXPECT_GE(ended.nothing, 0.95 * searches) << kind.name << " " << kind.noise;
    EXPECT_LE(ended.right + ended.wrong, 0.02 * searches) << kind.name << " " << kind.noise;
  }
}

}  // namespace
}  // namespace tracker::stats
