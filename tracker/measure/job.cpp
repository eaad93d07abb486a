#include "tracker/measure/job.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/measure/boards.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::measure {
namespace {

// A binary that failed in so many processes of its benchmarks, and delivered in none, is not started again.
constexpr std::size_t kFailedPartsMax = 3;

const Binary* find_binary(const std::vector<Binary>& binaries, const Binary& wanted) {
  const auto found =
      std::ranges::find_if(binaries, [&](const Binary& one) { return is_same_binary(one, wanted); });
  return found == binaries.end() ? nullptr : &*found;
}

std::vector<Binary> all_binaries(const std::vector<Target>& targets) {
  std::vector<Binary> all;
  for (const auto& target : targets)
    for (const auto& binary : target.binaries)
      if (find_binary(all, binary) == nullptr) all.push_back(binary);
  return all;
}

// What maps know a binary by.
std::string key_of(const Binary& binary) {
  return binary.path + "\n" + join(binary.arguments, "\n");
}

std::string in_words(const std::map<std::string, int>& reasons) {
  std::vector<std::string> words;
  for (const auto& [reason, count] : reasons)
    if (exclusion_of(reason).reason != ExclusionReason::kPairDisturbed) words.push_back(reason);
  constexpr std::size_t kShown = 3;
  if (words.size() > kShown) {
    words.resize(kShown);
    words.emplace_back("…");
  }
  return join(words, "; ");
}

int executions_in(const InvocationSpec& spec) {
  return spec.flags.knows(kInterleaving) ? 1 : spec.repetitions;
}

}  // namespace

Job::Job(const std::vector<Target>& targets, const Options& options, const LocalEnvironment& environment,
         Progress& progress)
    : targets_(targets), options_(options), environment_(environment), progress_(progress) {
  measured_.files.resize(targets.size());
}

InvocationSpec Job::spec_for(std::size_t target, const Binary& binary) const {
  InvocationSpec spec;
  spec.root = targets_[target].root;
  spec.shared = targets_[target].shared;
  spec.binary = binary;
  spec.repetitions = options_.repetitions;
  spec.timeout_s = options_.timeout_s;
  spec.cpus = cpus_;
  spec.high_priority = options_.high_priority;
  spec.padding_bytes = options_.padding_bytes;
  if (const auto flags = flags_.find(key_of(binary)); flags != flags_.end()) spec.flags = flags->second;
  spec.visible_gpus = options_.visible_gpus;
  spec.tick = [this] {
    const Guard guard(mutex_);
    progress_.tick();
  };
  return spec;
}

bool Job::list(std::size_t target, const Binary& binary, Listing& listing) {
  InvocationSpec spec = spec_for(target, binary);
  if (options_.only.empty()) spec.filter = options_.filter;
  spec.tick = nullptr;  // no step is under way
  spec.output = options_.spool / ("side" + std::to_string(target + 1) + "-" + slug(label_of(binary)));
  auto outcome = list_benchmarks(spec);
  if (outcome.names) claims_.claim(target, binary, *outcome.names);
  for (const auto& line : outcome.lines)
    listed_[key_of(binary)].emplace(binary.prefix + split_method_suffixes(line).name, line);
  const auto [flags, is_first] = flags_.try_emplace(key_of(binary), outcome.flags);
  if (!is_first) flags->second = common_flags(flags->second, outcome.flags);
  listing = {target, std::move(outcome.names)};
  measured_.interrupted = outcome.stopped;
  return !outcome.stopped;
}

bool Job::choose_binary(const Binary& binary) {
  Selection selection{options_.filter, options_.only, options_.isolate, {}};
  for (const auto& target : targets_) selection.labels.push_back(target.label);
  std::vector<Listing> listings;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const Binary* here = find_binary(targets_[t].binaries, binary);
    if (here == nullptr) continue;
    listings.push_back({t, {}});
    if (!list(t, *here, listings.back())) return false;
  }
  tell_what_is_missing(binary);
  auto chosen = choose_parts(binary, listings, selection);
  parts_.insert(parts_.end(), chosen.parts.begin(), chosen.parts.end());
  measured_.notes.insert(measured_.notes.end(), chosen.notes.begin(), chosen.notes.end());
  return true;
}

void Job::tell(const std::string& what) const {
  if (options_.tell && options_.first_round == 1) options_.tell(what);
}

void Job::tell_what_is_missing(const Binary& binary) const {
  const LibraryFlags& flags = flags_.at(key_of(binary));
  const std::string name = in_quotes(label_of(binary)) + ": ";
  for (const auto& row : library_flag_table())
    if (row.flag == kInterleaving && !flags.knows(row.flag) && options_.repetitions > 1)
      tell(name + "its Google Benchmark is older than " + std::string(row.since) +
           " and cannot interleave repetitions: " + std::string(row.without) + ", " +
           std::to_string(options_.repetitions) + " an invocation");
  for (const auto& note : fit_arguments(binary.arguments, flags).notes) tell(name + note);
}

Expectation Job::expectation_of(const JobPart& part) const {
  std::vector<std::string> lines;
  if (const auto listed = listed_.find(key_of(part.binary)); listed != listed_.end())
    for (const auto& name : part.names)
      if (const auto line = listed->second.find(name); line != listed->second.end())
        lines.push_back(line->second);
  return expect_time(lines, part.binary.arguments, options_.repetitions);
}

void Job::tell_expectation() {
  Expectation round;  // of all parts on all their targets
  Expectation longest;
  std::set<std::pair<std::string, std::string>> names;
  for (const auto& part : parts_) {
    const Expectation one = expectation_of(part);
    for (const auto& name : part.names) names.emplace(key_of(part.binary), name);
    round.open += one.open * part.targets.size();
    round.seconds += one.seconds * static_cast<double>(part.targets.size());
    round.manual += one.manual * part.targets.size();
    round.min_time_s = std::max(round.min_time_s, one.min_time_s);
    if (one.seconds > longest.seconds) longest = one;
  }
  round.benchmarks = names.size();
  if (names.empty()) return;
  expected_all_s_ = round.seconds * options_.invocations;
  tell(expectation_in_words(round, options_.repetitions, options_.invocations,
                            static_cast<int>(targets_.size())));
  if (longest.seconds > options_.timeout_s)
    tell("an invocation may need about " + format_duration(longest.seconds) + ", and is stopped after " +
         format_duration(options_.timeout_s) + ": raise timeout_s in [measure], or shorten it");
  const std::size_t boards = std::max<std::size_t>(options_.boards.size(), 1);
  if (boards > 1 && round.seconds > 0)
    tell("on " + std::to_string(boards) + " GPUs at once, so about " +
         format_duration(round.seconds * options_.invocations / static_cast<double>(boards)));
  if (round.seconds * options_.invocations > kLongJobS * static_cast<double>(boards))
    tell(how_to_shorten_in_words(options_.repetitions));
}

bool Job::on_cpu() const {
  return std::ranges::any_of(all_binaries(targets_),
                             [&](const Binary& binary) { return !environment_.uses_gpu(binary.device); });
}

void Job::tell_load() const {
  if (!on_cpu()) return;
  const double busy = load_.busy_cpus().value_or(static_cast<double>(LoadWatch::waiting().value_or(0)));
  if (const auto warning = load_before(busy, static_cast<int>(allowed_cpus().size())))
    tell(warning->cause + "; " + warning->remedy);
}

void Job::settle_cpus() {
  if (options_.cpus.empty()) return;
  const auto allowed = allowed_cpus();
  if (options_.cpus != "auto") {
    cpus_ = parse_cpu_list(options_.cpus);
    for (const int cpu : cpus_)
      if (std::ranges::find(allowed, cpu) == allowed.end())
        throw Error(ExitCode::kUsage,
                    "cpus = \"" + options_.cpus + "\" in [measure]: there is no CPU " + std::to_string(cpu) +
                        " here that tracker may use",
                    "choose among those it may use, or write \"auto\"");
    return;
  }
  for (const auto& [key, lines] : listed_)
    for (const auto& [name, line] : lines)
      if (const std::size_t at = line.find("/threads:");
          at != std::string::npos && line.substr(at + 9) != "1")
        return tell("cpus = \"auto\" in [measure]: " + in_quotes(name) +
                    " has several threads, so that all CPUs are used");
  if (const auto quietest = load_.quietest()) cpus_ = {*quietest};
  if (!cpus_.empty()) tell("the benchmarks run on CPU " + std::to_string(cpus_.front()) + " alone");
}

void Job::refuse_no_match() const {
  throw Error(ExitCode::kUsage, options_.filter.empty()
                                    ? "the benchmark binaries list no benchmark"
                                    : "no benchmark matches " + in_quotes(options_.filter));
}

bool Job::choose() {
  for (const auto& binary : all_binaries(targets_))
    if (!choose_binary(binary)) return false;
  if (parts_.empty() && options_.only.empty()) refuse_no_match();
  if (parts_.empty()) measured_.notes.emplace_back("none of the benchmarks asked for is in a binary");
  settle_cpus();
  tell_expectation();
  tell_load();
  return true;
}

std::vector<PartRound> Job::first_rounds() const {
  return all_rounds(parts_.size(), options_.first_round, options_.invocations);
}

bool Job::has_failed(const Step& step) const {
  if (failed_.count({step.part, step.target}) != 0) return true;
  std::size_t failures = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (is_same_binary(parts_[part].binary, parts_[step.part].binary))
      failures += failed_.count({part, step.target});
  return failures >= kFailedPartsMax && std::ranges::none_of(made_, [&](const Made& made) {
           return made.step.target == step.target &&
                  is_same_binary(parts_[made.step.part].binary, parts_[step.part].binary);
         });
}

std::string Job::step_name(const Step& step) const {
  const JobPart& part = parts_[step.part];
  const Target& target = targets_[step.target];
  const int last = options_.first_round + options_.invocations - 1;
  return label_of(part.binary) + (target.label.empty() ? "" : " at " + target.label) +
         (part.what.empty() ? "" : ", " + part.what) + ", invocation " + std::to_string(step.round) +
         (step.round > last ? " (one was left out)" : " of " + std::to_string(last));
}

// Unique also where a job is gone on with.
std::filesystem::path Job::output_for(const Step& step) const {
  const std::string label = label_of(parts_[step.part].binary);
  const std::string stem = "side" + std::to_string(step.target + 1) + "-" + slug(label) + "-" +
                           std::to_string(step.part + 1) + "-" + std::to_string(step.round);
  std::filesystem::path output = options_.spool / (stem + ".json");
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(output, ignored); ++copy)
    output = options_.spool / (stem + "-" + std::to_string(copy) + ".json");
  return output;
}

void Job::take_step(const Step& step, std::optional<std::size_t> board, Guard& guard) {
  const JobPart& part = parts_[step.part];
  const Target& target = targets_[step.target];
  InvocationSpec spec = spec_for(step.target, *find_binary(target.binaries, part.binary));
  spec.filter = part.filter;
  spec.output = output_for(step);
  if (board) {
    spec.board = options_.boards[*board];
    if (spec.cpus.empty() && options_.boards.size() > 1) spec.cpus = environment_.cpus_near(*spec.board);
  }
  const Expectation expected = expectation_of(part);
  progress_.expect(expected.open == 0 ? expected.seconds : 0,
                   static_cast<int>(expected.benchmarks) * executions_in(spec));
  BenchmarkCounter counter(listed_[key_of(part.binary)], executions_in(spec));
  spec.on_output = [&](std::string_view text) {
    const Guard now(mutex_);
    for (int ended = counter.read(text); ended > 0; --ended) progress_.benchmark_done();
  };
  guard.unlock();
  const auto began = std::chrono::steady_clock::now();
  auto outcome = invoke(spec, environment_);
  guard.lock();
  if (std::exchange(is_first_, false) && outcome.file && expected.open == 0) {
    const std::string learned = learned_in_words(expected.seconds, seconds_since(began), expected_all_s_);
    if (!learned.empty()) tell(learned + "; " + how_to_shorten_in_words(options_.repetitions));
  }
  keep(step, std::move(outcome));
}

void Job::keep(const Step& step, InvocationOutcome outcome) {
  const JobPart& part = parts_[step.part];
  measured_.interrupted = measured_.interrupted || outcome.stopped;
  if (outcome.file) {
    auto& files = measured_.files[step.target];
    std::vector<std::string> names;
    for (const auto& benchmark : outcome.file->benchmarks) names.push_back(benchmark.name);
    claims_.claim(step.target, part.binary, names);  // of those that could not list them
    made_.push_back({step, files.size()});
    files.push_back(std::move(*outcome.file));
    files.back().invocation.round = step.round;
    times_.wall_s += files.back().invocation.length_s;
    times_.measured_s += measured_s(files.back().invocation);
    const Device& board = *files.back().device;
    if (const auto illness = illness_of(files.back().invocation.conditions, board); !illness.empty())
      leave_out_board(board, illness);
  } else if (outcome.none_match) {
    failed_.insert({step.part, step.target});  // it need not be started again
  } else if (!outcome.stopped) {
    failed_.insert({step.part, step.target});
    measured_.failures.push_back({targets_[step.target].label, part.binary, step.round,
                                  outcome.failure + (part.what.empty() ? "" : " with " + part.what),
                                  outcome.last_output, outcome.ended_badly});
  }
}

void Job::leave_out_board(const Device& board, const std::string& illness) {
  const std::string name = board.uuid.value_or(board.model);
  const bool is_new = ill_boards_.insert(name).second;
  const bool is_first = made_.size() == 1;
  if (ill_boards_.size() >= std::max<std::size_t>(options_.boards.size(), 1) &&
      (options_.boards.size() > 1 || is_first))
    throw Error(ExitCode::kEnvironment, "the GPU " + name + " is not fit to measure: it ran at " + illness,
                "check its cooling and its power (tracker doctor), or measure on another one: --gpus");
  if (is_new && options_.boards.size() > 1)
    measured_.notes.push_back("the GPU " + name + " is left out, as it ran at " + illness);
}

bool Job::runs_on_cpu(const Unit& unit) const {
  return !environment_.uses_gpu(parts_[unit.front().part].binary.device);
}

// A board's own rounds first, then what the busiest one has left: the last ones of its queue.
void Job::work_on_board(std::size_t board, std::vector<std::deque<Unit>>& queues) {
  Guard guard(mutex_);
  const auto is_ill = [&] { return ill_boards_.count(options_.boards[board].uuid.value_or("")) != 0; };
  while (!measured_.interrupted && !failure_ && !is_ill()) {
    const bool has_own = !queues[board].empty();
    auto& queue = has_own ? queues[board]
                          : *std::ranges::max_element(queues, {}, [](const auto& one) { return one.size(); });
    if (queue.empty()) return;
    const Unit unit = has_own ? queue.front() : queue.back();
    if (is_out_of_time(unit.front())) return;
    has_own ? queue.pop_front() : queue.pop_back();
    if (!is_too_many(unit)) take_unit(unit, board, guard);
  }
}

void Job::take_unit(const Unit& unit, std::optional<std::size_t> board, Guard& guard) {
  const bool is_one_of_many = board && options_.boards.size() > 1;
  const auto begun = std::chrono::steady_clock::now();
  for (const auto& step : unit) {
    if (measured_.interrupted) return;
    if (has_failed(step)) {
      progress_.skip_step();
      continue;
    }
    std::string name = step_name(step);
    if (is_one_of_many)
      name += " on " + short_uuid(options_.boards[*board].uuid.value_or(options_.boards[*board].model));
    progress_.start_step(name);
    const auto start = std::chrono::steady_clock::now();
    take_step(step, board, guard);
    if (is_one_of_many)
      progress_.end_one_of(static_cast<int>(options_.boards.size()), name, seconds_since(start));
    else if (!measured_.interrupted)
      progress_.end_step();
  }
  longest_s_ = std::max(longest_s_, seconds_since(begun));
}

void Job::take_on_boards(std::vector<Unit> units) {
  const std::size_t boards = options_.boards.size();
  std::vector<std::deque<Unit>> queues(boards);
  // Whole blocks of two rounds (plan.hpp), so that each board has both orders.
  for (auto& unit : units)
    queues[static_cast<std::size_t>(unit.front().round - 1) / 2 % boards].push_back(std::move(unit));
  std::vector<std::thread> workers;
  for (std::size_t board = 0; board < boards; ++board)
    workers.emplace_back([this, board, &queues] {
      try {
        work_on_board(board, queues);
      } catch (...) {
        const Guard guard(mutex_);
        failure_ = std::current_exception();
      }
    });
  for (auto& worker : workers) worker.join();
  if (failure_) std::rethrow_exception(failure_);
}

bool Job::is_too_many(const Unit& unit) {
  const int made_before = unit.front().round - options_.first_round;
  if (!is_settled_ && made_before >= kShortenedRoundsMin && !made_.empty()) {
    is_settled_ = true;
    times_.all_wall_s = times_.wall_s / static_cast<double>(made_.size()) * steps(first_rounds());
    invocations_ = rounds_worth_it(options_.invocations, times_, *options_.shorten_above_s);
    if (invocations_ < options_.invocations)
      measured_.notes.push_back(shortened_in_words(invocations_, options_.invocations, times_));
  }
  if (made_before < invocations_ || made_before >= options_.invocations) return false;  // or made again
  for (std::size_t i = 0; i < unit.size(); ++i) progress_.skip_step();
  return true;
}

bool Job::is_out_of_time(const Step& first) {
  constexpr int kRoundsMin = 2;
  if (!options_.deadline || first.round < options_.first_round + kRoundsMin) return false;
  const std::chrono::duration<double> longest(longest_s_);
  out_of_time_ = out_of_time_ || std::chrono::steady_clock::now() + longest > *options_.deadline;
  return out_of_time_;
}

bool Job::take(const std::vector<PartRound>& rounds) {
  std::vector<Unit> units;
  for (const auto& step : plan_steps(parts_, rounds, random_)) {
    const bool begins =
        units.empty() || units.back().front().part != step.part || units.back().front().round != step.round;
    if (begins) units.emplace_back();
    units.back().push_back(step);
  }
  std::vector<Unit> on_boards;
  for (auto& unit : units) {
    const bool on_cpu = runs_on_cpu(unit);
    if (options_.boards.size() > 1 && !on_cpu) {
      on_boards.push_back(std::move(unit));
      continue;
    }
    if (measured_.interrupted || is_out_of_time(unit.front())) break;
    Guard guard(mutex_);
    std::optional<std::size_t> board;
    if (!options_.boards.empty() && !on_cpu) board = 0;
    if (!is_too_many(unit)) take_unit(unit, board, guard);
  }
  if (!on_boards.empty() && !measured_.interrupted) take_on_boards(std::move(on_boards));
  return !measured_.interrupted;
}

std::vector<Taken> Job::taken_of(const std::set<std::size_t>& parts) {
  std::vector<Taken> taken;
  for (const auto& [board, here] : taken_by_board(parts)) taken.insert(taken.end(), here.begin(), here.end());
  return taken;
}

std::map<std::string, std::vector<Taken>> Job::taken_by_board(const std::set<std::size_t>& parts) {
  std::map<std::string, std::vector<Taken>> by_board;
  for (const auto& made : made_) {
    if (!parts.contains(made.step.part)) continue;
    formats::BenchmarkFile& file = measured_.files[made.step.target][made.file];
    const bool is_spread = options_.boards.size() > 1 && file.device;
    by_board[is_spread ? file.device->uuid.value_or("") : ""].push_back({made.step, &file.invocation});
  }
  return by_board;
}

std::vector<PartRound> Job::retakes() {
  std::vector<PartRound> again;
  int rounds_max = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (const auto& [board, taken] : taken_by_board({part})) exclude_disturbed(taken);
    const auto taken = taken_of({part});
    if (std::ranges::all_of(parts_[part].targets, [&](std::size_t target) {
          return has_failed({part, target, 0});
        }))
      continue;
    const int retakes_max = invocations_ + (warmed_up_.count(key_of(parts_[part].binary)) != 0 ? 1 : 0);
    const int rounds = rounds_to_retake(invocations_, clean_rounds(taken), retaken_[part], retakes_max);
    for (int i = 0; i < rounds; ++i) again.push_back({part, next_round_ + i});
    retaken_[part] += rounds;
    rounds_max = std::max(rounds_max, rounds);
  }
  next_round_ += rounds_max;
  return again;
}

void Job::leave_out_warm_up() {
  warm_up_sought_ = true;
  if (options_.first_round > 1 || invocations_ < kWarmUpRoundsMin) return;
  std::map<std::string, std::set<std::size_t>> by_binary;
  for (std::size_t part = 0; part < parts_.size(); ++part)
    by_binary[key_of(parts_[part].binary)].insert(part);
  for (const auto& [binary, parts] : by_binary) {
    std::map<std::string, TimeBase> time_bases;
    for (const auto& made : made_)
      if (parts.count(made.step.part) != 0)
        for (const auto& benchmark : measured_.files[made.step.target][made.file].benchmarks)
          time_bases[benchmark.name] = benchmark.time_base;
    for (const auto& [board, taken] : taken_by_board(parts)) {
      const int first_round =
          std::ranges::min(taken, {}, [](const Taken& one) { return one.step.round; }).step.round;
      if (!is_warm_up(logs_by_round(taken, time_bases, first_round))) continue;
      warmed_up_.insert(binary);
      for (const auto& one : taken)
        if (one.step.round == first_round && !one.invocation->excluded)
          one.invocation->excluded = {ExclusionReason::kWarmUp, ""};
    }
  }
}

std::vector<PartRound> Job::rounds_again() {
  auto again = retakes();
  if (again.empty() && !warm_up_sought_) {
    leave_out_warm_up();
    again = retakes();
  }
  if (out_of_time_) again.clear();
  return again;
}

int Job::steps(const std::vector<PartRound>& rounds) const {
  std::size_t steps = 0;
  for (const auto& one : rounds) steps += parts_[one.part].targets.size();
  return static_cast<int>(steps);
}

// Of a round that was interrupted between the two sides the one half is kept, and does not count.
void Job::leave_out_halves() {
  std::map<std::pair<std::size_t, int>, std::size_t> made;  // part, round → targets
  for (const auto& one : made_) ++made[{one.step.part, one.step.round}];
  measured_.incomplete.resize(targets_.size());
  for (const auto& one : made_)
    if (made[{one.step.part, one.step.round}] < parts_[one.step.part].targets.size() &&
        failed_.count({one.step.part, 1 - one.step.target}) == 0)
      measured_.files[one.step.target][one.file].invocation.excluded = {ExclusionReason::kPairInterrupted,
                                                                        ""};
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (const std::size_t target : parts_[part].targets)
      if (failed_.count({part, target}) == 0 && std::ranges::none_of(made_, [&](const Made& one) {
            return one.step.part == part && one.step.target == target;
          }))
        measured_.incomplete[target] = true;
}

Measured Job::finish() {
  if (measured_.interrupted && !parts_.empty()) leave_out_halves();
  const bool has_nothing = made_.empty() && measured_.failures.empty() && !measured_.interrupted;
  if (has_nothing && !parts_.empty()) refuse_no_match();
  if (const auto busy = load_.busy_cpus(); busy && on_cpu() && !made_.empty())
    if (const auto warning = load_while_measured(*busy, static_cast<int>(allowed_cpus().size())))
      measured_.warnings.push_back(*warning);
  std::map<std::string, std::pair<int, std::map<std::string, int>>> counted;  // binary → invocations, why
  std::map<std::string, int> left_out;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto taken = taken_of({part});
    auto reasons = excluded_for(taken);
    reasons.erase(exclusion_in_words({ExclusionReason::kWarmUp, ""}));
    const int count = count_again_if_few(taken, invocations_);
    for (const auto& [reason, times] : excluded_for(taken)) left_out[reason] += times;
    if (count == 0) continue;
    auto& [invocations, why] = counted[label_of(parts_[part].binary)];
    invocations += count;
    why.merge(reasons);
  }
  for (const auto& [binary, found] : counted)
    measured_.notes.push_back(in_quotes(binary) + " was disturbed too often to leave that out (" +
                              in_words(found.second) + "): " + std::to_string(found.first) +
                              " disturbed invocations count");
  for (const auto& [reason, times] : left_out) measured_.excluded += times;
  measured_.excluded_for = in_words(left_out);
  measured_.retakes = static_cast<int>(std::ranges::count_if(made_, [&](const Made& made) {
    return made.step.round >= options_.first_round + options_.invocations;
  }));
  measured_.next_round = next_round_;
  return std::move(measured_);
}

Measured measure(const std::vector<Target>& targets, const Options& options,
                 const LocalEnvironment& environment, Progress& progress) {
  Job job(targets, options, environment, progress);
  if (!job.choose()) return job.finish();
  auto rounds = job.first_rounds();
  progress.begin(job.steps(rounds));
  while (!rounds.empty() && job.take(rounds)) {
    rounds = job.rounds_again();
    progress.extend(job.steps(rounds));
  }
  progress.end();
  return job.finish();
}

void append(Measured more, Measured& measured) {
  const auto move_all = [](auto& from, auto& to) { std::ranges::move(from, std::back_inserter(to)); };
  measured.files.resize(more.files.size());
  measured.incomplete.resize(more.files.size());
  more.incomplete.resize(more.files.size());
  for (std::size_t target = 0; target < more.files.size(); ++target) {
    move_all(more.files[target], measured.files[target]);
    measured.incomplete[target] = measured.incomplete[target] || more.incomplete[target];
  }
  move_all(more.failures, measured.failures);
  move_all(more.notes, measured.notes);
  move_all(more.warnings, measured.warnings);
  measured.interrupted = measured.interrupted || more.interrupted;
  measured.next_round = std::max(measured.next_round, more.next_round);
  measured.excluded += more.excluded;
  if (measured.excluded_for.empty()) measured.excluded_for = more.excluded_for;
  measured.retakes += more.retakes;
  if (measured.out_of_time.empty()) measured.out_of_time = more.out_of_time;
}

}  // namespace tracker::measure
