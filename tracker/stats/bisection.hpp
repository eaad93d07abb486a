// Finding the commit that made a benchmark slower from noisy measurements. Pure: whoever uses it measures,
// and hands in what was seen.
//
// The commits after the good end are 1 … n, and n is the bad end. Each is measured in pairs with the good
// end; a value is the logarithm of their ratio, positive where the commit is worse. The model: a level that
// starts at zero and changes at few commits, by any size; every commit's build has an offset of its own
// (code layout), and pairs have noise. Both are learned from the pairs. The posterior over levels is computed
// on a grid, by the forward-backward algorithm (Rabiner 1989); which commit comes next is chosen by the
// expected information for its cost (Lindley 1956).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace tracker::stats {

struct BisectionOptions {
  double smallest = 0.01;    // the least slow-down that is looked for, as a logarithm; > 0
  double confidence = 0.95;  // of the answer
  int pairs_max = 100;       // of one commit
  int pairs_in_all_max = 2000;
  double build_pairs = 2;  // what a build costs, as a number of pairs
};

// A change of level as logarithms, with its interval of 95 %.
struct LevelInterval {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct BisectionAdvice {
  enum class What {
    kMeasure,  // `pairs` more of `commit`
    kFound,    // the change is at one of the commits first … last, which cannot be told apart
    kNothing,  // no commit is slower by `smallest` or more
    kUnclear   // more pairs would not help
  };
  What what = What::kMeasure;
  int commit = 0;
  int pairs = 0;
  int first = 0;  // also where it is not found yet: the likeliest place
  int last = 0;
  double probability = 0;  // of a slow-down at first … last; of none at all where there is nothing
};

class Bisection {
 public:
  Bisection(int commits, const BisectionOptions& options);

  // Pairs of the commit. What is not finite is left out.
  void add(int commit, std::span<const double> log_ratios);
  // What earlier measurements in other jobs say of the commit, with their variance: where to begin.
  void add_hint(int commit, double log_ratio, double variance);
  // It cannot be measured.
  void skip(int commit);
  // From the one to the other (0: the good end) nothing changed: they are the same program.
  void set_same(int from, int to);
  // What a build costs, as a number of pairs; `built`: the commits that need none.
  void set_build_cost(double pairs, std::vector<bool> built);

  // What to do next, by all that was added until now.
  BisectionAdvice advise();
  // The probability of a slow-down at one of these commits, or at any of them all.
  double probability(int first, int last);
  double probability_of_any();
  // What the pairs show of a commit, without what the other commits say, with this confidence; none where
  // there are no pairs.
  std::optional<LevelInterval> seen(int commit, double confidence = 0.95);
  // The change from the commits before `first` that share its level to those from `last` on.
  std::optional<LevelInterval> change(int first, int last);
  int pairs(int commit) const { return static_cast<int>(commits_[index(commit)].pairs.size()); }
  bool is_skipped(int commit) const { return commits_[index(commit)].skipped; }
  int commits() const { return static_cast<int>(commits_.size()); }
  // The deviation of one pair, as it is known by now; 0 where nothing is.
  double noise() const;

 private:
  struct Seen {
    std::vector<double> pairs;
    bool skipped = false;
    bool built = false;
    double weight = 1;  // how likely a change is here, beside the others; 0: it is the program before it
    double hint = 0;
    double hint_variance = 0;  // 0: there is none
    double mean = 0;           // of the pairs, without heavy tails
    double variance = 0;       // of that mean
  };
  // Between one commit with values and the next.
  struct Gap {
    int first = 0;
    int last = 0;
    double probability = 0;  // of a slow-down
    double size = 0;         // as it is expected, given that there is one
  };

  static std::size_t index(int commit) { return static_cast<std::size_t>(commit) - 1; }
  bool has_values(int commit) const;
  double total_weight() const;
  double weight(int first, int last) const;
  void refresh();
  void summarize();
  void infer();
  int pairs_for(double size) const;
  double information(int commit, double before, double size, int pairs) const;
  const Gap* likeliest() const;
  std::vector<double> places(double any) const;
  BisectionAdvice next(double any) const;
  std::optional<BisectionAdvice> found() const;
  bool can_be_split(const Gap& gap) const;

  BisectionOptions options_;
  std::vector<Seen> commits_;
  bool is_fresh_ = false;
  double pair_variance_ = 0;
  double degrees_ = 0;
  double offset_variance_ = 0;  // of a commit's build
  double none_ = 0;             // the probability that no commit is slower
  std::vector<Gap> gaps_;
  double build_pairs_ = 0;
};

// What a search will likely take, by making it up a few times.

struct BisectionEffort {
  int measurements = 0;       // in the middle one of the searches
  int measurements_high = 0;  // at most, in nine of ten
  int pairs = 0;              // in the middle one
  int pairs_high = 0;
  int commits = 0;  // that were measured, in the middle one
};

// Of so many commits, with a change of this size (a logarithm) anywhere among them, and pairs with this
// deviation. The same numbers give the same answer.
BisectionEffort expected_effort(int commits, const BisectionOptions& options, double size, double noise);

}  // namespace tracker::stats
