#include "tracker/measure/job.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/warm_up.hpp"

namespace tracker {
namespace {

// A binary that failed in so many processes of its benchmarks, and delivered in none, is not started again.
constexpr std::size_t kFailedPartsMax = 3;

const Binary* find_binary(const Target& target, const std::string& path) {
  const auto found = std::find_if(target.binaries.begin(), target.binaries.end(),
                                  [&](const Binary& binary) { return binary.path == path; });
  return found == target.binaries.end() ? nullptr : &*found;
}

std::vector<std::string> all_paths(const std::vector<Target>& targets) {
  std::vector<std::string> paths;
  for (const auto& target : targets)
    for (const auto& binary : target.binaries)
      if (std::find(paths.begin(), paths.end(), binary.path) == paths.end()) paths.push_back(binary.path);
  return paths;
}

std::string in_words(const std::map<std::string, int>& reasons) {
  std::vector<std::string> words;
  for (const auto& [reason, count] : reasons)
    if (reason != kPairDisturbed) words.push_back(printable(reason));
  constexpr std::size_t kShown = 3;
  if (words.size() > kShown) {
    words.resize(kShown);
    words.emplace_back("…");
  }
  return join(words, "; ");
}

}  // namespace

Job::Job(const std::vector<Target>& targets, const MeasureOptions& options,
         const LocalEnvironment& environment, Progress& progress)
    : targets_(targets),
      options_(options),
      environment_(environment),
      progress_(progress),
      random_(options.seed),
      next_round_(options.first_round + options.invocations) {
  measured_.files.resize(targets.size());
}

InvocationSpec Job::spec_for(std::size_t target, const Binary& binary) const {
  InvocationSpec spec;
  spec.root = targets_[target].root;
  spec.binary = binary;
  spec.repetitions = options_.repetitions;
  spec.timeout_s = options_.timeout_s;
  spec.tick = [this] { progress_.tick(); };
  return spec;
}

bool Job::list(std::size_t target, const Binary& binary, Listing& listing) {
  InvocationSpec spec = spec_for(target, binary);
  if (options_.only.empty()) spec.filter = options_.filter;
  spec.tick = nullptr;  // no step is under way
  spec.output = options_.spool / ("side" + std::to_string(target + 1) + "-" + slug(binary.path) + ".list");
  auto outcome = list_benchmarks(spec);
  listing = {target, std::move(outcome.names)};
  measured_.interrupted = outcome.stopped;
  return !outcome.stopped;
}

bool Job::choose_binary(const std::string& path) {
  Selection selection{options_.filter, options_.only, options_.isolate, {}};
  for (const auto& target : targets_) selection.labels.push_back(target.label);
  std::vector<Listing> listings;
  const bool all_of_one = targets_.size() == 1 && !options_.isolate && options_.only.empty();
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const Binary* binary = find_binary(targets_[t], path);
    if (binary == nullptr) continue;
    listings.push_back({t, {}});
    if (!(all_of_one && options_.filter.empty()) && !list(t, *binary, listings.back())) return false;
  }
  auto chosen = choose_parts(path, listings, selection);
  parts_.insert(parts_.end(), chosen.parts.begin(), chosen.parts.end());
  measured_.notes.insert(measured_.notes.end(), chosen.notes.begin(), chosen.notes.end());
  return true;
}

bool Job::choose() {
  for (const auto& path : all_paths(targets_))
    if (!choose_binary(path)) return false;
  if (parts_.empty() && options_.only.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches '" + printable(options_.filter) + "'");
  if (parts_.empty()) measured_.notes.emplace_back("none of the benchmarks asked for is in a binary");
  return true;
}

std::vector<PartRound> Job::first_rounds() const {
  return all_rounds(parts_.size(), options_.first_round, options_.invocations);
}

bool Job::has_failed(const Step& step) const {
  if (failed_.count({step.part, step.target}) != 0) return true;
  std::size_t failures = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (parts_[part].binary == parts_[step.part].binary) failures += failed_.count({part, step.target});
  return failures >= kFailedPartsMax && std::none_of(made_.begin(), made_.end(), [&](const Made& made) {
           return made.step.target == step.target &&
                  parts_[made.step.part].binary == parts_[step.part].binary;
         });
}

std::string Job::step_name(const Step& step) const {
  const Part& part = parts_[step.part];
  const Target& target = targets_[step.target];
  const int last = options_.first_round + options_.invocations - 1;
  return printable(std::filesystem::path(part.binary).filename().string()) +
         (target.label.empty() ? "" : " at " + target.label) +
         (part.what.empty() ? "" : ", " + printable(part.what)) + ", invocation " +
         std::to_string(step.round) +
         (step.round > last ? " (one was left out)" : " of " + std::to_string(last));
}

// Unique also where a job is gone on with.
std::filesystem::path Job::output_for(const Step& step) const {
  const std::string& path = parts_[step.part].binary;
  const std::string stem = "side" + std::to_string(step.target + 1) + "-" + slug(path) + "-" +
                           std::to_string(step.part + 1) + "-" + std::to_string(step.round);
  std::filesystem::path output = options_.spool / (stem + ".json");
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(output, ignored); ++copy)
    output = options_.spool / (stem + "-" + std::to_string(copy) + ".json");
  return output;
}

void Job::take_step(const Step& step) {
  const Part& part = parts_[step.part];
  const Target& target = targets_[step.target];
  InvocationSpec spec = spec_for(step.target, *find_binary(target, part.binary));
  spec.filter = part.filter;
  spec.output = output_for(step);
  auto outcome = invoke(spec, environment_);
  measured_.interrupted = outcome.stopped;
  if (outcome.file) {
    auto& files = measured_.files[step.target];
    made_.push_back({step, files.size()});
    files.push_back(std::move(*outcome.file));
    files.back().invocation.round = step.round;
  } else if (!outcome.stopped) {
    failed_.insert({step.part, step.target});
    measured_.failures.push_back({target.label, part.binary, step.round,
                                  outcome.failure + (part.what.empty() ? "" : " with " + part.what),
                                  outcome.last_output});
  }
}

bool Job::take(const std::vector<PartRound>& rounds) {
  for (const auto& step : plan_steps(parts_, rounds, random_)) {
    if (has_failed(step)) {
      progress_.skip_step();
      continue;
    }
    progress_.start_step(step_name(step));
    take_step(step);
    if (measured_.interrupted) return false;
    progress_.end_step();
  }
  return true;
}

std::vector<Taken> Job::taken_of(const std::set<std::size_t>& parts) {
  std::vector<Taken> taken;
  for (const auto& made : made_)
    if (parts.count(made.step.part) != 0)
      taken.push_back({made.step, &measured_.files[made.step.target][made.file].invocation});
  return taken;
}

bool Job::is_over(std::size_t part) const {
  const auto& targets = parts_[part].targets;
  return std::all_of(targets.begin(), targets.end(), [&](std::size_t target) {
    return has_failed({part, target, 0});
  });
}

std::vector<PartRound> Job::retakes() {
  std::vector<PartRound> again;
  int rounds_max = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto taken = taken_of({part});
    leave_out_disturbed(taken);
    if (is_over(part)) continue;
    const int retakes_max = options_.invocations + (warmed_up_.count(parts_[part].binary) != 0 ? 1 : 0);
    const int rounds =
        rounds_to_retake(options_.invocations, clean_rounds(taken), retaken_[part], retakes_max);
    for (int i = 0; i < rounds; ++i) again.push_back({part, next_round_ + i});
    retaken_[part] += rounds;
    rounds_max = std::max(rounds_max, rounds);
  }
  next_round_ += rounds_max;
  return again;
}

void Job::leave_out_warm_up() {
  warm_up_sought_ = true;
  if (options_.first_round > 1 || options_.invocations < kWarmUpRoundsMin) return;
  std::map<std::string, std::set<std::size_t>> by_binary;
  for (std::size_t part = 0; part < parts_.size(); ++part) by_binary[parts_[part].binary].insert(part);
  for (const auto& [binary, parts] : by_binary) {
    const auto taken = taken_of(parts);
    std::map<std::string, TimeBase> time_bases;
    for (const auto& made : made_)
      if (parts.count(made.step.part) != 0)
        for (const auto& benchmark : measured_.files[made.step.target][made.file].benchmarks)
          time_bases[benchmark.name] = benchmark.time_base;
    if (!is_warm_up(logs_by_round(taken, time_bases, options_.first_round))) continue;
    warmed_up_.insert(binary);
    for (const auto& one : taken)
      if (one.step.round == options_.first_round && one.invocation->left_out.empty())
        one.invocation->left_out = kWarmUp;
  }
}

std::vector<PartRound> Job::rounds_again() {
  auto again = retakes();
  if (!again.empty() || warm_up_sought_) return again;
  leave_out_warm_up();
  return retakes();
}

int Job::steps(const std::vector<PartRound>& rounds) const {
  std::size_t steps = 0;
  for (const auto& one : rounds) steps += parts_[one.part].targets.size();
  return static_cast<int>(steps);
}

Measured Job::finish() {
  std::map<std::string, std::pair<int, std::map<std::string, int>>> counted;  // binary → invocations, why
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto taken = taken_of({part});
    auto reasons = left_out_reasons(taken);
    reasons.erase(kWarmUp);
    const int count = count_again_if_few(taken, options_.invocations);
    if (count == 0) continue;
    auto& [invocations, why] = counted[parts_[part].binary];
    invocations += count;
    why.merge(reasons);
  }
  for (const auto& [binary, found] : counted)
    measured_.notes.push_back("'" + printable(std::filesystem::path(binary).filename().string()) +
                              "' was disturbed too often to leave that out (" + in_words(found.second) +
                              "): " + std::to_string(found.first) + " disturbed invocations count");
  std::set<std::size_t> all;
  for (std::size_t part = 0; part < parts_.size(); ++part) all.insert(part);
  const auto reasons = left_out_reasons(taken_of(all));
  for (const auto& [reason, count] : reasons) measured_.left_out += count;
  measured_.left_out_reasons = in_words(reasons);
  measured_.retakes = static_cast<int>(std::count_if(made_.begin(), made_.end(), [&](const Made& made) {
    return made.step.round >= options_.first_round + options_.invocations;
  }));
  measured_.next_round = next_round_;
  return std::move(measured_);
}

}  // namespace tracker
