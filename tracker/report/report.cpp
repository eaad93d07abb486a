#include "tracker/report/report.hpp"

#include <algorithm>
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

std::string write_as(const std::string& format, const std::vector<ComparisonReport>& reports,
                     const Options& options) {
  const auto& formats = report_formats();
  const auto row =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.name == format; });
  if (row == formats.end()) throw std::out_of_range(format);
  return row->write(reports, options);
}

namespace {

bool is_waived(const Comparison& comparison) {
  return comparison.waiver && comparison.waiver->holds;
}

// What of all reports' comparisons counts. Those that fail the build are benchmarks, the others results.
struct Tally {
  int regressed = 0;
  int below_floor = 0;
  int failed = 0;
  int missing = 0;
  int failed_before = 0;   // in the base as well, which fails nothing
  int same_code = 0;       // slower with it, and fails the build
  int same_code_only = 0;  // slower with it, which is only said
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

Tally tally_of(const std::vector<ComparisonReport>& reports) {
  Tally tally;
  std::set<std::pair<Verdict, std::string>> failing;  // a benchmark counts once, on however many devices
  tally.nothing_compared = reports.empty();
  for (const auto& report : reports) {
    const int compared_before = tally.compared;
    tally.out_of_budget = tally.out_of_budget || (report.effort && report.effort->out_of_budget);
    for (const auto& comparison : report.comparisons) {
      const bool fails = fails_gate(comparison);
      const bool is_first = fails && failing.insert({comparison.verdict, comparison.benchmark}).second;
      tally.compared += is_compared(comparison) ? 1 : 0;
      tally.inconclusive += comparison.verdict == Verdict::kInconclusive ? 1 : 0;
      tally.not_comparable +=
          comparison.verdict == Verdict::kNotComparable && !comparison.report_only ? 1 : 0;
      tally.suspicious += is_suspicious(comparison) && !is_waived(comparison) ? 1 : 0;
      const auto fails_as = [&](Verdict verdict) {
        return is_first && comparison.verdict == verdict ? 1 : 0;
      };
      tally.regressed += fails_as(Verdict::kRegressed);
      tally.below_floor += fails_as(Verdict::kBelowFloor);
      tally.failed += fails_as(Verdict::kFailed);
      tally.missing += fails_as(Verdict::kMissing);
      tally.failed_before += comparison.failed_before && !is_waived(comparison) ? 1 : 0;
      tally.same_code += fails_as(Verdict::kSameCode);
      tally.same_code_only +=
          !fails && !is_waived(comparison) && comparison.verdict == Verdict::kSameCode ? 1 : 0;
      const bool slow =
          comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor;
      tally.waived += is_waived(comparison) ? 1 : 0;
      tally.only_reported += comparison.report_only && slow ? 1 : 0;
      tally.not_measured += comparison.not_measured ? 1 : 0;
      const bool unclear = comparison.floor && comparison.floor->unclear;
      tally.unclear_floors += unclear ? 1 : 0;
      tally.open += is_left_open(comparison) ? 1 : 0;
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

std::string failed_before_in_words(int count) {
  return count_of(count, "benchmark") + " failed, as in the base";
}

std::string failure_in_words(const Tally& tally) {
  std::vector<std::string> parts;
  if (tally.regressed > 0)
    parts.push_back(count_of(tally.regressed, "benchmark") + " regressed past " +
                    (tally.regressed == 1 ? "its" : "their") + " threshold");
  if (tally.below_floor > 0)
    parts.push_back(count_of(tally.below_floor, "benchmark") + is_or_are(tally.below_floor) + "below " +
                    (tally.below_floor == 1 ? "its" : "their") + " floor");
  if (tally.same_code > 0) parts.push_back(slower_with_same_code(tally.same_code));
  if (tally.failed > 0) parts.push_back(count_of(tally.failed, "benchmark") + " failed");
  if (tally.missing > 0)
    parts.push_back(count_of(tally.missing, "benchmark") + is_or_are(tally.missing) + "missing");
  return join(parts, ", ");
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
  if (tally.failed_before > 0) words += "; " + failed_before_in_words(tally.failed_before);
  if (tally.inconclusive > 0)
    words += "; " + std::to_string(tally.inconclusive) + " of " + count_of(tally.compared, "benchmark") +
             is_or_are(tally.inconclusive) + "inconclusive";
  if (tally.not_measured > 0)
    words += "; " + std::to_string(tally.not_measured) + " of " + count_of(tally.compared, "benchmark") +
             is_or_are(tally.not_measured) + "the same code, and not measured";
  if (tally.unclear_floors > 0) words += "; " + count_of(tally.unclear_floors, "floor") + " cannot be judged";
  return words;
}

std::string all_inconclusive(const Tally& tally) {
  return (tally.compared == 1 ? "the one benchmark is"
                              : "all " + count_of(tally.compared, "benchmark") + " are") +
         std::string(" inconclusive");
}

std::string not_comparable_in_words(const Tally& tally) {
  return std::to_string(tally.not_comparable) + " of " +
         count_of(tally.compared + tally.not_comparable, "benchmark") + is_or_are(tally.not_comparable) +
         "not comparable";
}

// What is no pass, and fails nothing either.
std::string undecided_in_words(const Tally& tally) {
  if (tally.suspicious == 0 && tally.not_comparable > 0) return not_comparable_in_words(tally);
  if (tally.suspicious == 0) return all_inconclusive(tally);
  const std::string slow = std::to_string(tally.suspicious) + " of " + count_of(tally.compared, "benchmark");
  const std::string looks = tally.suspicious == 1 ? " looks slower" : " look slower";
  if (tally.out_of_budget)
    return "the time budget ended while " + slow + looks + ", which is not certain yet";
  return slow + looks + ", which is not certain";
}

// Why nothing can be said, likeliest to help first.
std::string doubt_in_words(const Tally& tally, std::size_t reports, const Options& options) {
  if (!options.unjudged.empty()) return printable(options.unjudged.front().reason);
  if (tally.nothing_compared && tally.not_comparable > 0) return not_comparable_in_words(tally);
  if (tally.nothing_compared)
    return std::string("no benchmark was measured on both sides") +
           (reports > 1 ? " on one of the devices" : "");
  if (tally.inconclusive < tally.compared || tally.failed_before + tally.not_comparable > 0)
    return std::to_string(tally.open) + " of " +
           count_of(tally.compared + tally.failed_before + tally.not_comparable, "benchmark") +
           is_or_are(tally.open) + "not decided, and --strict asks for all";
  return all_inconclusive(tally) + ", and --strict asks for all";
}

// What a comparison counts as in a headline.
enum class Kind {
  kRegressed,
  kBelowFloor,
  kSameCodeFails,
  kFailed,
  kMissing,  // up to here, those that fail the build
  kWaived,
  kOnlyReported,
  kMayBeMissing,
  kFailedBefore,
  kSameCode,
  kNotComparable,
  kInconclusive,
  kImproved,
  kNew,
  kUnchanged,
  kNotMeasured
};

constexpr std::pair<Kind, const char*> kKinds[] = {{Kind::kRegressed, "regressed"},
                                                   {Kind::kBelowFloor, "below floor"},
                                                   {Kind::kSameCodeFails, "slower with the same code"},
                                                   {Kind::kFailed, "failed"},
                                                   {Kind::kMissing, "missing"},
                                                   {Kind::kWaived, "waived"},
                                                   {Kind::kOnlyReported, "only reported"},
                                                   {Kind::kMayBeMissing, "missing as allowed"},
                                                   {Kind::kFailedBefore, "failed as in the base"},
                                                   {Kind::kSameCode, "slower with the same code"},
                                                   {Kind::kNotComparable, "incomparable"},
                                                   {Kind::kInconclusive, "inconclusive"},
                                                   {Kind::kImproved, "improved"},
                                                   {Kind::kNew, "new"},
                                                   {Kind::kUnchanged, "unchanged"},
                                                   {Kind::kNotMeasured, "not measured (same code)"}};

Kind kind_of(const Comparison& comparison) {
  const bool fails = fails_gate(comparison);
  const Kind excused = is_waived(comparison) ? Kind::kWaived : Kind::kOnlyReported;
  switch (comparison.verdict) {
    case Verdict::kRegressed:
      return fails ? Kind::kRegressed : excused;
    case Verdict::kBelowFloor:
      return fails ? Kind::kBelowFloor : excused;
    case Verdict::kFailed:
      if (comparison.failed_before && !is_waived(comparison)) return Kind::kFailedBefore;
      return fails ? Kind::kFailed : excused;
    case Verdict::kMissing:
      return fails ? Kind::kMissing : is_waived(comparison) ? Kind::kWaived : Kind::kMayBeMissing;
    case Verdict::kSameCode:
      return fails ? Kind::kSameCodeFails : is_waived(comparison) ? Kind::kWaived : Kind::kSameCode;
    case Verdict::kNotComparable:
      return Kind::kNotComparable;
    case Verdict::kImproved:
      return Kind::kImproved;
    case Verdict::kNew:
      return Kind::kNew;
    case Verdict::kUnchanged:
      return comparison.not_measured ? Kind::kNotMeasured : Kind::kUnchanged;
    case Verdict::kInconclusive:
      break;
  }
  return Kind::kInconclusive;
}

// "2 regressed", … for the kinds from `first` to `last` that there are.
std::vector<std::string> words_of(const std::map<Kind, int>& counts, Kind first, Kind last) {
  std::vector<std::string> words;
  for (const auto& [kind, name] : kKinds)
    if (const auto found = counts.find(kind); found != counts.end() && first <= kind && kind <= last)
      words.push_back(std::to_string(found->second) + " " + name);
  return words;
}

}  // namespace

Answer answer_of(const std::vector<ComparisonReport>& reports, const Options& options) {
  const Tally tally = tally_of(reports);
  if (tally.regressed + tally.below_floor + tally.failed + tally.missing + tally.same_code > 0)
    return Answer::kFailed;
  if (tally.nothing_compared || !options.unjudged.empty() || (options.strict && tally.open > 0))
    return Answer::kCannotJudge;
  const bool open = tally.suspicious + tally.not_comparable > 0 || tally.inconclusive == tally.compared;
  return open ? Answer::kUndecided : Answer::kPassed;
}

std::string answer_in_words(const std::vector<ComparisonReport>& reports, const Options& options) {
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

std::string headline_in_words(const std::vector<ComparisonReport>& reports, const Options& options) {
  std::map<Kind, int> counts;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) ++counts[kind_of(comparison)];
  const Answer answer = answer_of(reports, options);
  const Tally tally = tally_of(reports);
  const bool all_open = tally.compared > 0 && tally.inconclusive == tally.compared;
  const bool says_all_open = answer == Answer::kCannotJudge ||
                             (answer == Answer::kUndecided && tally.suspicious + tally.not_comparable == 0);
  if (says_all_open && all_open && options.unjudged.empty())
    counts.erase(Kind::kInconclusive);  // the answer says it
  const auto others = words_of(counts, Kind::kWaived, Kind::kNotMeasured);
  std::string first = "nothing regressed";
  if (answer == Answer::kFailed) first = join(words_of(counts, Kind::kRegressed, Kind::kMissing), ", ");
  if (answer == Answer::kCannotJudge || answer == Answer::kUndecided)
    first = answer_in_words(reports, options);
  if (answer == Answer::kFailed && !options.unjudged.empty())
    first += ", not judged on " + count_of(options.unjudged.size(), "device");
  return others.empty() ? first : first + " · " + join(others, ", ");
}

std::string all_counts_in_words(const std::vector<ComparisonReport>& reports) {
  std::map<Kind, int> counts;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) ++counts[kind_of(comparison)];
  std::vector<std::string> parts;
  for (const auto& words : {words_of(counts, Kind::kRegressed, Kind::kMissing),
                            words_of(counts, Kind::kWaived, Kind::kNotMeasured)})
    if (!words.empty()) parts.push_back(join(words, ", "));
  return join(parts, " · ");
}

std::string set_aside_in_words(const std::vector<ComparisonReport>& reports) {
  std::map<Kind, int> counts;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) ++counts[kind_of(comparison)];
  return join(words_of(counts, Kind::kWaived, Kind::kSameCode), ", ");
}

namespace {

// Leaves those that hold, with a note; answers how many.
template <typename Holds>
std::size_t keep(std::vector<ComparisonReport>& reports, const std::string& what, Holds holds) {
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

void keep_matching(std::vector<ComparisonReport>& reports, const std::string& filter) {
  const BenchmarkFilter wanted(filter);
  const std::size_t kept =
      keep(reports, "--filter " + in_quotes(filter) + " matches", [&](const Comparison& one) {
        return wanted.passes_any({one.benchmark, one.printed_name});
      });
  if (kept == 0 && !reports.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches --filter " + in_quotes(filter),
                "tracker list shows what is recorded");
}

void keep_matching(std::vector<ComparisonReport>& reports, const std::vector<std::string>& globs) {
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
