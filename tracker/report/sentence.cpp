#include "tracker/report/sentence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/report/escape.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kSentenceNameColumnsMax = 120;
constexpr std::size_t kSentenceNamesMax = 3;  // of families or devices; more are only counted

// The results of one kind that a sentence is about, worst first.
struct Group {
  std::vector<const Comparison*> results;  // on all devices
  std::vector<std::string> benchmarks;     // distinct
  std::vector<std::string> families;       // distinct
  std::vector<bool> on_device;             // one for each report

  bool empty() const { return results.empty(); }
  bool is_one() const { return benchmarks.size() == 1; }
};

template <typename Holds>
Group group_of(const Reports& reports, Holds holds) {
  Group group;
  for (const auto& report : reports) {
    bool any = false;
    for (const auto& comparison : report.comparisons) {
      if (!holds(comparison)) continue;
      group.results.push_back(&comparison);
      any = true;
    }
    group.on_device.push_back(any);
  }
  std::ranges::stable_sort(group.results,
                           [](const Comparison* a, const Comparison* b) { return matters_more(*a, *b); });
  const auto add = [](std::vector<std::string>& all, const std::string& one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  };
  std::set<std::string> seen;
  for (const auto* one : group.results)
    if (seen.insert(one->benchmark).second) {
      group.benchmarks.push_back(one->benchmark);
      add(group.families, family_of(one->benchmark));
    }
  return group;
}

bool got_slower(const Comparison& comparison) {
  return fails_gate(comparison) &&
         (comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kSameCode);
}

template <Verdict verdict>
bool fails_as(const Comparison& comparison) {
  return fails_gate(comparison) && comparison.verdict == verdict;
}

bool is_improved(const Comparison& comparison) {
  return comparison.verdict == Verdict::kImproved;
}

Words name_of(const std::string& benchmark) {
  return {visible_text(benchmark, kSentenceNameColumnsMax), true};
}

// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return join(names, "");
  return join({names.begin(), names.end() - 1}, ", ") + " and " + names.back();
}

// " on both GPUs", " on 1 of 2 GPUs (NVIDIA H200)"; " across both GPUs" of several that are not on each of
// them; empty where there is one device alone.
std::string on_devices(const Reports& reports, const Group& group) {
  if (reports.size() < 2) return "";
  const auto& on_device = group.on_device;
  const auto devices = static_cast<std::size_t>(std::ranges::count(on_device, true));
  const std::string on = group.results.size() == group.benchmarks.size() * devices ? " on " : " across ";
  const bool gpus = std::ranges::all_of(
      reports, [](const auto& report) { return report.details.kind == DeviceKind::kGpu; });
  const std::string kind = gpus ? "GPU" : "device";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < reports.size(); ++i)
    if (on_device[i]) names.push_back(device_name(reports, reports[i]));
  if (names.size() == reports.size())
    return on + (reports.size() == 2 ? "both " : "all " + std::to_string(reports.size()) + " ") + kind + "s";
  const std::string count =
      on + std::to_string(names.size()) + " of " + std::to_string(reports.size()) + " " + kind + "s";
  return names.size() > kSentenceNamesMax ? count : count + " (" + listed(names) + ")";
}

// The subject where it is one, or of one family, or of several.
std::vector<Words> subject_of(const Group& group) {
  if (group.is_one()) return {name_of(group.benchmarks.front())};
  std::string words = count_of(group.benchmarks.size(), "benchmark");
  if (group.families.size() == 1)
    words += " of " + visible_text(group.families.front(), kSentenceNameColumnsMax);
  else if (group.families.size() <= kSentenceNamesMax)
    words += " of " + visible_text(listed(group.families), kSentenceNameColumnsMax);
  else
    words += " of " + std::to_string(group.families.size()) + " families";
  return {{words}};
}

bool has_one_metric(const Group& group) {
  return std::ranges::all_of(group.results, [&](const Comparison* one) {
    return one->metric.name == group.results.front()->metric.name;
  });
}

// "is 8.02 % slower", "have 2.1–9.3 % less bandwidth", "are slower".
std::string predicate_of(const Group& group, bool better) {
  const bool one = group.is_one();
  const Comparison& worst = *group.results.front();
  if (!has_one_metric(group) || !worst.change)
    return std::string(one ? "is " : "are ") + (better ? "faster" : "slower");
  const Metric& metric = worst.metric;
  double least = *worst.change;
  double most = least;
  for (const auto* result : group.results) {
    const double change = result->change.value_or(*worst.change);
    if (std::abs(std::log1p(change)) < std::abs(std::log1p(least))) least = change;
    if (std::abs(std::log1p(change)) > std::abs(std::log1p(most))) most = change;
  }
  const bool is_time = metric.unit == "s";
  const bool is_rate = metric.unit == "B/s" || metric.unit == "FLOP/s" || metric.unit == "1/s";
  const std::string verb = is_rate ? (one ? "has " : "have ") : (one ? "is " : "are ");
  const auto words = [&](double change) {
    if (is_time || metric.unit == "B/s") return change_in_words(metric, change);
    const double ratio = 1 + change;
    const bool as_factor = ratio >= 2;
    const std::string size =
        as_factor ? format_plain(std::round(ratio * 10) / 10) + "×" : format_share(change);
    if (is_rate)
      return size + (as_factor ? " the throughput" : change < 0 ? " less throughput" : " more throughput");
    return size +
           (as_factor    ? " as high"
            : change < 0 ? " lower"
                         : " higher") +
           " in " + visible_text(metric.name, kSentenceNameColumnsMax);
  };
  const std::string low = words(least);
  const std::string high = words(most);
  if (low == high) return verb + high;
  // "2.1 % slower" and "9.3 % slower" are "2.1–9.3 % slower"
  const auto low_space = low.find(' ');
  const auto high_space = high.find(' ');
  if (low.substr(low_space) == high.substr(high_space)) return verb + low.substr(0, low_space) + "–" + high;
  return verb + low + " to " + high;
}

void add_text(std::vector<Words>& sentence, const std::string& text) {
  if (text.empty()) return;
  if (!sentence.empty() && !sentence.back().is_name)
    sentence.back().text += text;
  else
    sentence.push_back({text});
}

void add_all(std::vector<Words>& sentence, const std::vector<Words>& more) {
  for (const auto& words : more)
    if (words.is_name)
      sentence.push_back(words);
    else
      add_text(sentence, words.text);
}

// "`a` is 8.02 % slower on both GPUs"; of several also which one is it most.
std::vector<Words> change_clause(const Reports& reports, const Group& group, bool better) {
  std::vector<Words> clause = subject_of(group);
  add_text(clause, " " + predicate_of(group, better) + on_devices(reports, group));
  if (group.is_one()) return clause;
  const Comparison& worst = *group.results.front();
  add_text(clause, better ? ", best " : ", worst ");
  clause.push_back(name_of(worst.benchmark));
  if (!has_one_metric(group) && worst.change)
    add_text(clause, ": " + change_in_words(worst.metric, *worst.change));
  return clause;
}

// Other failures than getting slower: "below its floor", "failed", "missing".
struct OtherFailure {
  bool (*holds)(const Comparison& comparison);
  const char* one;
  const char* several;
};
constexpr OtherFailure kOtherFailures[] = {
    {fails_as<Verdict::kBelowFloor>, " is below its floor", " are below their floors"},
    {fails_as<Verdict::kFailed>, " failed", " failed"},
    {fails_as<Verdict::kMissing>, " is missing", " are missing"}};

std::vector<Words> failure_clause(const Reports& reports, const Group& group, const OtherFailure& failure) {
  std::vector<Words> clause = subject_of(group);
  add_text(clause, (group.is_one() ? failure.one : failure.several) + on_devices(reports, group));
  return clause;
}

// Of what is not the main clause, which the table names: "also 1 failed and 2 are missing".
std::string other_failures(const std::vector<std::string>& counts) {
  return counts.empty() ? "" : "; also " + listed(counts);
}

std::string not_judged(const Options& options) {
  if (options.unjudged.empty()) return "";
  std::vector<std::string> devices;
  for (const auto& one : options.unjudged)
    if (!one.device.empty()) devices.push_back(visible_text(one.device, kSentenceNameColumnsMax));
  const bool named = devices.size() == options.unjudged.size() && devices.size() <= kSentenceNamesMax;
  return "; not judged on " + (named ? listed(devices) : count_of(options.unjudged.size(), "device"));
}

std::vector<Words> failed_sentence(const Reports& reports, const Options& options) {
  std::vector<Words> sentence;
  std::vector<std::string> others;
  if (const Group slower = group_of(reports, got_slower); !slower.empty())
    sentence = change_clause(reports, slower, false);
  for (const auto& failure : kOtherFailures) {
    const Group group = group_of(reports, failure.holds);
    if (group.empty()) continue;
    if (sentence.empty())
      sentence = failure_clause(reports, group, failure);
    else
      others.push_back(std::to_string(group.benchmarks.size()) +
                       (group.is_one() ? failure.one : failure.several));
  }
  add_text(sentence, other_failures(others) + not_judged(options));
  return sentence;
}

bool is_same_everywhere(const Reports& reports) {
  bool any = false;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      if (!comparison.not_measured) return false;
      any = true;
    }
  return any;
}

}  // namespace

std::vector<Words> sentence_of(const Reports& reports, const Options& options) {
  switch (answer_of(reports, options)) {
    case Answer::kFailed:
      return failed_sentence(reports, options);
    case Answer::kCannotJudge:
    case Answer::kUndecided:
      return {{headline_in_words(reports, options)}};
    case Answer::kPassed:
      break;
  }
  if (is_same_everywhere(reports)) return {{"nothing changed: both sides are the same program"}};
  const Group improved = group_of(reports, is_improved);
  if (improved.empty()) return {{headline_in_words(reports, options)}};
  std::vector<Words> sentence{{"nothing regressed, and "}};
  add_all(sentence, change_clause(reports, improved, true));
  return sentence;
}

std::string plain_text(const std::vector<Words>& sentence) {
  std::string text;
  for (const auto& words : sentence) text += words.text;
  return text;
}

bool says_all(const Reports& reports, const Options& options) {
  return plain_text(sentence_of(reports, options)) == headline_in_words(reports, options) ||
         (answer_of(reports, options) == Answer::kPassed && is_same_everywhere(reports));
}

LeadingCause leading_cause(const Reports& reports) {
  const auto can_have_cause = [](const Comparison& comparison) {
    return got_slower(comparison) || fails_as<Verdict::kBelowFloor>(comparison);
  };
  const Group slower = group_of(reports, can_have_cause);
  LeadingCause leading;
  leading.is_wanted = !slower.empty();
  if (slower.empty()) return leading;
  leading.cause = slower.results.front()->cause;
  for (const auto* one : slower.results) leading.of_worst = leading.of_worst || one->cause != leading.cause;
  return leading;
}

namespace {

struct LogSum {
  double logs = 0;
  FamilyMean mean;

  void add(double change) {
    logs += std::log1p(change);
    mean.range.low = mean.benchmarks == 0 ? change : std::min(mean.range.low, change);
    mean.range.high = mean.benchmarks == 0 ? change : std::max(mean.range.high, change);
    ++mean.benchmarks;
    mean.change = std::expm1(logs / mean.benchmarks);
  }
};

bool counts(const Comparison& comparison) {
  return comparison.change && std::isfinite(*comparison.change) && *comparison.change > -1 &&
         !comparison.not_measured && !noise_hides_everything(comparison);
}

double largest(const FamilyMeans& row) {
  double largest = 0;
  for (const auto& mean : row.means)
    if (mean) largest = std::max(largest, std::abs(std::log1p(mean->change)));
  return largest;
}

}  // namespace

std::vector<FamilyMeans> family_means(const Reports& reports) {
  std::map<std::pair<std::string, std::string>, std::vector<LogSum>> sums;  // by family and metric
  std::map<std::string, Metric> metrics;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const auto& comparison : reports[i].comparisons) {
      if (!counts(comparison)) continue;
      auto& of_family = sums[{family_of(comparison.benchmark), comparison.metric.name}];
      of_family.resize(reports.size());
      of_family[i].add(*comparison.change);
      metrics.try_emplace(comparison.metric.name, comparison.metric);
    }
  std::map<std::string, int> metrics_of;
  for (const auto& [key, unused] : sums) ++metrics_of[key.first];
  std::vector<FamilyMeans> rows;
  for (const auto& [key, of_devices] : sums) {
    FamilyMeans row{key.first, metrics.at(key.second), metrics_of[key.first] > 1, {}};
    for (const auto& sum : of_devices)
      row.means.push_back(sum.mean.benchmarks > 0 ? std::optional(sum.mean) : std::nullopt);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::greater{}, largest);
  return rows;
}

namespace {

constexpr std::size_t kSuspiciousMax = 10;
constexpr std::size_t kReasonsMax = 5;

// How far it is to the worse, in units of the smallest change that could have been told.
double suspicion(const Comparison& comparison) {
  if (!comparison.change || !comparison.resolvable || noise_hides_everything(comparison)) return -1;
  const double worse = comparison.metric.better == Better::kHigher ? -*comparison.change : *comparison.change;
  return *comparison.resolvable > 0 ? worse / *comparison.resolvable : worse;
}

double suspicion(const BenchmarkRow& row) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto* cell : row.cells)
    if (cell != nullptr && cell->verdict == Verdict::kInconclusive) most = std::max(most, suspicion(*cell));
  return most;
}

// "1.7–15 %"
std::string detectable_range(const Interval& range) {
  const std::string low = format_share(range.low);
  const std::string high = format_share(range.high);
  return low == high ? high : low.substr(0, low.find(' ')) + "–" + high;
}

}  // namespace

Undecided undecided_of(const Reports& reports, const std::vector<const BenchmarkRow*>& rows) {
  Undecided undecided;
  std::optional<Interval> detectable;
  std::map<std::string, std::vector<std::string>> by_shape;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      if (comparison.verdict != Verdict::kInconclusive) continue;
      ++undecided.results;
      const std::string reason = cells_of(comparison).reason;
      by_shape[shape_of(reason)].push_back(reason);
      if (!comparison.resolvable || noise_hides_everything(comparison)) continue;
      const double least = *comparison.resolvable;
      if (!detectable) detectable = Interval{least, least};
      detectable->low = std::min(detectable->low, least);
      detectable->high = std::max(detectable->high, least);
    }
  undecided.summary = std::to_string(undecided.results) + " undecided";
  if (detectable) undecided.summary += "; smallest detectable change " + detectable_range(*detectable);
  undecided.suspicious = rows;
  std::ranges::stable_sort(undecided.suspicious, std::greater{},
                           [](const BenchmarkRow* row) { return suspicion(*row); });
  if (rows.size() > kSuspiciousMax) {
    undecided.other_benchmarks = rows.size() - kSuspiciousMax;
    undecided.suspicious.resize(kSuspiciousMax);
  }
  std::vector<const std::vector<std::string>*> shapes;
  for (const auto& [shape, reasons] : by_shape) shapes.push_back(&reasons);
  std::ranges::stable_sort(shapes, [](const auto* a, const auto* b) { return a->size() > b->size(); });
  for (std::size_t i = 0; i < std::min(shapes.size(), kReasonsMax); ++i)
    undecided.reasons.push_back(std::to_string(shapes[i]->size()) + ": " + merge_sentences(*shapes[i]));
  if (shapes.size() > kReasonsMax)
    undecided.reasons.push_back(count_of(shapes.size() - kReasonsMax, "more reason") +
                                ": tracker compare --all lists them");
  return undecided;
}

}  // namespace tracker::report
