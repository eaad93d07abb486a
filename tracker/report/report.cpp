#include "tracker/report/report.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::report {

const std::vector<Format>& report_formats() {
  static const std::vector<Format> formats{
      {"text", "a table for the terminal", write_text},
      {"markdown", "GitHub-flavoured Markdown, for a pull request on any host", write_markdown},
      {"html", "a page without anything from elsewhere, to send or to keep", write_html},
      {"json", "tracker.comparison/1, for programs", write_json},
      {"junit", "JUnit's XML, one test case a benchmark, for any CI", write_junit},
      {"github", "annotations; and a comment, a job summary and outputs, for GitHub Actions",
       write_annotations},
  };
  return formats;
}

std::string write_as(const std::string& format, const Reports& reports, const Options& options) {
  const auto& formats = report_formats();
  const auto row = std::ranges::find(formats, format, &Format::name);
  if (row == formats.end()) throw std::out_of_range(format);
  return row->write(reports, options);
}

namespace {

bool is_waived(const Comparison& comparison) {
  return comparison.waiver && comparison.waiver->holds;
}

// What of all reports' comparisons counts.
struct Tally {
  std::map<Verdict, int> failing;  // the build: a benchmark counts once, on however many devices
  int failed_before = 0;           // in the base as well, which fails nothing
  int same_code_only = 0;          // slower with it, which is only said
  int compared = 0;
  int inconclusive = 0;
  int not_comparable = 0;
  int suspicious = 0;  // of these, those that look slower
  int waived = 0;
  int only_reported = 0;  // regressed or below their floor
  int unclear_floors = 0;
  int not_measured = 0;           // the same program on both sides
  int open = 0;                   // not decided, and not only reported
  bool nothing_compared = false;  // on one device at least
  bool out_of_budget = false;     // time ran out with some undecided
};

void count_one(const Comparison& one, Tally& tally) {
  const bool counts = !is_waived(one);
  const bool is_slow = one.verdict == Verdict::kRegressed || one.verdict == Verdict::kBelowFloor;
  tally.failed_before += one.failed_before && counts;
  tally.same_code_only += one.verdict == Verdict::kSameCode && counts && !fails_gate(one);
  tally.compared += is_compared(one);
  tally.inconclusive += one.verdict == Verdict::kInconclusive;
  tally.not_comparable += one.verdict == Verdict::kNotComparable && !one.report_only;
  tally.suspicious += is_suspicious(one) && counts;
  tally.waived += !counts;
  tally.only_reported += one.report_only && is_slow;
  tally.unclear_floors += one.floor && one.floor->unclear;
  tally.not_measured += one.not_measured;
  tally.open += is_left_open(one);
}

Tally tally_of(const Reports& reports) {
  Tally tally;
  std::set<std::pair<Verdict, std::string>> failing;
  tally.nothing_compared = reports.empty();
  for (const auto& report : reports) {
    const int compared_before = tally.compared;
    tally.out_of_budget = tally.out_of_budget || (report.effort && report.effort->out_of_budget);
    for (const auto& comparison : report.comparisons) {
      count_one(comparison, tally);
      if (fails_gate(comparison) && failing.insert({comparison.verdict, comparison.benchmark}).second)
        ++tally.failing[comparison.verdict];
    }
    tally.nothing_compared = tally.nothing_compared || tally.compared == compared_before;
  }
  return tally;
}

std::string is_or_are(int count) {
  return count == 1 ? " is " : " are ";
}

std::string slower_with_same_code(int count) {
  return count_of(count, "benchmark") + is_or_are(count) + "slower with the same code";
}

// What fails the build, in the order in which it is said.
struct FailureWords {
  Verdict verdict;
  const char* one;
  const char* several;
};
constexpr FailureWords kFailures[] = {
    {Verdict::kRegressed, " regressed past its threshold", " regressed past their threshold"},
    {Verdict::kBelowFloor, " is below its floor", " are below their floor"},
    {Verdict::kSameCode, " is slower with the same code", " are slower with the same code"},
    {Verdict::kFailed, " failed", " failed"},
    {Verdict::kMissing, " is missing", " are missing"}};

std::string failure_in_words(const Tally& tally) {
  std::vector<std::string> parts;
  for (const auto& [verdict, one, several] : kFailures)
    if (const auto found = tally.failing.find(verdict); found != tally.failing.end())
      parts.push_back(count_of(found->second, "benchmark") + (found->second == 1 ? one : several));
  return join(parts, ", ");
}

// "3 of 7 benchmarks are "
std::string part_of(int count, int all) {
  return std::to_string(count) + " of " + count_of(all, "benchmark") + is_or_are(count);
}

std::string pass_in_words(const Tally& tally) {
  std::vector<std::string> excused;
  if (tally.only_reported > 0)
    excused.push_back(count_of(tally.only_reported, "benchmark") + " that" + is_or_are(tally.only_reported) +
                      "only reported");
  if (tally.waived > 0)
    excused.push_back((excused.empty() ? count_of(tally.waived, "benchmark") : std::to_string(tally.waived)) +
                      " that" + is_or_are(tally.waived) + "waived");
  std::string words = "passed: nothing regressed";
  if (!excused.empty()) words += " but " + join(excused, " and ");
  if (tally.same_code_only > 0) words += "; " + slower_with_same_code(tally.same_code_only);
  if (tally.failed_before > 0)
    words += "; " + count_of(tally.failed_before, "benchmark") + " failed, as in the base";
  if (tally.inconclusive > 0) words += "; " + part_of(tally.inconclusive, tally.compared) + "inconclusive";
  if (tally.not_measured > 0)
    words += "; " + part_of(tally.not_measured, tally.compared) + "the same code, and not measured";
  if (tally.unclear_floors > 0) words += "; " + count_of(tally.unclear_floors, "floor") + " cannot be judged";
  return words;
}

std::string all_inconclusive(const Tally& tally) {
  return (tally.compared == 1 ? "the one benchmark is"
                              : "all " + count_of(tally.compared, "benchmark") + " are") +
         std::string(" inconclusive");
}

std::string not_comparable_in_words(const Tally& tally) {
  return part_of(tally.not_comparable, tally.compared + tally.not_comparable) + "not comparable";
}

// What is no pass, and fails nothing either.
std::string undecided_in_words(const Tally& tally) {
  if (tally.suspicious == 0)
    return tally.not_comparable > 0 ? not_comparable_in_words(tally) : all_inconclusive(tally);
  const std::string slow = std::to_string(tally.suspicious) + " of " + count_of(tally.compared, "benchmark") +
                           (tally.suspicious == 1 ? " looks slower" : " look slower");
  return tally.out_of_budget ? "the time budget ended while " + slow + ", which is not certain yet"
                             : slow + ", which is not certain";
}

// Why nothing can be said, likeliest to help first.
std::string doubt_in_words(const Tally& tally, std::size_t reports, const Options& options) {
  if (!options.unjudged.empty()) return printable(options.unjudged.front().reason);
  if (tally.nothing_compared && tally.not_comparable > 0) return not_comparable_in_words(tally);
  if (tally.nothing_compared)
    return std::string("no benchmark was measured on both sides") +
           (reports > 1 ? " on one of the devices" : "");
  const int others = tally.failed_before + tally.not_comparable;
  if (tally.inconclusive < tally.compared || others > 0)
    return part_of(tally.open, tally.compared + others) + "not decided, and --strict asks for all";
  return all_inconclusive(tally) + ", and --strict asks for all";
}

template <Verdict verdict>
bool is_verdict(const Comparison& comparison) {
  return comparison.verdict == verdict;
}

template <Verdict verdict>
bool is_failing(const Comparison& comparison) {
  return comparison.verdict == verdict && fails_gate(comparison);
}

// What a comparison counts as in a headline: as the first of these that holds. `group`: whether it fails the
// build, would fail it or is slower, or is anything else.
enum class KindGroup { kFails, kSetAside, kOther };
struct Kind {
  const char* name;
  KindGroup group;
  bool (*holds)(const Comparison& comparison);
};
constexpr Kind kKinds[] = {
    {"regressed", KindGroup::kFails, is_failing<Verdict::kRegressed>},
    {"below floor", KindGroup::kFails, is_failing<Verdict::kBelowFloor>},
    {"slower with the same code", KindGroup::kFails, is_failing<Verdict::kSameCode>},
    {"failed", KindGroup::kFails, is_failing<Verdict::kFailed>},
    {"missing", KindGroup::kFails, is_failing<Verdict::kMissing>},
    {"waived", KindGroup::kSetAside,
     [](const Comparison& one) { return one.verdict <= Verdict::kSameCode && is_waived(one); }},
    {"only reported", KindGroup::kSetAside,
     [](const Comparison& one) { return one.verdict <= Verdict::kFailed && !one.failed_before; }},
    {"missing as allowed", KindGroup::kSetAside, is_verdict<Verdict::kMissing>},
    {"failed as in the base", KindGroup::kSetAside,
     [](const Comparison& one) { return one.verdict <= Verdict::kFailed; }},
    {"slower with the same code", KindGroup::kSetAside, is_verdict<Verdict::kSameCode>},
    {"incomparable", KindGroup::kOther, is_verdict<Verdict::kNotComparable>},
    {"inconclusive", KindGroup::kOther, is_verdict<Verdict::kInconclusive>},
    {"improved", KindGroup::kOther, is_verdict<Verdict::kImproved>},
    {"new", KindGroup::kOther, is_verdict<Verdict::kNew>},
    {"unchanged", KindGroup::kOther, [](const Comparison& one) { return !one.not_measured; }},
    {"not measured (same code)", KindGroup::kOther, is_verdict<Verdict::kUnchanged>}};

// How many are of each kind, in the order of kKinds. `said`: what is not counted, as the answer says it.
std::vector<int> count_kinds(const Reports& reports, std::optional<Verdict> said = std::nullopt) {
  std::vector<int> counts(std::size(kKinds));
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons)
      if (comparison.verdict != said)
        ++counts[static_cast<std::size_t>(
            std::ranges::find_if(kKinds, [&](const Kind& kind) { return kind.holds(comparison); }) - kKinds)];
  return counts;
}

// "2 regressed, 1 failed": the kinds of these groups that there are.
std::string words_of(const std::vector<int>& counts, KindGroup first, KindGroup last) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0 && first <= kKinds[i].group && kKinds[i].group <= last)
      words.push_back(std::to_string(counts[i]) + " " + kKinds[i].name);
  return join(words, ", ");
}

}  // namespace

Answer answer_of(const Reports& reports, const Options& options) {
  const Tally tally = tally_of(reports);
  if (!tally.failing.empty()) return Answer::kFailed;
  if (tally.nothing_compared || !options.unjudged.empty() || (options.strict && tally.open > 0))
    return Answer::kCannotJudge;
  const bool open = tally.suspicious + tally.not_comparable > 0 || tally.inconclusive == tally.compared;
  return open ? Answer::kUndecided : Answer::kPassed;
}

std::string answer_name(Answer answer, char between) {
  constexpr const char* kNames[] = {"failed", "cannot judge", "undecided", "passed"};
  std::string name = kNames[static_cast<std::size_t>(answer)];
  std::ranges::replace(name, ' ', between);
  return name;
}

std::string answer_in_words(const Reports& reports, const Options& options) {
  const Tally tally = tally_of(reports);
  switch (answer_of(reports, options)) {
    case Answer::kFailed:
      return "FAILED: " + failure_in_words(tally);
    case Answer::kCannotJudge:
      return "could not judge: " + doubt_in_words(tally, reports.size(), options);
    case Answer::kUndecided:
      return "undecided: " + undecided_in_words(tally);
    case Answer::kPassed:
      break;
  }
  return pass_in_words(tally);
}

std::string headline_in_words(const Reports& reports, const Options& options) {
  const Answer answer = answer_of(reports, options);
  const Tally tally = tally_of(reports);
  const bool all_open = tally.compared > 0 && tally.inconclusive == tally.compared;
  const bool says_all_open = answer == Answer::kCannotJudge ||
                             (answer == Answer::kUndecided && tally.suspicious + tally.not_comparable == 0);
  const auto counts = says_all_open && all_open && options.unjudged.empty()
                          ? count_kinds(reports, Verdict::kInconclusive)
                          : count_kinds(reports);
  std::string first = answer == Answer::kPassed   ? "nothing regressed"
                      : answer == Answer::kFailed ? words_of(counts, KindGroup::kFails, KindGroup::kFails)
                                                  : answer_in_words(reports, options);
  if (answer == Answer::kFailed && !options.unjudged.empty())
    first += ", not judged on " + count_of(options.unjudged.size(), "device");
  const std::string others = words_of(counts, KindGroup::kSetAside, KindGroup::kOther);
  return others.empty() ? first : first + " · " + others;
}

std::string all_counts_in_words(const Reports& reports) {
  const auto counts = count_kinds(reports);
  const std::string failing = words_of(counts, KindGroup::kFails, KindGroup::kFails);
  const std::string others = words_of(counts, KindGroup::kSetAside, KindGroup::kOther);
  return failing + (failing.empty() || others.empty() ? "" : " · ") + others;
}

std::string set_aside_in_words(const Reports& reports) {
  return words_of(count_kinds(reports), KindGroup::kSetAside, KindGroup::kSetAside);
}

namespace {

// Leaves those that hold, with a note; answers how many.
template <typename Holds>
std::size_t keep(Reports& reports, const std::string& what, Holds holds) {
  std::size_t kept = 0;
  for (auto& report : reports) {
    const std::size_t all = report.comparisons.size();
    std::erase_if(report.comparisons, [&](const Comparison& comparison) { return !holds(comparison); });
    kept += report.comparisons.size();
    report.notes.push_back("only the " + std::to_string(report.comparisons.size()) + " of " +
                           count_of(all, "benchmark") + " that " + what +
                           " are shown; judged together with the rest");
  }
  return kept;
}

std::string quoted(const std::vector<std::string>& globs) {
  std::vector<std::string> words;
  for (const auto& glob : globs) words.push_back(in_quotes(glob));
  return join(words, " or ");
}

}  // namespace

void keep_matching(Reports& reports, const std::string& filter) {
  const BenchmarkFilter wanted(filter);
  const std::size_t kept =
      keep(reports, "--filter " + in_quotes(filter) + " matches", [&](const Comparison& one) {
        return wanted.passes_any({one.benchmark, one.printed_name});
      });
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches --filter " + in_quotes(filter),
                "tracker list shows what is recorded");
}

void keep_matching(Reports& reports, const std::vector<std::string>& globs) {
  std::vector<std::string> names;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) names.push_back(comparison.benchmark);
  const std::size_t kept = keep(reports, "match " + quoted(globs), [&](const Comparison& one) {
    return means_any(globs, one.benchmark, one.printed_name);
  });
  const std::string hint = kept == 0 ? near_names_hint(globs, names) : "";
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches " + quoted(globs),
                hint.empty() ? "tracker list shows what is recorded" : hint);
}

}  // namespace tracker::report
