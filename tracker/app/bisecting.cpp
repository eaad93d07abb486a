#include "tracker/app/bisecting.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/bisection.hpp"

namespace tracker::app {
namespace {

using What = stats::BisectionAdvice::What;

constexpr int kEndPairs = 6;      // of the bad end, before anything is known
constexpr int kEndPairsMax = 60;  // and where it is not clear
constexpr int kPairsAtOnceMax = 10;
constexpr std::size_t kOthersMax = 8;
constexpr std::size_t kRunsForTime = 5;
constexpr int kHintRunsMax = 30;
constexpr double kHintsApart = 3;  // standard deviations

// How much a logarithm of "worse" is, in the metric's own direction.
double change_of(double worse, const Gate& gate, bool faster) {
  const double sign = (gate.metric.better == Better::kLower) != faster ? 1 : -1;
  return std::exp(sign * worse) - 1;
}

Interval interval_of(const stats::LevelInterval& level, const Gate& gate, bool faster) {
  const double a = change_of(level.low, gate, faster);
  const double b = change_of(level.high, gate, faster);
  return {std::min(a, b), std::max(a, b)};
}

// By the newest stored runs of any commit of the range: of one pair, and of which device.
std::optional<double> pair_length_s(const Workspace& workspace, const BisectRequest& request) {
  std::vector<Run> runs;
  for (int number = 0; number <= request.commits() && runs.size() < kRunsForTime; ++number)
    std::ranges::move(runs_at(workspace, request.commit(number).id), std::back_inserter(runs));
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (means_any(request.globs, benchmark)) names.insert(benchmark.name);
  return judge::measuring_time_s(names, runs, 1);
}

// Of both ends, those that match; empty where all do, or a binary cannot list.
std::vector<std::string> listed_names(const BisectRequest& request, const BuiltCommit& good,
                                      const BuiltCommit& bad) {
  if (request.globs.empty()) return {};
  std::set<std::string> names;
  for (const auto* built : {&good, &bad})
    for (const auto& binary : built->target.binaries) {
      const auto outcome = measure::list_benchmarks(built->target, binary);
      if (!outcome.names) return {};
      for (const auto& name : *outcome.names)
        if (means_any(request.globs, renamed(name, request.policy.renames))) names.insert(name);
    }
  if (names.empty())
    throw Error(ExitCode::kUsage,
                "no benchmark matches " + in_quotes(join(request.globs, "' or '")) + " at " +
                    short_id(good.commit) + " or " + short_id(bad.commit),
                "a pattern has to match the whole name: '*part*'");
  return {names.begin(), names.end()};
}

// What is known of a benchmark on one device.
struct Followed {
  std::string device;
  std::string benchmark;
  Gate gate;
  std::set<std::string> names;  // that runs know it by
  std::unique_ptr<stats::Bisection> search;
  std::set<int> measured;  // commits that have pairs
  bool done = false;
};

// One search.
class Bisecting {
 public:
  // Reads what the store has of it already.
  Bisecting(const Workspace& workspace, const BisectRequest& request)
      : workspace_(workspace), request_(request) {
    load_stored();
  }

  report::BisectPlan plan() const {
    stats::BisectionOptions how;
    how.confidence = request_.confidence;
    how.smallest = std::log1p(gate_for(request_.policy, Benchmark{}).threshold);
    double seen_noise = 0;
    double seen_size = 0;
    if (const Followed* known = likeliest_at_end()) {
      how.smallest = std::log1p(known->gate.threshold);
      seen_noise = known->search->noise();
      if (const auto end = known->search->seen(commits())) seen_size = end->value;
    }
    const double noise = seen_noise > 0 ? seen_noise : how.smallest / 2;
    const double size = seen_size > how.smallest ? seen_size : 1.5 * how.smallest;
    report::BisectPlan plan;
    plan.stored_pairs = stored_pairs_;
    plan.noise_is_recorded = seen_noise > 0;
    plan.good = request_.good;
    plan.bad = commit(commits());
    plan.commits = commits();
    plan.merges = static_cast<int>(
        std::ranges::count_if(request_.range, [](const auto& one) { return one.parents.size() > 1; }));
    const auto effort = stats::expected_effort(plan.commits, how, size, noise);
    plan.measurements = effort.measurements;
    plan.measurements_high = effort.measurements_high;
    plan.pairs = effort.pairs;
    plan.pairs_high = effort.pairs_high;
    plan.builds = effort.commits + 1;
    plan.change = std::expm1(size);
    plan.noise = std::expm1(noise);
    if (const auto pair_s = pair_length_s(workspace_, request_)) plan.measuring_s = *pair_s * effort.pairs;
    return plan;
  }

  report::BisectResult run(BuildPool& pool) {
    pool_ = &pool;
    builds_before_ = pool.builds();
    if (stored_pairs_ > 0)
      workspace_.note("going on from " + count_of(stored_pairs_, "pair") + " that are recorded already");
    look_at_ends();
    if (out_of_time_) return result_of(nullptr, {}, report::BisectOutcome::kOutOfTime);
    report::BisectResult result;
    if (skipped_.contains(commits()) && !same_.empty()) {
      result = result_of(nullptr, {}, report::BisectOutcome::kNothing);
      result.notes.push_back("the bad end is the same program as " +
                             short_id(commit(same_.front().first).id));
      return result;
    }
    while (Followed* lead = choose_lead()) {
      result = search(*lead);
      lead->done = true;
      if (result.outcome != report::BisectOutcome::kNothing || followed_.size() == 1) return result;
    }
    if (followed_.size() == 1) {
      Followed& only = followed_.begin()->second;
      return result_of(&only, only.search->advise(), report::BisectOutcome::kNothing);
    }
    result = result_of(nullptr, {}, report::BisectOutcome::kNothing);
    if (const auto open = open_at_end(); !open.empty()) {
      result.outcome = report::BisectOutcome::kUnclear;
      result.why = "whether '" + open.front()->benchmark + "' is worse at the bad end" +
                   (open.size() > 1 ? ", and " + std::to_string(open.size() - 1) + " more" : "") +
                   ", cannot be told for their noise; a larger --threshold can be";
    }
    return result;
  }

 private:
  int commits() const { return request_.commits(); }
  const Commit& commit(int number) const { return request_.commit(number); }

  void load_stored() {
    const std::string host = measure::this_host().name;
    const auto runs_of_jobs = [&](int number) {
      auto runs = runs_at(workspace_, commit(number).id);
      std::erase_if(runs, [&](const Run& run) { return run.dirty || run.job.empty(); });
      return runs;
    };
    good_runs_ = runs_of_jobs(0);
    // What this machine measured goes on being measured here.
    const bool any_here =
        std::ranges::any_of(good_runs_, [&](const Run& run) { return run.host.name == host; });
    for (int number = 1; number <= commits() && !good_runs_.empty(); ++number)
      for (const auto& run : runs_of_jobs(number))
        for (const auto& good : good_runs_) {
          if (good.job != run.job || device_key(good.device) != device_key(run.device)) continue;
          if (any_here && run.host.name != host) continue;
          const int pairs = take(number, good, run);
          stored_pairs_ += pairs;
          // Benchmarks that nobody asked for then are not among those of a part.
          has_end_ = has_end_ || (number == commits() && pairs > 0 &&
                                  (run.selection.is_all() || !request_.globs.empty()));
        }
  }

  // The most pairs that these runs of one job have of a benchmark.
  int take(int number, const Run& base, const Run& candidate) {
    const std::string device = device_key(candidate.device);
    std::size_t most = 0;
    if (std::ranges::find(good_again_, base.id, &Run::id) == good_again_.end()) good_again_.push_back(base);
    for (const auto& pairs : judge::pair_ratios(base, candidate, request_.policy)) {
      if (!request_.wants(device, pairs.benchmark)) continue;
      Followed& followed = followed_[{device, pairs.benchmark}];
      if (!followed.search) begin_search(device, pairs, followed);
      followed.names.insert(pairs.name);
      for (const auto& benchmark : base.benchmarks)
        if (renamed(benchmark.name, request_.policy.renames) == pairs.benchmark)
          followed.names.insert(benchmark.name);
      std::vector<double> ratios = pairs.ratios;
      if (request_.faster)
        for (auto& ratio : ratios) ratio = -ratio;
      followed.measured.insert(number);
      followed.search->add(number, ratios);
      most = std::max(most, ratios.size());
    }
    return static_cast<int>(most);
  }

  void begin_search(const std::string& device, const judge::PairRatios& pairs, Followed& followed) {
    followed.device = device;
    followed.benchmark = pairs.benchmark;
    followed.gate = pairs.gate;
    stats::BisectionOptions options;
    options.smallest = std::log1p(pairs.gate.threshold);
    options.confidence = request_.confidence;
    followed.search = std::make_unique<stats::Bisection>(commits(), options);
    for (const auto& [number, why] : skipped_) followed.search->skip(number);
    for (const auto& [from, to] : same_) followed.search->set_same(from, to);
  }

  // The benchmark that most probably became worse; null before the bad end was measured.
  const Followed* likeliest_at_end() const {
    const Followed* best = nullptr;
    double most = 0;
    for (const auto& [key, followed] : followed_) {
      if (!followed.measured.contains(commits())) continue;
      const double any = followed.search->probability_of_any();
      if (best != nullptr && any <= most) continue;
      most = any;
      best = &followed;
    }
    return best;
  }

  bool is_out_of_time(int number, int pairs) {
    if (request_.budget.seconds <= 0) return false;
    const double build_s = pool_->is_kept(commit(number).id) ? 0 : pool_->mean_build_s();
    out_of_time_ = seconds_since(request_.start) + build_s + pairs * pair_s_ > request_.budget.seconds;
    return out_of_time_;
  }

  void skip(int number, const std::string& why) {
    workspace_.note("skipped " + describe(commit(number)) + ": " + why);
    skipped_[number] = why;
    notes_[number] = "skipped: " + split(why, '\n').front();
    for (auto& [key, followed] : followed_) followed.search->skip(number);
  }

  // Whether nothing needs to be measured, as its program is one that is known.
  bool take_same_program(int number, const BuiltCommit& at) {
    const bool measures_all = std::ranges::any_of(
        followed_, [](const auto& one) { return one.second.gate.identical_code == IdenticalCode::kMeasure; });
    if (measures_all) return false;
    const auto number_of = [&](const std::string& id) {
      for (int i = 0; i <= commits(); ++i)
        if (commit(i).id == id) return i;
      return -1;
    };
    const std::string same = pool_->same_program_as(at, [&](const std::string& id) {
      const int there = number_of(id);
      return there == 0 || std::ranges::any_of(followed_, [&](const auto& one) {
               return one.second.measured.contains(there);
             });
    });
    if (same.empty()) return false;
    const int there = number_of(same);
    workspace_.note(describe(commit(number)) + " is not measured: the same program as " + short_id(same));
    notes_[number] = "same program as " + short_id(same);
    same_.emplace_back(there, number);
    skipped_[number] = "same program";
    for (auto& [key, followed] : followed_) {
      followed.search->set_same(there, number);
      followed.search->skip(number);
    }
    return true;
  }

  void measure(int number, const std::vector<Followed*>& followed, int pairs) {
    const BuiltCommit* good = pool_->get(request_.good);
    if (good == nullptr)
      throw Error(ExitCode::kEnvironment, "the good end cannot be measured: " + pool_->why_not(),
                  "name another commit before the change as GOOD");
    pool_->pin(request_.good.id);
    const bool was_kept = pool_->is_kept(commit(number).id);
    const BuiltCommit* at = pool_->get(commit(number));
    if (at == nullptr) {
      if (number == commits() && followed.empty())
        throw Error(ExitCode::kEnvironment, "the bad end cannot be measured: " + pool_->why_not(),
                    "name another commit after the change as BAD");
      return skip(number, pool_->why_not());
    }
    if (number == commits() && commits() > 1) pool_->pin(commit(number).id);
    if (!was_kept && take_same_program(number, *at)) return;
    std::set<std::string> names;
    for (const auto* one : followed) names.insert(one->names.begin(), one->names.end());
    measure_side_by_side(number, *good, *at,
                         followed.empty() ? listed_names(request_, *good, *at)
                                          : std::vector<std::string>(names.begin(), names.end()),
                         pairs);
    std::vector<bool> built;
    for (int i = 1; i <= commits(); ++i) built.push_back(pool_->is_kept(commit(i).id));
    for (auto& [key, one] : followed_)
      if (pair_s_ > 0) one.search->set_build_cost(pool_->mean_build_s() / pair_s_, built);
  }

  void measure_side_by_side(int number, const BuiltCommit& good, const BuiltCommit& at,
                            const std::vector<std::string>& names, int pairs) {
    workspace_.note("measuring " + describe(commit(number)) + ": " + count_of(pairs, "round") +
                    " side by side with " + short_id(good.commit));
    MeasureRequest measuring = request_.measuring;
    measuring.invocations = pairs;
    measuring.only = names;
    measuring.keep = true;
    Spool spool(workspace_, pair_s_ > 0);
    const auto start = std::chrono::steady_clock::now();
    const measure::Measured measured =
        measure_targets(workspace_, {good.target, at.target}, measuring, spool);
    pair_s_ = seconds_since(start) / pairs;
    BothRuns runs;
    try {
      runs.base = RunMaker(workspace_, good.target, good.commit).runs_of(measured, 0, spool.job(), measuring);
      runs.candidate =
          RunMaker(workspace_, at.target, at.commit).runs_of(measured, 1, spool.job(), measuring);
    } catch (const Error& error) {
      if (measured.interrupted || error.code() != ExitCode::kEnvironment) throw;
      return skip(number, error.what());
    }
    store_runs(workspace_, runs.all(), &spool);
    throw_if_interrupted(measured);
    ++measurements_;
    int most = 0;
    for (const auto& base : runs.base)
      for (const auto& candidate : runs.candidate)
        if (device_key(base.device) == device_key(candidate.device))
          most = std::max(most, take(number, base, candidate));
    measured_pairs_ += most;
    if (most == 0) skip(number, "it has no pair of what is looked for");
  }

  void tell(int number, const Followed& lead) const {
    const auto advice = lead.search->advise();
    const auto seen = lead.search->seen(number);
    if (!seen || advice.what == What::kNothing || advice.what == What::kFound) return;
    const Interval interval = interval_of(*seen, lead.gate, request_.faster);
    std::string text = short_id(commit(number).id) + " is at " +
                       format_percent(change_of(seen->value, lead.gate, request_.faster)) + " [" +
                       format_percent(interval.low) + ", " + format_percent(interval.high) + "] of " +
                       in_quotes(lead.benchmark);
    if (advice.first > 0 && advice.last > 0)
      text += "; likeliest: " +
              (advice.first == advice.last ? describe(commit(advice.first))
                                           : count_of(advice.last - advice.first + 1, "commit") + " up to " +
                                                 short_id(commit(advice.last).id)) +
              " (" + format_plain(std::round(advice.probability * 100)) + " %)";
    workspace_.note(text);
  }

  // What is seen of the bad end: all benchmarks that are looked at together share the allowed error.
  std::optional<stats::LevelInterval> seen_at_end(const Followed& followed) const {
    const double error = (1 - request_.confidence) / static_cast<double>(followed_.size());
    return followed.search->seen(commits(), 1 - error);
  }

  // Whether it surely is.
  bool is_worse_at_end(const Followed& followed) const {
    const auto seen = seen_at_end(followed);
    return seen && seen->low > std::log1p(followed.gate.threshold) / 2 &&
           followed.search->probability_of_any() >= 0.5;
  }

  std::vector<Followed*> worse_at_end() {
    std::vector<Followed*> worse;
    for (auto& [key, followed] : followed_)
      if (!followed.done && is_worse_at_end(followed)) worse.push_back(&followed);
    return worse;
  }

  // Neither worse nor surely not.
  std::vector<Followed*> open_at_end() {
    std::vector<Followed*> open;
    for (auto& [key, followed] : followed_) {
      if (followed.done || is_worse_at_end(followed)) continue;
      const auto seen = seen_at_end(followed);
      const bool is_not_worse = seen && seen->high < std::log1p(followed.gate.threshold);
      if (!is_not_worse && followed.search->advise().what != What::kNothing) open.push_back(&followed);
    }
    return open;
  }

  // Of a single benchmark the search itself asks for what it needs.
  void look_at_ends() {
    if (!has_end_ && !skipped_.contains(commits())) {
      if (is_out_of_time(commits(), kEndPairs)) return;
      measure(commits(), {}, kEndPairs);
    }
    while (followed_.size() > 1 && worse_at_end().empty() && !skipped_.contains(commits())) {
      auto open = open_at_end();
      std::erase_if(open, [&](Followed* one) { return one->search->pairs(commits()) >= kEndPairsMax; });
      if (open.empty() || is_out_of_time(commits(), kPairsAtOnceMax)) return;
      measure(commits(), open, kPairsAtOnceMax);
      tell(commits(), *open.front());
    }
  }

  // The one whose change is largest beside its noise; where none is sure, the likeliest that is not over.
  Followed* choose_lead() {
    Followed* best = nullptr;
    double most = 0;
    for (auto* followed : worse_at_end()) {
      const auto seen = followed->search->seen(commits());
      if (!seen) continue;
      const double clear = seen->value / std::max(1e-9, seen->high - seen->low);
      if (best != nullptr && clear <= most) continue;
      most = clear;
      best = followed;
    }
    if (best != nullptr) return best;
    for (auto& [key, followed] : followed_) {
      const double any = followed.search->probability_of_any();
      if (followed.done || (followed_.size() > 1 && any < 0.5)) continue;
      if (best != nullptr && any <= most) continue;
      most = any;
      best = &followed;
    }
    return best;
  }

  std::vector<Followed*> others_of(const Followed& lead) {
    std::vector<Followed*> others = worse_at_end();
    std::erase_if(others, [&](Followed* one) { return one == &lead || one->device != lead.device; });
    std::ranges::stable_sort(others, [&](Followed* a, Followed* b) {
      return a->search->seen(commits())->value > b->search->seen(commits())->value;
    });
    if (others.size() > kOthersMax) others.resize(kOthersMax);
    return others;
  }

  // What runs of other jobs say: where to begin.
  void add_hints(Followed& lead) {
    std::set<std::string> jobs;
    for (const auto& run : good_runs_) jobs.insert(run.job);
    std::vector<Run> good = good_runs_;
    std::erase_if(good, [&](const Run& run) { return device_key(run.device) != lead.device; });
    if (good.empty()) return;
    const NoiseHistory history = history::recent_runs(workspace_.history(), lead.device, "", kHintRunsMax);
    const auto seen_at_end = lead.search->seen(commits());
    std::vector<std::pair<int, judge::StoredRatio>> hints;
    for (int number = commits(); number >= 1; --number) {
      const bool is_end = number == commits() && seen_at_end;
      if (lead.measured.contains(number) && !is_end) continue;
      auto runs = runs_at(workspace_, commit(number).id, lead.device);
      std::erase_if(runs, [&](const Run& run) { return run.dirty || jobs.contains(run.job); });
      auto stored =
          judge::stored_ratio(good, runs, history, lead.benchmark, lead.gate.metric, request_.policy);
      if (!stored) continue;
      if (request_.faster) stored->log_ratio = -stored->log_ratio;
      // Where both ends side by side contradict what was recorded of them, that is of another machine.
      if (is_end &&
          std::abs(stored->log_ratio - seen_at_end->value) > kHintsApart * std::sqrt(stored->variance))
        return;
      if (!is_end) hints.emplace_back(number, *stored);
    }
    for (const auto& [number, stored] : hints)
      lead.search->add_hint(number, stored.log_ratio, stored.variance);
  }

  report::BisectResult search(Followed& lead) {
    add_hints(lead);
    std::vector<Followed*> together = others_of(lead);
    together.insert(together.begin(), &lead);
    while (true) {
      const auto advice = lead.search->advise();
      if (advice.what == What::kFound) return result_of(&lead, advice, report::BisectOutcome::kFound);
      if (advice.what == What::kNothing) return result_of(&lead, advice, report::BisectOutcome::kNothing);
      if (advice.what == What::kUnclear) return result_of(&lead, advice, report::BisectOutcome::kUnclear);
      if (is_out_of_time(advice.commit, advice.pairs))
        return result_of(&lead, advice, report::BisectOutcome::kOutOfTime);
      measure(advice.commit, together, advice.pairs);
      tell(advice.commit, lead);
    }
  }

  std::vector<report::BisectRow> rows_of(const Followed* lead, const stats::BisectionAdvice& advice) const {
    std::vector<report::BisectRow> rows{{.commit = request_.good, .note = "the good end"}};
    for (int number = 1; number <= commits(); ++number) {
      report::BisectRow row{.commit = commit(number)};
      row.is_guilty = advice.what == What::kFound && number >= advice.first && number <= advice.last;
      if (number == commits()) row.note = "the bad end";
      for (const auto& [measured, same] : same_)
        if (same == number) row.same_program_as = commit(measured).id;
      if (const auto note = notes_.find(number); note != notes_.end()) row.note = note->second;
      if (lead != nullptr) {
        row.pairs = lead->search->pairs(number);
        if (const auto seen = lead->search->seen(number)) {
          row.change = change_of(seen->value, lead->gate, request_.faster);
          row.interval = interval_of(*seen, lead->gate, request_.faster);
        }
      }
      if (row.pairs > 0 || row.is_guilty || !row.note.empty()) rows.push_back(row);
    }
    return rows;
  }

  // `lead`: the benchmark that it is about; null where there is none.
  report::BisectResult result_of(Followed* lead, const stats::BisectionAdvice& advice,
                                 report::BisectOutcome outcome) {
    using report::BisectOutcome;
    report::BisectResult result;
    result.outcome = outcome;
    result.good = request_.good;
    result.bad = commit(commits());
    result.commits = commits();
    result.benchmarks = static_cast<int>(followed_.size());
    result.faster = request_.faster;
    result.confidence = request_.confidence;
    result.probability = advice.probability;
    result.measurements = measurements_;
    result.pairs = measured_pairs_;
    result.reused = stored_pairs_;
    result.builds = pool_->builds() - builds_before_;
    result.seconds = seconds_since(request_.start);
    if (outcome == BisectOutcome::kOutOfTime)
      result.why = "the time budget of " + request_.budget.text +
                   " has no room for the next measurement; the same command goes on from here";
    if (outcome == BisectOutcome::kUnclear) result.why = "more measurements of these commits would not tell";
    if (lead != nullptr) tell_of(*lead, advice, result);
    if (outcome == BisectOutcome::kNothing || outcome == BisectOutcome::kUnclear) {
      std::vector<Run> alone = good_runs_;
      std::erase_if(alone, [&](const Run& run) {
        return std::ranges::find(good_again_, run.id, &Run::id) != good_again_.end();
      });
      const bool bad_is_same_program = skipped_.contains(commits()) && !same_.empty();
      result.machine = machine_change(workspace_, request_, alone, good_again_, bad_is_same_program);
    }
    result.rows = rows_of(lead, advice);
    return result;
  }

  void tell_of(Followed& lead, const stats::BisectionAdvice& advice, report::BisectResult& result) {
    result.benchmark = lead.benchmark;
    result.metric = lead.gate.metric.name;
    result.device = lead.device;
    result.threshold = lead.gate.threshold;
    if (result.outcome != report::BisectOutcome::kNothing)
      for (int number = advice.first; number >= 1 && number <= advice.last; ++number)
        result.guilty.push_back(commit(number));
    if (result.outcome != report::BisectOutcome::kFound) return;
    if (const auto change = lead.search->change(advice.first, advice.last)) {
      result.change = change_of(change->value, lead.gate, request_.faster);
      result.interval = interval_of(*change, lead.gate, request_.faster);
    }
    for (auto* other : others_of(lead))
      result.others.push_back({other->benchmark,
                               change_of(other->search->seen(commits())->value, other->gate, request_.faster),
                               other->search->probability(advice.first, advice.last)});
  }

  const Workspace& workspace_;
  const BisectRequest& request_;
  BuildPool* pool_ = nullptr;
  std::vector<Run> good_runs_;
  std::vector<Run> good_again_;  // those of its runs that a job has beside another commit's
  std::map<std::pair<std::string, std::string>, Followed> followed_;  // by device and benchmark
  std::map<int, std::string> notes_;                                  // of commits that are not measured
  std::map<int, std::string> skipped_;
  std::vector<std::pair<int, int>> same_;  // programs
  int stored_pairs_ = 0;
  int measurements_ = 0;
  int measured_pairs_ = 0;
  int builds_before_ = 0;
  double pair_s_ = 0;     // of the last measurement
  bool has_end_ = false;  // the bad end is measured already
  bool out_of_time_ = false;
};

}  // namespace

report::BisectPlan plan_bisect(const Workspace& workspace, const BisectRequest& request) {
  return Bisecting(workspace, request).plan();
}

report::BisectResult bisect_line(const Workspace& workspace, const BisectRequest& request, BuildPool& pool) {
  return Bisecting(workspace, request).run(pool);
}

}  // namespace tracker::app
