// What ran beside a benchmark is part of what was measured.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/judge/shared_noise.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::make_run;
using test::Timed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

Run run_of(const std::string& id, const std::vector<std::string>& names, double time_ns = 100) {
  std::vector<Timed> timed;
  for (const auto& name : names)
    timed.push_back({name, id == "1" ? around(time_ns) : around_again(time_ns), {}, {}});
  return make_run({.id = id}, timed);
}

std::map<std::string, std::string> changed(const Run& base, const Run& candidate) {
  std::map<std::string, std::string> words;
  for (const auto& [name, change] : changed_neighbours({&base, 1}, {&candidate, 1}))
    words[name] = change.words;
  return words;
}

TEST(Neighbours, TheSameSetChangesNothing) {
  EXPECT_THAT(changed(run_of("1", {"a", "b", "c"}), run_of("2", {"c", "a", "b"})), IsEmpty());
}

TEST(Neighbours, WhatWasAddedOrRemovedIsNamed) {
  EXPECT_THAT(changed(run_of("1", {"a", "b"}), run_of("2", {"a", "b", "c"})),
              ElementsAre(Pair("a", "'c' ran beside it only in the candidate"),
                          Pair("b", "'c' ran beside it only in the candidate")));
  EXPECT_THAT(changed(run_of("1", {"a", "b", "c"}), run_of("2", {"a", "d"})),
              ElementsAre(Pair("a",
                               "'d' ran beside it only in the candidate, 'b' and 'c' ran beside it only in "
                               "the base")));
}

TEST(Neighbours, ManyAreCounted) {
  EXPECT_THAT(changed(run_of("1", {"a"}), run_of("2", {"a", "b", "c", "d", "e"})),
              ElementsAre(Pair("a", "'b', 'c' and 2 more ran beside it only in the candidate")));
}

TEST(Neighbours, OfAnotherBinaryAreNone) {
  tracker::Run candidate = run_of("2", {"a", "b"});
  tracker::Run other = run_of("2", {"c"});
  for (auto& invocation : other.invocations) {
    invocation.binary = "other";
    candidate.invocations.push_back(invocation);
  }
  EXPECT_THAT(changed(run_of("1", {"a", "b"}), candidate), IsEmpty());
}

TEST(Neighbours, WhatFailedRanBesideItAllTheSame) {
  tracker::Run candidate = run_of("2", {"a", "b", "c"});
  candidate.benchmarks[2].error = "out of memory";
  for (auto& invocation : candidate.invocations) invocation.samples.erase("c");
  EXPECT_THAT(changed(run_of("1", {"a", "b", "c"}), candidate), IsEmpty());
  EXPECT_THAT(changed(candidate, run_of("2", {"a", "b", "c"})), IsEmpty());
}

TEST(Neighbours, AnInvocationThatBrokeOffChangesNothing) {
  tracker::Run candidate = run_of("2", {"a", "b", "c"});
  candidate.invocations[2].samples.erase("c");
  EXPECT_THAT(changed(run_of("1", {"a", "b", "c"}), candidate), IsEmpty());
}

TEST(Neighbours, AProcessOfItsOwnHasNone) {
  tracker::Run alone = run_of("2", {"a", "b", "c"});
  alone.isolated = true;
  EXPECT_THAT(changed(alone, alone), IsEmpty());
  EXPECT_THAT(changed(run_of("1", {"a"}), alone), IsEmpty()) << "one alone in its binary is isolated as well";
  EXPECT_THAT(changed(run_of("1", {"a", "b", "c"}), alone),
              testing::Contains(Pair("a", "it ran beside 2 others in the base, and alone in the candidate")));
  EXPECT_THAT(changed(alone, run_of("1", {"a", "b"})),
              testing::Contains(Pair("a", "it ran alone in the base, and beside 1 other in the candidate")));
}

TEST(Neighbours, NamesOfStrangersArePrintable) {
  EXPECT_THAT(changed(run_of("1", {"a"}), run_of("2", {"a", "b\x1b[2J"})).at("a"), Not(HasSubstr("\x1b")));
}

// Of "a", of which only what ran beside it differs.
Comparison judged(const Run& base, const Run& candidate) {
  Policy policy;
  policy.rules.push_back({.match = "*", .threshold = 0.005});
  const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, policy);
  for (const auto& comparison : report.comparisons)
    if (comparison.benchmark == "a") return comparison;
  return {};
}

Comparison judged(double change) {
  return judged(run_of("1", {"a", "b"}), run_of("2", {"a", "b", "memcpy"}, 100 * (1 + change)));
}

TEST(Neighbours, HideSmallChangesAndNotLargeOnes) {
  const Comparison small = judged(0.01);
  EXPECT_EQ(small.verdict, Verdict::kInconclusive);
  EXPECT_THAT(report::reason_in_words(small),
              HasSubstr("'memcpy' ran beside it only in the candidate, so that changes below"));
  EXPECT_FALSE(small.more_invocations) << "more of them do not help";
  EXPECT_EQ(judged(0.5).verdict, Verdict::kRegressed);
  EXPECT_EQ(judged(-0.4).verdict, Verdict::kImproved);
}

TEST(Neighbours, WhatOneJobMeasuredIsNotToBeMeasuredSideBySide) {
  EXPECT_THAT(report::reason_in_words(judged(0.01)),
              testing::EndsWith(": measure each benchmark alone (--isolate)"));
  tracker::Run another_job = run_of("2", {"a", "b", "memcpy"}, 101);
  another_job.job = "job-2";
  EXPECT_THAT(report::reason_in_words(judged(run_of("1", {"a", "b"}), another_job)),
              testing::EndsWith(": measure both sides with the same set (--measure), or each benchmark alone "
                                "(--isolate)"));
}

// A filter takes all benchmarks of one name, so that neither --measure nor --isolate parts them.
TEST(Neighbours, BenchmarksOfOneNameNeedNamesOfTheirOwn) {
  for (const char* job : {"job-1", "job-2"}) {
    tracker::Run candidate = run_of("2", {"a", "a#2", "b"}, 101);
    candidate.job = job;
    EXPECT_THAT(report::reason_in_words(judged(run_of("1", {"a", "b"}), candidate)),
                testing::AllOf(HasSubstr("'a#2' ran beside it only in the candidate"),
                               testing::EndsWith(": give each benchmark a name of its own")));
  }
}

}  // namespace
}  // namespace tracker::judge
