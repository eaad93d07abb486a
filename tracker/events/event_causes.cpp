#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/evidence.hpp"

namespace tracker::events {
namespace {

// The facts that explain a change before the code does, likeliest first.
constexpr std::array kFactOrder{"driver", "CUDA driver",      "compiler", "compiler flags", "build type",
                                "cuBLAS", "CUDA runtime",     "board",    "power limit",    "ECC",
                                "CPU",    "operating system", "host"};
// So many commits with the benchmark on each side, the nearest ones, tell its causes, and all of them have to
// agree on a fact: one that changes from run to run, such as the host of a cloud, explains no lasting change.
constexpr std::size_t kAgreeing = 3;
constexpr double kShareMin = 0.5;  // of the event's changes that a cause holds for

using Commits = std::vector<history::CommitRuns>;

// The runs around a change of one benchmark, nearest first.
struct Around {
  std::vector<const history::CommitRuns*> before;
  std::vector<const history::CommitRuns*> after;
};

bool has_benchmark(const history::CommitRuns& commit, const std::string& name) {
  return std::ranges::any_of(commit.runs, [&](const Run& run) {
    const Benchmark* benchmark = find_benchmark(run, name);
    return benchmark != nullptr && !benchmark->error;
  });
}

Around around(const Commits& commits, const ChangeEvent& event, const std::string& benchmark) {
  Around found;
  const auto after_all = std::upper_bound(
      commits.begin(), commits.end(), event.last_before.position,
      [](int position, const history::CommitRuns& commit) { return position < commit.position; });
  for (auto commit = after_all; commit != commits.begin() && found.before.size() < kAgreeing;)
    if (has_benchmark(*--commit, benchmark)) found.before.push_back(&*commit);
  for (auto commit = after_all; commit != commits.end() && found.after.size() < kAgreeing; ++commit)
    if (commit->position >= event.last_possible.position && has_benchmark(*commit, benchmark))
      found.after.push_back(&*commit);
  return found;
}

// The one value that all runs of these commits have; empty where they differ, or one has none.
std::string common_value(const std::vector<const history::CommitRuns*>& commits, const judge::RunFact& fact,
                         const std::string& benchmark) {
  std::set<std::string> values;
  for (const auto* commit : commits)
    for (const auto& run : commit->runs)
      if (find_benchmark(run, benchmark) != nullptr) values.insert(fact.value(run).value_or(""));
  return values.size() == 1 ? *values.begin() : "";
}

EventCause& cause_of(std::vector<EventCause>& causes, const EventCause& wanted) {
  const auto found = std::ranges::find_if(causes, [&](const EventCause& cause) {
    return cause.kind == wanted.kind && cause.fact == wanted.fact && cause.before == wanted.before &&
           cause.after == wanted.after;
  });
  if (found != causes.end()) return *found;
  causes.push_back(wanted);
  causes.back().changes = 0;
  return causes.back();
}

void add_facts(const Around& at, const std::string& benchmark, std::optional<bool> same_code,
               std::vector<EventCause>& causes) {
  for (const char* name : kFactOrder) {
    const judge::RunFact& fact = judge::run_fact(name);
    if (fact.kind == judge::FactKind::kBuild && same_code.value_or(false)) continue;
    std::string before = common_value(at.before, fact, benchmark);
    std::string after = common_value(at.after, fact, benchmark);
    if (before.empty() || after.empty() || before == after) continue;
    if (fact.is_long) std::tie(before, after) = changed_words(before, after);
    if (before.empty()) before = "none";
    if (after.empty()) after = "none";
    causes.push_back({EventCauseKind::kFact, name, before, after, "", 1});
  }
}

// What of the code may have had the effect of this change.
std::string code_in_words(const judge::SideEvidence& before, const judge::SideEvidence& after,
                          const EventChange& change) {
  auto causes = judge::find_causes(judge::side_facts(before), judge::side_facts(after), false);
  std::erase_if(causes, [](const judge::Cause& cause) { return cause.about != judge::About::kCode; });
  return judge::cause_in_words(causes, change.worse ? judge::Effect::kSlower : judge::Effect::kFaster);
}

// What is left where the code is the same: of the host's time, what the host does is in no hash.
std::string left_by_same_code(const judge::SideEvidence& before, const judge::SideEvidence& after) {
  if (judge::has_same_program(before, after)) return "the machine: the program is the same";
  return judge::is_timed_by_events(before) && judge::is_timed_by_events(after)
             ? "layout of the build or the machine"
             : "what the host does around the kernels, layout of the build or the machine";
}

// Facts in their order, then conditions, the code, the same code.
int rank_of(const EventCause& cause) {
  if (cause.kind != EventCauseKind::kFact)
    return static_cast<int>(kFactOrder.size()) + static_cast<int>(cause.kind);
  const auto at = std::ranges::find(kFactOrder, cause.fact);
  return static_cast<int>(at - kFactOrder.begin());
}

// What was recorded of software, machine and code beside one change, in the order of causes; and whether the
// time of the benchmark is its kernels' alone, and their machine code, launches and work are the same in the
// nearest runs on both sides: then nobody's change of the code made this one.
struct Explained {
  std::vector<EventCause> causes;
  bool same_code = false;
};

Explained explained(const ChangeEvent& event, const EventChange& change, const Commits& commits) {
  const Around at = around(commits, event, change.benchmark);
  if (at.before.empty() || at.after.empty()) return {};
  Explained found;
  const judge::SideEvidence before = judge::side_evidence(at.before.front()->runs, change.benchmark);
  const judge::SideEvidence after = judge::side_evidence(at.after.front()->runs, change.benchmark);
  const bool same_program = judge::has_same_program(before, after);
  const auto same_code = same_program ? std::optional(true) : judge::has_same_code(before, after);
  add_facts(at, change.benchmark, same_code, found.causes);
  if (!change.other_conditions.empty())
    found.causes.push_back({EventCauseKind::kConditions, "", "", "", change.other_conditions, 1});
  if (same_code && *same_code)
    found.causes.push_back({EventCauseKind::kSameCode, "", "", "", left_by_same_code(before, after), 1});
  if (same_code && !*same_code)
    found.causes.push_back({EventCauseKind::kCode, "", "", "", code_in_words(before, after, change), 1});
  found.same_code = same_program || (judge::is_timed_by_events(before) && judge::is_timed_by_events(after) &&
                                     same_code.value_or(false));
  return found;
}

// The positions on the line that the causes of a change may be read from: `needed` values on each side of it,
// and whatever lies between them.
struct PositionsAround {
  int first = 0;  // [first, before] and [after, last]
  int before = 0;
  int after = 0;
  int last = std::numeric_limits<int>::max();

  bool contains(int position) const {
    return (first <= position && position <= before) || (after <= position && position <= last);
  }
};

PositionsAround positions_around(const ChangeEvent& event, const Series& series) {
  PositionsAround around;
  around.before = event.last_before.position;
  around.after = event.last_possible.position;
  std::size_t seen = 0;
  for (auto point = series.points.rbegin(); point != series.points.rend() && seen < kAgreeing; ++point)
    if (point->position <= around.before && ++seen == kAgreeing) around.first = point->position;
  seen = 0;
  for (auto point = series.points.begin(); point != series.points.end() && seen < kAgreeing; ++point)
    if (point->position > around.before && point->position >= around.after && ++seen == kAgreeing)
      around.last = point->position;
  return around;
}

// The commits around an event's changes on a device, with the benchmarks that changed.
std::vector<history::CommitRuns> load_around(const repo::CommitLine& line, const history::RunSource& source,
                                             const std::string& device,
                                             const std::vector<PositionsAround>& around,
                                             const std::vector<std::string>& names, const Policy& policy) {
  auto commits = history::load_commits(
      line, source, device,
      [&](int position) {
        return std::ranges::any_of(around,
                                   [&](const PositionsAround& one) { return one.contains(position); });
      },
      history::wanted_names(names, policy));
  for (auto& commit : commits)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  return commits;
}

// By the newest run that has the benchmark, as tracker.toml has it. Benchmarks have their new names already.
bool fails_with_same_code(const std::vector<history::CommitRuns>& commits, const std::string& name,
                          const Policy& policy) {
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    for (const auto& run : commit->runs)
      if (const Benchmark* benchmark = find_benchmark(run, name))
        return gate_for(without_renames(policy), *benchmark).same_code == SameCode::kFail;
  return false;
}

}  // namespace

// Of causes that are said in words, the first change's stand: it is the largest.
void put_causes(ChangeEvent& event, const std::map<std::string, Commits>& commits_of_device) {
  std::vector<EventCause> causes;
  for (auto& change : event.changes) {
    const auto commits = commits_of_device.find(change.device);
    if (commits == commits_of_device.end()) continue;
    const Explained found = explained(event, change, commits->second);
    change.same_code = found.same_code;
    for (const auto& cause : found.causes) cause_of(causes, cause).changes += cause.changes;
  }
  if (is_of_machine(event)) return;  // it has its cause
  const double least = kShareMin * static_cast<double>(event.changes.size());
  std::erase_if(causes, [&](const EventCause& cause) { return static_cast<double>(cause.changes) < least; });
  std::ranges::stable_sort(causes, {}, rank_of);
  event.causes = std::move(causes);
}

void add_causes(const repo::Repository& repository, const history::RunSource& source, const std::string& from,
                const Policy& policy, const std::vector<Series>& all, std::vector<ChangeEvent>& events) {
  if (events.empty()) return;
  const auto line = repository.first_parents(from, history::kWholeLine);
  std::map<std::pair<std::string, std::string>, const Series*> series;
  for (const auto& one : all) series[{one.device, one.benchmark}] = &one;
  for (auto& event : events) {
    std::map<std::string, std::vector<PositionsAround>> around;  // by device
    std::map<std::string, std::vector<std::string>> names;
    for (const auto& change : event.changes) {
      around[change.device].push_back(positions_around(event, *series.at({change.device, change.benchmark})));
      names[change.device].push_back(change.benchmark);
    }
    std::map<std::string, Commits> commits;
    for (const auto& [device, positions] : around)
      commits[device] = load_around(line, source, device, positions, names[device], policy);
    put_causes(event, commits);
    for (auto& change : event.changes)
      change.same_code_fails =
          change.same_code && fails_with_same_code(commits[change.device], change.benchmark, policy);
  }
}

}  // namespace tracker::events
