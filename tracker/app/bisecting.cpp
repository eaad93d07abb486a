#include "tracker/app/bisecting.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/history.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::app {
namespace {

using What = stats::BisectionAdvice::What;

constexpr int kEndPairs = 6;      // of the bad end, before anything is known
constexpr int kEndPairsMax = 60;  // and where it is not clear
constexpr int kPairsAtOnceMax = 10;
constexpr std::size_t kOthersMax = 8;
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

std::string level_in_words(const stats::LevelInterval& level, const Gate& gate, bool faster) {
  const Interval interval = interval_of(level, gate, faster);
  return format_percent(change_of(level.value, gate, faster)) + " [" + format_percent(interval.low) + ", " +
         format_percent(interval.high) + "]";
}

}  // namespace

Bisecting::Bisecting(const Workspace& workspace, BisectRequest request,
                     const measure::LocalEnvironment& environment)
    : workspace_(workspace), request_(std::move(request)), environment_(environment) {}

const Commit& Bisecting::commit(int number) const {
  return number == 0 ? request_.good : request_.range[static_cast<std::size_t>(number) - 1].commit;
}

bool Bisecting::wants(const std::string& device, const std::string& benchmark) const {
  return (request_.device.empty() || glob_match(request_.device, device)) &&
         means_any(request_.globs, benchmark);
}

int Bisecting::take(int number, const Run& base, const Run& candidate) {
  const std::string device = device_key(candidate.device);
  int most = 0;
  if (std::none_of(good_again_.begin(), good_again_.end(), [&](const Run& run) { return run.id == base.id; }))
    good_again_.push_back(base);
  for (const auto& pairs : judge::pair_ratios(base, candidate, request_.policy)) {
    if (!wants(device, pairs.benchmark)) continue;
    Followed& followed = followed_[{device, pairs.benchmark}];
    followed.device = device;
    followed.benchmark = pairs.benchmark;
    followed.gate = pairs.gate;
    followed.names.insert(pairs.name);
    for (const auto& benchmark : base.benchmarks)
      if (renamed(benchmark.name, request_.policy.renames) == pairs.benchmark)
        followed.names.insert(benchmark.name);
    std::vector<double> ratios = pairs.ratios;
    if (request_.faster)
      for (auto& ratio : ratios) ratio = -ratio;
    auto& seen = followed.pairs[number];
    seen.insert(seen.end(), ratios.begin(), ratios.end());
    if (followed.search) followed.search->add(number, ratios);
    begin_searches();
    most = std::max(most, static_cast<int>(ratios.size()));
  }
  return most;
}

int Bisecting::load_stored() {
  const std::string host = measure::this_host().name;
  const auto runs_here = [&](const std::string& id) {
    auto runs = history::read_runs(workspace_.store(), workspace_.store().keys_of(id));
    std::erase_if(runs, [&](const Run& run) { return run.dirty || run.job.empty(); });
    return runs;
  };
  good_runs_ = runs_here(request_.good.id);
  // What this machine measured goes on being measured here.
  const bool any_here = std::any_of(good_runs_.begin(), good_runs_.end(),
                                    [&](const Run& run) { return run.host.name == host; });
  for (int number = 1; number <= commits() && !good_runs_.empty(); ++number)
    for (const auto& run : runs_here(commit(number).id))
      for (const auto& good : good_runs_) {
        if (good.job != run.job || device_key(good.device) != device_key(run.device)) continue;
        if (any_here && run.host.name != host) continue;
        const int pairs = take(number, good, run);
        stored_pairs_ += pairs;
        // Benchmarks that nobody asked for then are not among those of a part.
        has_end_ = has_end_ ||
                   (number == commits() && pairs > 0 && (run.selection.is_all() || !request_.globs.empty()));
      }
  return stored_pairs_;
}

void Bisecting::begin_searches() {
  for (auto& [key, followed] : followed_) {
    if (followed.search) continue;
    stats::BisectionOptions options;
    options.smallest = std::log1p(followed.gate.threshold);
    options.confidence = request_.confidence;
    followed.search = std::make_unique<stats::Bisection>(commits(), options);
    for (const auto& [number, ratios] : followed.pairs) followed.search->add(number, ratios);
    for (const auto& [number, why] : skipped_) followed.search->skip(number);
    for (const auto& [from, to] : same_) followed.search->set_same(from, to);
  }
}

std::optional<Bisecting::Known> Bisecting::known() {
  std::optional<Known> best;
  double most = 0;
  for (auto& [key, followed] : followed_) {
    if (followed.pairs.count(commits()) == 0) continue;
    const double any = followed.search->probability_of_any();
    if (best && any <= most) continue;
    most = any;
    const auto end = followed.search->seen(commits());
    best = Known{followed.search->noise(), end ? end->value : 0, std::log1p(followed.gate.threshold),
                 followed.benchmark};
  }
  return best;
}

bool Bisecting::is_out_of_time(int number, int pairs) {
  if (request_.budget.seconds <= 0) return false;
  const double build_s = pool_->is_kept(commit(number).id) ? 0 : pool_->mean_build_s();
  out_of_time_ = seconds_since(request_.start) + build_s + pairs * pair_s_ > request_.budget.seconds;
  return out_of_time_;
}

void Bisecting::skip(int number, const std::string& why) {
  workspace_.note("skipped " + describe(commit(number)) + ": " + why);
  skipped_[number] = why;
  notes_[number] = "skipped: " + split(why, '\n').front();
  for (auto& [key, followed] : followed_) followed.search->skip(number);
}

// Whether nothing needs to be measured, as its program is one that is known.
bool Bisecting::take_same_program(int number, const BuiltCommit& at) {
  const bool measures_all = std::any_of(followed_.begin(), followed_.end(), [](const auto& one) {
    return one.second.gate.identical_code == IdenticalCode::kMeasure;
  });
  if (measures_all) return false;
  const auto number_of = [&](const std::string& id) {
    for (int i = 0; i <= commits(); ++i)
      if (commit(i).id == id) return i;
    return -1;
  };
  const std::string same = pool_->same_program_as(at, [&](const std::string& id) {
    const int there = number_of(id);
    return there == 0 || (there > 0 && std::any_of(followed_.begin(), followed_.end(), [&](const auto& one) {
                            return one.second.pairs.count(there) > 0;
                          }));
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

std::vector<std::string> Bisecting::names_to_measure(const std::vector<Followed*>& followed) const {
  std::set<std::string> names;
  for (const auto* one : followed) names.insert(one->names.begin(), one->names.end());
  return {names.begin(), names.end()};
}

// Of both ends, those that match; empty where all do, or a binary cannot list.
std::vector<std::string> Bisecting::listed_names(const BuiltCommit& good, const BuiltCommit& bad) {
  if (request_.globs.empty()) return {};
  std::set<std::string> names;
  for (const auto* built : {&good, &bad})
    for (const auto& binary : built->target.binaries) {
      const auto outcome = measure::list_benchmarks(built->target, binary);
      if (!outcome.names) return {};
      for (const auto& name : *outcome.names)
        if (means_any(request_.globs, renamed(name, request_.policy.renames))) names.insert(name);
    }
  if (names.empty())
    throw Error(ExitCode::kUsage,
                "no benchmark matches " + in_quotes(join(request_.globs, "' or '")) + " at " +
                    short_id(good.commit) + " or " + short_id(bad.commit),
                "a pattern has to match the whole name: '*part*'");
  return {names.begin(), names.end()};
}

void Bisecting::measure(int number, const std::vector<Followed*>& followed, int pairs) {
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
  const auto names = followed.empty() ? listed_names(*good, *at) : names_to_measure(followed);
  measure_side_by_side(number, *good, *at, names, pairs);
  std::vector<bool> built;
  for (int i = 1; i <= commits(); ++i) built.push_back(pool_->is_kept(commit(i).id));
  for (auto& [key, one] : followed_)
    if (one.search && pair_s_ > 0) one.search->set_build_cost(pool_->mean_build_s() / pair_s_, built);
}

void Bisecting::measure_side_by_side(int number, const BuiltCommit& good, const BuiltCommit& at,
                                     const std::vector<std::string>& names, int pairs) {
  workspace_.note("measuring " + describe(commit(number)) + ": " + count_of(pairs, "round") +
                  " side by side with " + short_id(good.commit));
  const std::string job = new_job_id();
  MeasureRequest measuring = request_.measuring;
  measuring.invocations = pairs;
  measuring.only = names;
  measuring.keep = true;
  Spool spool(workspace_, job, pair_s_ > 0);
  const std::vector<measure::Target> targets{good.target, at.target};
  const auto start = std::chrono::steady_clock::now();
  const measure::Measured measured = measure_targets(workspace_, targets, measuring, environment_, spool);
  pair_s_ = seconds_since(start) / pairs;
  formats::RunFacts facts{.id = job + "-a", .job = job, .commit = good.commit};
  if (!names.empty()) facts.selection = selection_of(names);
  facts.isolated = measuring.isolate;
  std::vector<Run> base;
  std::vector<Run> candidate;
  try {
    base = runs_of(measured, targets, 0, facts);
    facts.id = job + "-b";
    facts.commit = at.commit;
    candidate = runs_of(measured, targets, 1, facts);
    ProgramHashes(workspace_, good.target, good.commit, environment_).add_to(base);
    ProgramHashes(workspace_, at.target, at.commit, environment_).add_to(candidate);
  } catch (const Error& error) {
    if (measured.interrupted || error.code() != ExitCode::kEnvironment) throw;
    return skip(number, error.what());
  }
  std::vector<Run> all = base;
  all.insert(all.end(), candidate.begin(), candidate.end());
  store_runs(workspace_, all, &spool);
  throw_if_interrupted(measured);
  ++measurements_;
  int most = 0;
  for (const auto& of_base : base)
    for (const auto& of_candidate : candidate)
      if (device_key(of_base.device) == device_key(of_candidate.device))
        most = std::max(most, take(number, of_base, of_candidate));
  measured_pairs_ += most;
  if (most == 0) skip(number, "it has no pair of what is looked for");
}

void Bisecting::tell(int number, Followed& lead) const {
  const auto advice = lead.search->advise();
  const auto seen = lead.search->seen(number);
  if (!seen || advice.what == What::kNothing || advice.what == What::kFound) return;
  std::string text = short_id(commit(number).id) + " is at " +
                     level_in_words(*seen, lead.gate, request_.faster) + " of " + in_quotes(lead.benchmark);
  if (advice.first > 0 && advice.last > 0)
    text += "; likeliest: " +
            (advice.first == advice.last ? describe(commit(advice.first))
                                         : count_of(advice.last - advice.first + 1, "commit") + " up to " +
                                               short_id(commit(advice.last).id)) +
            " (" + format_plain(std::round(advice.probability * 100)) + " %)";
  workspace_.note(text);
}

// Whether the bad end is surely worse: all benchmarks that are looked at together share the allowed error.
bool Bisecting::is_worse_at_end(Followed& followed) {
  const double error = (1 - request_.confidence) / static_cast<double>(followed_.size());
  const auto seen = followed.search->seen(commits(), 1 - error);
  return seen && seen->low > std::log1p(followed.gate.threshold) / 2 &&
         followed.search->probability_of_any() >= 0.5;
}

std::vector<Bisecting::Followed*> Bisecting::past_the_ends() {
  std::vector<Followed*> past;
  for (auto& [key, followed] : followed_)
    if (!followed.done && is_worse_at_end(followed)) past.push_back(&followed);
  return past;
}

// Neither worse nor surely not.
std::vector<Bisecting::Followed*> Bisecting::open_at_end() {
  std::vector<Followed*> open;
  const double error = (1 - request_.confidence) / static_cast<double>(followed_.size());
  for (auto& [key, followed] : followed_) {
    if (followed.done || is_worse_at_end(followed)) continue;
    const auto seen = followed.search->seen(commits(), 1 - error);
    const bool is_not_worse = seen && seen->high < std::log1p(followed.gate.threshold);
    if (!is_not_worse && followed.search->advise().what != What::kNothing) open.push_back(&followed);
  }
  return open;
}

// Of a single benchmark the search itself asks for what it needs.
void Bisecting::look_at_ends() {
  if (!has_end_ && skipped_.count(commits()) == 0) {
    if (is_out_of_time(commits(), kEndPairs)) return;
    measure(commits(), {}, kEndPairs);
  }
  while (followed_.size() > 1 && past_the_ends().empty() && skipped_.count(commits()) == 0) {
    auto open = open_at_end();
    std::erase_if(open, [&](Followed* one) { return one->search->pairs(commits()) >= kEndPairsMax; });
    if (open.empty() || is_out_of_time(commits(), kPairsAtOnceMax)) return;
    measure(commits(), open, kPairsAtOnceMax);
    tell(commits(), *open.front());
  }
}

// The one whose change is largest beside its noise; where none is sure, the likeliest that is not over.
Bisecting::Followed* Bisecting::choose_lead() {
  Followed* best = nullptr;
  double most = 0;
  const auto past = past_the_ends();
  for (auto* followed : past) {
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

std::vector<Bisecting::Followed*> Bisecting::others_of(const Followed& lead) {
  std::vector<Followed*> others;
  for (auto* one : past_the_ends())
    if (one != &lead && one->device == lead.device) others.push_back(one);
  std::stable_sort(others.begin(), others.end(), [&](Followed* a, Followed* b) {
    return a->search->seen(commits())->value > b->search->seen(commits())->value;
  });
  if (others.size() > kOthersMax) others.resize(kOthersMax);
  return others;
}

// What runs of other jobs say: where to begin.
void Bisecting::add_hints(Followed& lead) {
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
    if (lead.pairs.count(number) > 0 && !is_end) continue;
    auto keys = workspace_.store().keys_of(commit(number).id);
    std::erase_if(keys, [&](const store::Key& key) { return key.device != lead.device; });
    auto runs = history::read_runs(workspace_.store(), keys);
    std::erase_if(runs, [&](const Run& run) { return run.dirty || jobs.count(run.job) > 0; });
    auto stored = judge::stored_ratio(good, runs, history, lead.benchmark, lead.gate.metric, request_.policy);
    if (!stored) continue;
    if (request_.faster) stored->log_ratio = -stored->log_ratio;
    // Where both ends side by side contradict what was recorded of them, that is of another machine.
    if (is_end &&
        std::abs(stored->log_ratio - seen_at_end->value) > kHintsApart * std::sqrt(stored->variance))
      return;
    if (!is_end) hints.emplace_back(number, *stored);
  }
  for (const auto& [number, stored] : hints) lead.search->add_hint(number, stored.log_ratio, stored.variance);
}

report::BisectResult Bisecting::search(Followed& lead) {
  add_hints(lead);
  std::vector<Followed*> together = others_of(lead);
  together.insert(together.begin(), &lead);
  while (true) {
    const auto advice = lead.search->advise();
    switch (advice.what) {
      case What::kFound:
        return result_of(&lead, advice, report::BisectOutcome::kFound);
      case What::kNothing:
        return result_of(&lead, advice, report::BisectOutcome::kNothing);
      case What::kUnclear:
        return result_of(&lead, advice, report::BisectOutcome::kUnclear);
      case What::kMeasure:
        break;
    }
    if (is_out_of_time(advice.commit, advice.pairs))
      return result_of(&lead, advice, report::BisectOutcome::kOutOfTime);
    measure(advice.commit, together, advice.pairs);
    tell(advice.commit, lead);
  }
}

report::BisectResult Bisecting::run(BuildPool& pool) {
  pool_ = &pool;
  builds_before_ = pool.builds();
  if (stored_pairs_ > 0)
    workspace_.note("going on from " + count_of(stored_pairs_, "pair") + " that are recorded already");
  look_at_ends();
  if (out_of_time_) return result_of(nullptr, {}, report::BisectOutcome::kOutOfTime);
  if (skipped_.count(commits()) > 0 && !same_.empty())
    return nothing("the bad end is the same program as " + short_id(commit(same_.front().first).id));
  while (Followed* lead = choose_lead()) {
    report::BisectResult result = search(*lead);
    lead->done = true;
    if (result.outcome != report::BisectOutcome::kNothing || followed_.size() == 1) return result;
  }
  if (followed_.size() == 1) {
    Followed& only = followed_.begin()->second;
    return result_of(&only, only.search->advise(), report::BisectOutcome::kNothing);
  }
  report::BisectResult result = nothing("");
  if (const auto open = open_at_end(); !open.empty()) {
    result.outcome = report::BisectOutcome::kUnclear;
    result.why = "whether '" + open.front()->benchmark + "' is worse at the bad end" +
                 (open.size() > 1 ? ", and " + std::to_string(open.size() - 1) + " more" : "") +
                 ", cannot be told for their noise; a larger --threshold can be";
  }
  return result;
}

report::BisectResult Bisecting::nothing(const std::string& why) {
  report::BisectResult result = result_of(nullptr, {}, report::BisectOutcome::kNothing);
  if (!why.empty()) result.notes.push_back(why);
  return result;
}

std::vector<report::BisectRow> Bisecting::rows_of(Followed* lead, const stats::BisectionAdvice& advice) {
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

report::BisectResult Bisecting::result_of(Followed* lead, const stats::BisectionAdvice& advice,
                                          report::BisectOutcome outcome) {
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
  if (outcome == report::BisectOutcome::kOutOfTime)
    result.why = "the time budget of " + request_.budget.text +
                 " has no room for the next measurement; the same command goes on from here";
  if (outcome == report::BisectOutcome::kUnclear)
    result.why = "more measurements of these commits would not tell";
  if (lead != nullptr) {
    result.benchmark = lead->benchmark;
    result.metric = lead->gate.metric.name;
    result.device = lead->device;
    result.threshold = lead->gate.threshold;
    if (outcome != report::BisectOutcome::kNothing)
      for (int number = advice.first; number >= 1 && number <= advice.last; ++number)
        result.guilty.push_back(commit(number));
    if (outcome == report::BisectOutcome::kFound) {
      if (const auto change = lead->search->change(advice.first, advice.last)) {
        result.change = change_of(change->value, lead->gate, request_.faster);
        result.interval = interval_of(*change, lead->gate, request_.faster);
      }
      for (auto* other : others_of(*lead))
        result.others.push_back(
            {other->benchmark, change_of(other->search->seen(commits())->value, other->gate, request_.faster),
             other->search->probability(advice.first, advice.last)});
    }
  }
  if (outcome == report::BisectOutcome::kNothing || outcome == report::BisectOutcome::kUnclear)
    result.machine = machine_change();
  result.rows = rows_of(lead, advice);
  return result;
}

std::vector<report::BisectResult> bisect_with_merges(const Workspace& workspace, const BisectRequest& request,
                                                     const measure::LocalEnvironment& environment,
                                                     BuildPool& pool) {
  std::vector<report::BisectResult> results;
  BisectRequest here = request;
  std::string inside;
  while (true) {
    Bisecting search(workspace, here, environment);
    search.load_stored();
    report::BisectResult result = search.run(pool);
    result.inside = inside;
    if (!inside.empty() && result.outcome == report::BisectOutcome::kNothing) {
      results.back().notes.push_back("it is a merge, and its side alone, from " + short_id(here.good.id) +
                                     " to " + short_id(here.range.back().commit.id) +
                                     ", changes nothing: it is what came together in the merge");
      return results;
    }
    results.push_back(result);
    if (result.outcome != report::BisectOutcome::kFound || result.guilty.size() != 1) return results;
    const auto merge = std::find_if(here.range.begin(), here.range.end(), [&](const repo::RangeCommit& one) {
      return one.commit.id == result.guilty.front().id;
    });
    if (merge == here.range.end() || merge->parents.size() < 2) return results;
    inside = merge->commit.id;
    const std::string side = merge->parents[1];
    const auto base = repo::common_ancestor(workspace.repository(), merge->parents[0], side);
    if (!base || *base == side) return results;
    workspace.note(describe(merge->commit) + " is a merge: going on in its side");
    pool.unpin();
    here.good = workspace.repository().resolve(*base);
    here.range = repo::commit_range(workspace.repository(), *base, side);
    here.globs = {result.benchmark};
    here.device = result.device;
  }
}

}  // namespace tracker::app
