// First check, then confirm: the plan, on reports made up for it.

#include "tracker/judge/confirm.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/said.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Comparison row(const std::string& name, Verdict verdict, int pairs = 20) {
  Comparison row;
  row.benchmark = name;
  row.metric = find_metric("real_time");
  row.verdict = verdict;
  row.change = verdict == Verdict::kRegressed ? 0.1 : 0.0;
  row.base = row.candidate = 1;
  row.base_invocations = pairs;
  row.candidate_invocations = pairs;
  row.reasons = test::said("as judged");
  if (verdict == Verdict::kInconclusive) row.more_invocations = 7;
  return row;
}

ComparisonReport report_of(const std::vector<Comparison>& rows, const std::string& run = "run") {
  ComparisonReport report;
  report.device = "device";
  report.base.runs = {run + "-a"};
  report.candidate.runs = {run + "-b"};
  report.base.jobs = report.candidate.jobs = 1;
  report.comparisons = rows;
  return report;
}

const Comparison& find(const ComparisonReport& report, std::string_view name) {
  for (const auto& comparison : report.comparisons)
    if (comparison.benchmark == name) return comparison;
  throw std::out_of_range(std::string(name));
}

Confirmation confirming(const ComparisonReport& first_check) {
  return Confirmation(first_check, doubtful_in(first_check, false));
}

// Analyses one after the other, each a second long.
class Analyses {
 public:
  explicit Analyses(Confirmation& confirmation) : confirmation_(confirmation) {}
  void take(const ComparisonReport& report) {
    confirmation_.analyse(next_, report, ++seconds_);
    next_ = next_.next();
  }

 private:
  Confirmation& confirmation_;
  InterimAnalysis next_;
  double seconds_ = 0;
};

struct Choice {
  const char* name;
  Verdict verdict;
  bool report_only;
  bool is_doubtful;
};

class ChoiceTest : public testing::TestWithParam<Choice> {};

TEST_P(ChoiceTest, IsMeasuredAgainWhereInDoubt) {
  Comparison comparison = row("k", GetParam().verdict);
  comparison.report_only = GetParam().report_only;
  EXPECT_EQ(doubtful_in(report_of({comparison}), false).size(), GetParam().is_doubtful ? 1u : 0u);
  EXPECT_EQ(doubtful_in(report_of({comparison}), true).size(), GetParam().is_doubtful ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Confirmation, ChoiceTest,
    testing::Values(Choice{"Regressed", Verdict::kRegressed, false, true},
                    Choice{"RegressedButOnlyReported", Verdict::kRegressed, true, true},
                    Choice{"SameCode", Verdict::kSameCode, false, true},
                    Choice{"SameCodeButOnlyReported", Verdict::kSameCode, true, true},
                    Choice{"BelowFloor", Verdict::kBelowFloor, false, true},
                    Choice{"BelowFloorButOnlyReported", Verdict::kBelowFloor, true, false},
                    Choice{"Inconclusive", Verdict::kInconclusive, false, true},
                    Choice{"InconclusiveAndOnlyReported", Verdict::kInconclusive, true, false},
                    Choice{"Improved", Verdict::kImproved, false, false},
                    Choice{"Unchanged", Verdict::kUnchanged, false, false},
                    Choice{"Missing", Verdict::kMissing, false, false},
                    Choice{"New", Verdict::kNew, false, false},
                    Choice{"Failed", Verdict::kFailed, false, false}),
    [](const auto& choice) { return choice.param.name; });

struct Stop {
  const char* name;
  Verdict verdict;
  int pairs;
  bool goes_on;
};

class StopTest : public testing::TestWithParam<Stop> {};

TEST_P(StopTest, GoesOnUntilDecided) {
  Confirmation confirmation = confirming(report_of({row("k", Verdict::kInconclusive)}));
  Analyses analyses(confirmation);
  analyses.take(report_of({row("k", GetParam().verdict, GetParam().pairs)}));
  EXPECT_EQ(!confirmation.undecided().empty(), GetParam().goes_on);
  const auto report = confirmation.report();
  EXPECT_EQ(find(report, "k").verdict, GetParam().goes_on ? Verdict::kInconclusive : GetParam().verdict);
  EXPECT_TRUE(find(report, "k").confirmed);
}

INSTANTIATE_TEST_SUITE_P(Confirmation, StopTest,
                         testing::Values(Stop{"Inconclusive", Verdict::kInconclusive, 5, true},
                                         Stop{"RegressedOnFivePairs", Verdict::kRegressed, 5, true},
                                         Stop{"RegressedOnNinePairs", Verdict::kRegressed, 9, true},
                                         Stop{"RegressedOnTenPairs", Verdict::kRegressed, 10, false},
                                         Stop{"SameCodeOnFivePairs", Verdict::kSameCode, 5, false},
                                         Stop{"BelowFloorOnFivePairs", Verdict::kBelowFloor, 5, true},
                                         Stop{"BelowFloorOnTwelvePairs", Verdict::kBelowFloor, 12, false},
                                         Stop{"Improved", Verdict::kImproved, 5, false},
                                         Stop{"Unchanged", Verdict::kUnchanged, 5, false},
                                         Stop{"Failed", Verdict::kFailed, 0, false}),
                         [](const auto& stop) { return stop.param.name; });

TEST(Confirmation, SlowerWithTheSameCodeTakesTenPairsWhereItFails) {
  for (const int pairs : {5, 10}) {
    Confirmation confirmation = confirming(report_of({row("k", Verdict::kInconclusive)}));
    Analyses analyses(confirmation);
    auto same = row("k", Verdict::kSameCode, pairs);
    same.same_code_fails = true;
    same.cause = "another board of the model";
    analyses.take(report_of({same}));
    EXPECT_EQ(confirmation.undecided().empty(), pairs == 10);
    const auto seen = find(confirmation.report(), "k");
    EXPECT_EQ(seen.verdict, pairs == 10 ? Verdict::kSameCode : Verdict::kInconclusive);
    EXPECT_EQ(seen.cause.empty(), pairs == 5) << "what is not decided has no cause yet";
  }
}

TEST(Confirmation, AVerdictFreezesAtTheLookThatDecidedIt) {
  Confirmation confirmation =
      confirming(report_of({row("a", Verdict::kRegressed), row("b", Verdict::kInconclusive)}));
  Analyses analyses(confirmation);
  analyses.take(report_of({row("a", Verdict::kUnchanged, 5), row("b", Verdict::kInconclusive, 5)}));
  EXPECT_THAT(confirmation.undecided(), ElementsAre("b"));
  analyses.take(report_of({row("a", Verdict::kRegressed, 30), row("b", Verdict::kRegressed, 30)}));
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
  analyses.take(report_of({row("a", Verdict::kRegressed, 40), row("b", Verdict::kUnchanged, 40)}));
  const auto report = confirmation.report();
  EXPECT_EQ(find(report, "a").verdict, Verdict::kUnchanged);
  EXPECT_EQ(find(report, "a").base_invocations, 5);
  EXPECT_EQ(find(report, "b").verdict, Verdict::kRegressed);
  EXPECT_EQ(report.comparisons.front().benchmark, "b") << "what matters is first again";
}

TEST(Confirmation, EveryLookIsCorrectedForWhatWasInDoubtAtFirst) {
  Confirmation confirmation = confirming(report_of(
      {row("a", Verdict::kRegressed), row("b", Verdict::kInconclusive), row("c", Verdict::kUnchanged)}));
  Analyses analyses(confirmation);
  Options asked;
  asked.today = "2026-11-20";
  asked.pairing = Pairing::kInterleaved;
  InterimAnalysis analysis;
  for (int i = 0; i < 2; ++i, analysis = analysis.next()) {
    const auto how = confirmation.judging(analysis, asked);
    EXPECT_EQ(how.comparisons_min, 2);
    EXPECT_EQ(how.error_share, analysis.error_share());
    EXPECT_EQ(how.today, "2026-11-20");
    EXPECT_EQ(how.pairing, Pairing::kInterleaved);
    analyses.take(report_of({row("a", Verdict::kUnchanged, 5), row("b", Verdict::kInconclusive, 5 + i)}));
  }
}

TEST(Confirmation, LeavesTheOtherRowsOfTheFirstCheckAsTheyAre) {
  Confirmation confirmation =
      confirming(report_of({row("a", Verdict::kInconclusive), row("b", Verdict::kImproved),
                            row("c", Verdict::kMissing), row("d", Verdict::kUnchanged)},
                           "first_check"));
  Analyses analyses(confirmation);
  auto looked = report_of({row("a", Verdict::kUnchanged, 5), row("b", Verdict::kRegressed, 50)}, "job");
  looked.notes = {"the base's clocks were held down"};
  analyses.take(looked);
  const auto report = confirmation.report();
  EXPECT_EQ(report.comparisons.size(), 4u);
  EXPECT_EQ(find(report, "b").verdict, Verdict::kImproved);
  EXPECT_EQ(find(report, "c").verdict, Verdict::kMissing);
  EXPECT_FALSE(find(report, "d").confirmed);
  EXPECT_THAT(report.base.runs, ElementsAre("first_check-a", "job-a"));
  EXPECT_THAT(report.candidate.runs, ElementsAre("first_check-b", "job-b"));
  EXPECT_EQ(report.candidate.jobs, 2);
  EXPECT_THAT(report.notes, ElementsAre("while confirming: the base's clocks were held down"));
}

TEST(Confirmation, WhatIsSaidOfTheStoredRunsGoesWhereAllWasMeasuredAgain) {
  auto first_check =
      report_of({row("a", Verdict::kInconclusive), row("b", Verdict::kRegressed)}, "first_check");
  first_check.notes = {"measured in different jobs"};
  Confirmation confirmation = confirming(first_check);
  Analyses analyses(confirmation);
  auto looked = report_of({row("a", Verdict::kUnchanged), row("b", Verdict::kUnchanged)}, "job");
  looked.notes = {"the base's clocks were held down"};
  analyses.take(looked);
  EXPECT_THAT(confirmation.report().notes, ElementsAre("the base's clocks were held down"));
}

TEST(Confirmation, WithoutAFirstCheckTheFirstAnalysisSaysWhatThereIs) {
  Confirmation confirmation;
  Analyses analyses(confirmation);
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
  EXPECT_EQ(confirmation.judging({}, {}).comparisons_min, 0);
  analyses.take(report_of({row("a", Verdict::kInconclusive, 5), row("b", Verdict::kUnchanged, 5),
                           row("c", Verdict::kRegressed, 5), row("d", Verdict::kMissing, 0)}));
  EXPECT_THAT(confirmation.undecided(), ElementsAre("a", "c"));
  EXPECT_EQ(confirmation.judging(InterimAnalysis{}.next(), {}).comparisons_min, 3);
  EXPECT_EQ(find(confirmation.report(), "c").verdict, Verdict::kInconclusive);
  EXPECT_FALSE(find(confirmation.report(), "c").confirmed) << "there was nothing to confirm";
  analyses.take(report_of({row("a", Verdict::kUnchanged, 12), row("b", Verdict::kInconclusive, 5),
                           row("c", Verdict::kRegressed, 12), row("d", Verdict::kMissing, 0)}));
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
  const auto report = confirmation.report();
  EXPECT_EQ(find(report, "b").verdict, Verdict::kUnchanged);
  EXPECT_EQ(find(report, "c").verdict, Verdict::kRegressed);
  EXPECT_EQ(report.comparisons.size(), 4u);
  EXPECT_EQ(report.base.jobs, 1);
}

TEST(Confirmation, WhatRunsOutOfTimeStaysInconclusiveAndSaysWhatItWouldTake) {
  Confirmation confirmation =
      confirming(report_of({row("a", Verdict::kRegressed), row("b", Verdict::kInconclusive)}));
  Analyses analyses(confirmation);
  analyses.take(report_of({row("a", Verdict::kRegressed, 8), row("b", Verdict::kInconclusive, 8)}));
  confirmation.stop("the time budget of 10 s ran out");
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
  const auto report = confirmation.report();
  const auto& hasty = find(report, "a");
  EXPECT_EQ(hasty.verdict, Verdict::kInconclusive);
  EXPECT_EQ(hasty.more_invocations, kPairsForRegressedMin - 8);
  EXPECT_EQ(report::reason_in_words(hasty),
            "as judged, but in only 8 pairs; a failure needs 10; the time budget of 10 s ran out");
  EXPECT_EQ(report::reason_in_words(find(report, "b")), "as judged; the time budget of 10 s ran out");
  EXPECT_EQ(find(report, "b").more_invocations, 7);
}

TEST(Confirmation, WhatTheBudgetNeverReachedIsNotConfirmed) {
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kRegressed)}));
  confirmation.stop("the time budget of 1 s ran out");
  const auto report = confirmation.report();
  EXPECT_EQ(find(report, "a").verdict, Verdict::kInconclusive);
  EXPECT_FALSE(find(report, "a").confirmed);
  EXPECT_FALSE(find(report, "a").more_invocations);
  EXPECT_EQ(report::reason_in_words(find(report, "a")),
            "not confirmed: as judged; it was not measured side by side: the time budget of 1 s ran out");
}

TEST(Confirmation, GivesUpWhatMoreRoundsDoNotHelp) {
  const auto hopeless = [](int pairs) {
    Comparison comparison = row("hopeless", Verdict::kInconclusive, pairs);
    comparison.more_invocations.reset();
    return comparison;
  };
  Confirmation confirmation =
      confirming(report_of({row("gone", Verdict::kRegressed), row("hopeless", Verdict::kInconclusive),
                            row("open", Verdict::kInconclusive), row("stuck", Verdict::kInconclusive)}));
  Analyses analyses(confirmation);
  analyses.take(report_of(
      {hopeless(5), row("open", Verdict::kInconclusive, 5), row("stuck", Verdict::kInconclusive, 5)}));
  EXPECT_THAT(confirmation.undecided(), ElementsAre("hopeless", "open", "stuck"))
      << "the noise of five pairs tells little";
  analyses.take(report_of(
      {hopeless(12), row("open", Verdict::kInconclusive, 12), row("stuck", Verdict::kInconclusive, 5)}));
  EXPECT_THAT(confirmation.undecided(), ElementsAre("open"));
  const auto report = confirmation.report();
  EXPECT_EQ(find(report, "hopeless").verdict, Verdict::kInconclusive);
  EXPECT_THAT(report::reason_in_words(find(report, "stuck")), HasSubstr("gave no more results"));
  EXPECT_EQ(find(report, "gone").verdict, Verdict::kRegressed) << "what the stored runs say still holds";
  EXPECT_THAT(report::reason_in_words(find(report, "gone")), HasSubstr("gave no results"));
  EXPECT_FALSE(find(report, "gone").confirmed);
}

TEST(Confirmation, SaysThatTheRoundsRanOut) {
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kInconclusive)}));
  for (InterimAnalysis analysis; !confirmation.undecided().empty(); analysis = analysis.next()) {
    ASSERT_LE(analysis.rounds, kRoundsMax);
    confirmation.analyse(analysis, report_of({row("a", Verdict::kInconclusive, analysis.rounds)}),
                         analysis.rounds);
  }
  EXPECT_THAT(report::reason_in_words(find(confirmation.report(), "a")),
              HasSubstr("; more than 1000 rounds would be needed"));
}

TEST(Confirmation, SaysWhatItTook) {
  Confirmation confirmation =
      confirming(report_of({row("a", Verdict::kRegressed), row("b", Verdict::kUnchanged),
                            row("c", Verdict::kInconclusive), row("d", Verdict::kMissing)}));
  EXPECT_EQ(confirmation.expected_s({}), 0);
  tracker::Run stored = test::make_run({}, {{"a", {1, 2, 3, 4, 5}}});
  for (auto& invocation : stored.invocations) invocation.length_s = 3;
  confirmation.learn_time({stored});
  EXPECT_DOUBLE_EQ(confirmation.expected_s({}), 5 * 6 * 2.0 / 3)
      << "two of three, five rounds of six seconds";
  InterimAnalysis analysis;
  confirmation.analyse(
      analysis, report_of({row("a", Verdict::kUnchanged, 5), row("c", Verdict::kInconclusive, 5)}), 10);
  analysis = analysis.next();
  EXPECT_DOUBLE_EQ(confirmation.expected_s(analysis), 3) << "as long as at the last analysis, one of two";
  confirmation.analyse(analysis, report_of({row("c", Verdict::kInconclusive, 8)}), 14);
  confirmation.stop("the end");
  const Effort effort = confirmation.report().effort.value();
  EXPECT_EQ(effort.benchmarks, 2);
  EXPECT_EQ(effort.rounds, 8);
  EXPECT_DOUBLE_EQ(effort.measured_s, 14);
  EXPECT_DOUBLE_EQ(effort.saved_s, 8 * 6 - 14);
  EXPECT_TRUE(effort.out_of_budget);
}

TEST(Confirmation, NeverGoesOnForEver) {
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kInconclusive)}));
  InterimAnalysis analysis;
  for (; !confirmation.undecided().empty(); analysis = analysis.next())
    confirmation.analyse(analysis, report_of({row("a", Verdict::kInconclusive, analysis.rounds)}), 0);
  EXPECT_GT(analysis.rounds, kRoundsMax);
  EXPECT_FALSE(confirmation.report().effort->out_of_budget);
}

TEST(Confirmation, WhatIsConfirmedIsAskedAboutAgainOnlyWhereItWasLeftOpen) {
  auto open = row("open", Verdict::kInconclusive);
  auto regressed = row("regressed", Verdict::kRegressed);
  open.confirmed = regressed.confirmed = true;
  const auto report = report_of({open, regressed});
  EXPECT_THAT(doubtful_in(report, false), IsEmpty());
  EXPECT_THAT(doubtful_in(report, true), ElementsAre("open"));
}

TEST(Confirmation, SoIsWhatAJobOfAllMeasuredInTurn) {
  auto report = report_of({row("few", Verdict::kRegressed, 5), row("many", Verdict::kRegressed, 12),
                           row("open", Verdict::kInconclusive, 5), row("same", Verdict::kUnchanged, 5)});
  report.interleaved = true;
  EXPECT_THAT(doubtful_in(report, false), IsEmpty());
  EXPECT_THAT(doubtful_in(report, true), ElementsAre("few", "open"));
}

TEST(Confirmation, ABaseThatFailsClearsNothing) {
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kRegressed)}));
  confirmation.analyse({}, report_of({row("a", Verdict::kNew, 0)}), 1);
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
  EXPECT_EQ(find(confirmation.report(), "a").verdict, Verdict::kRegressed);
  EXPECT_THAT(report::reason_in_words(find(confirmation.report(), "a")), HasSubstr("gave no results"));
}

TEST(Confirmation, AFloorThatCannotBeToldIsUndecidedForTenPairs) {
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kBelowFloor)}));
  InterimAnalysis analysis;
  for (; analysis.rounds < kPairsForRegressedMin; analysis = analysis.next()) {
    auto unclear = row("a", Verdict::kUnchanged, analysis.rounds);
    unclear.floor = FloorCheck{};
    unclear.floor->unclear = true;
    confirmation.analyse(analysis, report_of({unclear}), 1);
    EXPECT_THAT(confirmation.undecided(), ElementsAre("a"));
  }
  auto unclear = row("a", Verdict::kUnchanged, analysis.rounds);
  unclear.floor = FloorCheck{};
  unclear.floor->unclear = true;
  confirmation.analyse(analysis, report_of({unclear}), 1);
  EXPECT_THAT(confirmation.undecided(), IsEmpty());
}

}  // namespace

// When growing data is judged, and what of it.

namespace {

using testing::ElementsAre;

TEST(InterimAnalysis, HasHalfAsManyRoundsAgain) {
  std::vector<int> rounds;
  InterimAnalysis analysis;
  for (; analysis.rounds < 100; analysis = analysis.next()) {
    EXPECT_EQ(analysis.rounds_before, rounds.empty() ? 0 : rounds.back());
    rounds.push_back(analysis.rounds);
  }
  EXPECT_THAT(rounds, ElementsAre(5, 8, 12, 18, 27, 40, 60, 90));
}

TEST(InterimAnalysis, TheLastOneShrinksToWhatFits) {
  const InterimAnalysis third{3, 12, 8};
  EXPECT_EQ(third.within(60, 52).rounds, 12);
  EXPECT_EQ(third.within(44, 52).rounds, 11) << "13 s a round";
  EXPECT_EQ(third.within(14, 52).rounds, 9);
  EXPECT_EQ(third.within(12, 52).new_rounds(), 0);
  EXPECT_EQ(third.within(0, 52).new_rounds(), 0);
  EXPECT_EQ(third.within(0, 0).rounds, 12) << "nothing is known of the time";
  EXPECT_EQ(third.within(44, 52).error_share(), third.error_share());
  EXPECT_EQ(third.within(44, 52).number, 3);
}

TEST(InterimAnalysis, GrowsFromAnyFirst) {
  for (InterimAnalysis analysis{1, 1, 0}; analysis.rounds < 1000; analysis = analysis.next())
    EXPECT_GT(analysis.next().rounds, analysis.rounds);
}

TEST(InterimAnalysis, AllOfThemSpendWhatTheFirstCheckLeft) {
  double spent = kFirstCheckShare;
  InterimAnalysis analysis;
  for (int i = 0; i < 10000; ++i, analysis = {analysis.number + 1, 0, 0}) {
    EXPECT_GT(analysis.error_share(), 0);
    spent += analysis.error_share();
  }
  EXPECT_LE(spent, 1);
  EXPECT_GT(spent, 0.9999);
}

TEST(KeepForLook, LeavesWhatTheNewRoundsMeasuredOnBothSides) {
  const auto run_of = [](const std::vector<test::Timed>& benchmarks) {
    tracker::Run run = test::make_run({}, benchmarks);
    for (std::size_t i = 0; i < run.invocations.size(); ++i)
      run.invocations[i].round = static_cast<int>(i) + 1;
    return run;
  };
  const std::vector<double> five{1, 2, 3, 4, 5};
  const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8};
  const auto names = [](const tracker::Run& run) {
    std::vector<std::string> all;
    for (const auto& benchmark : run.benchmarks) all.push_back(benchmark.name);
    return all;
  };
  const std::vector<Rename> renames{{"old", "new"}};
  const tracker::Run base = run_of({{"decided", five}, {"old", eight}, {"gone", eight}});
  const tracker::Run candidate = run_of({{"decided", five}, {"new", eight}, {"gone", five}});
  InterimAnalysis analysis;
  auto of_base = base;
  auto of_candidate = candidate;
  keep_for_analysis(analysis, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("decided", "new", "gone"));
  EXPECT_THAT(of_candidate.invocations, testing::SizeIs(5));
  analysis = analysis.next();
  of_base = base;
  of_candidate = candidate;
  keep_for_analysis(analysis, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("new"));
  EXPECT_THAT(names(of_candidate), ElementsAre("new"));
  EXPECT_THAT(of_base.invocations, testing::SizeIs(8));
  EXPECT_THAT(of_base.invocations.front().samples, testing::SizeIs(1));
  EXPECT_FALSE(of_candidate.selection.is_all()) << "what it lacks is not missing";
}

}  // namespace

// What confirming costs and spares.

namespace {

TEST(MeasuringCost, ExpectsTheNextLookByTheLastOne) {
  MeasuringCost cost;
  EXPECT_EQ(cost.expected_s(5, 10), 0) << "nothing is known";
  cost.set_suite(100, 50);
  EXPECT_DOUBLE_EQ(cost.expected_s(5, 10), 25);
  cost.add(5, 10, 40);
  EXPECT_DOUBLE_EQ(cost.expected_s(3, 2), 4.8);
  cost.add(3, 2, 12);
  EXPECT_DOUBLE_EQ(cost.expected_s(4, 1), 8);
  EXPECT_DOUBLE_EQ(cost.measured_s(), 52);
}

TEST(MeasuringCost, SavesWhatTheWholeSuiteWouldHaveCost) {
  MeasuringCost known;
  known.set_suite(100, 50);
  known.add(5, 10, 40);
  known.add(3, 2, 12);
  EXPECT_DOUBLE_EQ(known.saved_s(8), 8 * 50 - 52);
  MeasuringCost guessed;
  guessed.set_suite(100, {});
  EXPECT_EQ(guessed.saved_s(8), 0) << "nothing was measured";
  guessed.add(5, 10, 40);
  EXPECT_DOUBLE_EQ(guessed.saved_s(5), 400 - 40);
  MeasuringCost dear;
  dear.set_suite(2, 1);
  dear.add(5, 2, 100);
  EXPECT_EQ(dear.saved_s(5), 0) << "never less than nothing";
}

TEST(MeasuringCost, TakesTheTimeFromWholeRuns) {
  const auto run_of = [](const std::string& filter, double length_s) {
    tracker::Run run = test::make_run({}, {{"k", {1, 2, 3, 4}}});
    run.selection.expression = filter;
    for (auto& invocation : run.invocations) invocation.length_s = length_s;
    return run;
  };
  Confirmation confirmation = confirming(report_of({row("a", Verdict::kRegressed)}));
  confirmation.learn_time({run_of("", 3), run_of("^k$", 100), run_of("", 0)});
  EXPECT_DOUBLE_EQ(confirmation.expected_s({}), 5 * 2 * 3) << "a round has an invocation of each side";
}

using test::make_run;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

Run rounds(const test::RunNumbers& numbers, const std::vector<test::Timed>& timed) {
  Run run = make_run(numbers, timed);
  for (std::size_t i = 0; i < run.invocations.size(); ++i) run.invocations[i].round = static_cast<int>(i) + 1;
  return run;
}

TEST(PairRatios, AreAboveZeroWhereTheCandidateIsWorse) {
  const double slower = std::log(1.1);
  const auto near = [](double value) { return DoubleNear(value, 1e-9); };
  const tracker::Run base =
      rounds(test::kBase, {{"time", {100, 200}, {}, {}}, {"rate", {100, 100}, 8.0, {}}});
  const tracker::Run candidate =
      rounds(test::kCandidate, {{"time", {110, 220}, {}, {}}, {"rate", {110, 110}, 8.0, {}}});
  const auto all = pair_ratios(base, candidate, {});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].ratios, ElementsAre(near(slower), near(slower))) << "more time";
  EXPECT_EQ(all[1].gate.metric.name, "bytes_per_second");
  EXPECT_THAT(all[1].ratios, ElementsAre(near(slower), near(slower))) << "less bandwidth";
}

TEST(PairRatios, OnlyRoundsOfBothSidesCount) {
  tracker::Run base = rounds(test::kBase, {{"k", {100, 100, 100}, {}, {}}});
  const tracker::Run candidate = rounds(test::kCandidate, {{"k", {100, 100, 100}, {}, {}}});
  base.invocations[1].excluded = exclusion_of("warm-up");
  ASSERT_EQ(pair_ratios(base, candidate, {}).size(), 1U);
  EXPECT_EQ(pair_ratios(base, candidate, {}).front().ratios.size(), 2U);
}

TEST(PairRatios, ABenchmarkKeepsItsPairsWhenItIsRenamed) {
  const tracker::Run base = rounds(test::kBase, {{"old", {100}, {}, {}}});
  const tracker::Run candidate = rounds(test::kCandidate, {{"new", {100}, {}, {}}});
  EXPECT_THAT(pair_ratios(base, candidate, {}), IsEmpty());
  Policy policy;
  policy.renames.push_back({"old", "new"});
  const auto all = pair_ratios(base, candidate, policy);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().benchmark, "new");
}

}  // namespace

}  // namespace tracker::judge
