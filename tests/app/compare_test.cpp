// Comparing as a library does it: a request in, an outcome back, and nothing printed.
#include "tracker/app/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/recording_observer.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::app {
namespace {

using test::around;
using test::around_again;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ScratchRepository;

class AppCompare : public testing::Test {
 protected:
  AppCompare() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    base_ = scratch_.commit("a.txt", "one");
    candidate_ = scratch_.commit("a.txt", "two", "Pad the tile");
  }
  ~AppCompare() override {
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }

  WorkspaceRequest request() {
    WorkspaceRequest wanted;
    wanted.directory = scratch_.root();
    wanted.observer = &observer_;
    return wanted;
  }

  // One job that measured both commits; the candidate takes `factor` times as long.
  void record(double factor) {
    const Workspace workspace(request());
    std::vector<std::pair<store::Key, std::string>> documents;
    for (const bool is_base : {true, false}) {
      test::RunNumbers numbers = is_base ? test::kBase : test::kCandidate;
      numbers.commit = is_base ? base_ : candidate_;
      auto run = test::make_run(
          numbers, {{"k", is_base ? around(1e5) : around_again(1e5 * factor)}, {"still", around(2e5)}});
      for (std::size_t i = 0; i < run.invocations.size(); ++i) {
        run.invocations[i].round = static_cast<int>(i) + 1;
        for (auto& [name, samples] : run.invocations[i].samples) {
          samples.cpu_time_ns = samples.real_time_ns;
          samples.iterations.assign(samples.real_time_ns.size(), 100);
        }
      }
      documents.emplace_back(store::Key{device_key(run.device), run.commit, run.id}, formats::write_run(run));
    }
    workspace.store().add(documents);
  }

  CompareOutcome compare_with(const std::string& base) {
    const Workspace workspace(request());
    CompareRequest wanted;
    wanted.base = base;
    return compare(workspace, wanted);
  }

  ScratchRepository scratch_;
  test::RecordingObserver observer_;
  std::string base_;
  std::string candidate_;
};

TEST_F(AppCompare, GivesTheReportAndItsExitCode) {
  record(1.2);
  const CompareOutcome outcome = compare_with("HEAD~1");
  ASSERT_EQ(outcome.reports.size(), 1u);
  const ComparisonReport& report = outcome.reports.front();
  EXPECT_EQ(report.candidate.subject, "Pad the tile");
  ASSERT_EQ(report.comparisons.size(), 2u);
  EXPECT_EQ(report.comparisons.front().benchmark, "k");
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kRegressed);
  EXPECT_TRUE(has_reason(report.comparisons.front().reasons, ReasonCode::kPastThreshold));
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kRegressed);
  EXPECT_THAT(outcome.unjudged, IsEmpty());
  EXPECT_THAT(observer_.notes, IsEmpty());
}

TEST_F(AppCompare, NotesWhichCommitIsMeant) {
  record(1);
  const CompareOutcome outcome = compare_with("HEAD~1...HEAD");
  EXPECT_EQ(outcome.request.base, base_);
  EXPECT_THAT(observer_.notes, ElementsAre(HasSubstr("the base is " + base_.substr(0, 7))));
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kOk);
}

TEST_F(AppCompare, KeepsWhatMatchesAPattern) {
  record(1.2);
  const Workspace workspace(request());
  CompareRequest wanted;
  wanted.base = "HEAD~1";
  wanted.globs = {"still"};
  const CompareOutcome outcome = compare(workspace, wanted);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports.front().comparisons.size(), 1u);
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kOk);
}

// Summaries keep three of five repetitions at most.
TEST_F(AppCompare, SaysWhatRepetitionsScatterByFromAllOfThem) {
  {
    const Workspace workspace(request());
    std::vector<std::pair<store::Key, std::string>> documents;
    for (const bool is_base : {true, false}) {
      test::RunNumbers numbers = is_base ? test::kBase : test::kCandidate;
      numbers.commit = is_base ? base_ : candidate_;
      auto run = test::make_run(numbers, {{"k", {1e5}}});
      Samples& samples = run.invocations.front().samples.at("k");
      samples.real_time_ns = {1.00e5, 1.01e5, 1.02e5, 1.03e5, is_base ? 1.09e5 : 1.30e5};
      samples.cpu_time_ns = samples.real_time_ns;
      samples.iterations.assign(5, 100);
      documents.emplace_back(store::Key{device_key(run.device), run.commit, run.id}, formats::write_run(run));
    }
    workspace.store().add(documents);
  }
  const auto reason = [&](bool summaries) {
    WorkspaceRequest where = request();
    where.summaries = summaries;
    const Workspace workspace(where);
    if (summaries) load_line_events(workspace, {});
    CompareRequest wanted;
    wanted.base = "HEAD~1";
    const CompareOutcome outcome = compare(workspace, wanted);
    return outcome.reports.at(0).comparisons.at(0).reasons.at(0);
  };
  const Reason by_documents = reason(false);
  ASSERT_EQ(by_documents.code, ReasonCode::kOneInvocation);
  EXPECT_EQ(by_documents.number("repetitions"), 5);
  const Reason by_summaries = reason(true);
  EXPECT_EQ(by_summaries.number("repetitions"), 5);
  EXPECT_EQ(by_summaries.number("spread"), by_documents.number("spread"));
}

TEST_F(AppCompare, WithoutARunSaysTheNextStep) {
  EXPECT_THAT(testing_support::error_of([&] { compare_with("HEAD~1"); }), HasSubstr("tracker run"));
}

TEST_F(AppCompare, ARunInAnotherDevicesFolderIsNoSameProgram) {
  record(1);
  {
    const Workspace workspace(request());
    for (const auto& key : workspace.store().keys_of(candidate_)) {
      store::Key moved = key;
      moved.device = "cpu-other";
      workspace.store().replace({{key, "moved", moved, workspace.store().read(key)}});
    }
  }
  const CompareOutcome outcome = compare_with("HEAD~1");
  ASSERT_EQ(outcome.unjudged.size(), 1u);
  EXPECT_THAT(outcome.unjudged.front().reason,
              HasSubstr("no document that is stored for the candidate HEAD on cpu-other can be used"));
  EXPECT_THAT(outcome.unjudged.front().hint, HasSubstr("tracker store verify"));
  const Workspace workspace(request());
  EXPECT_THAT(testing_support::error_of(
                  [&] { promote(workspace, {.revision = "HEAD", .device = {}, .accept = {}}); }),
              HasSubstr("can be used"));
}

TEST_F(AppCompare, MeasuringOptionsNeedMeasuring) {
  record(1);
  const auto asks = [&](bool in_ci) {
    WorkspaceRequest where = request();
    where.in_ci = in_ci;
    return testing_support::error_of([&] {
      const Workspace workspace(where);
      CompareRequest wanted;
      wanted.base = "HEAD~1";
      wanted.measuring.invocations = 3;
      compare(workspace, wanted);
    });
  };
  EXPECT_THAT(asks(false), HasSubstr("-n says how to measure, and nothing is measured"));
  EXPECT_EQ(asks(true), "no error") << "there it may be meant for where there is something to confirm";
}

TEST_F(AppCompare, PromotingSaysWhatWasWritten) {
  record(1);
  const Workspace workspace(request());
  const auto promoted = promote(workspace, {.revision = "HEAD", .device = "", .accept = {"nothing/*"}});
  ASSERT_EQ(promoted.size(), 1u);
  EXPECT_EQ(promoted.front().commit, candidate_);
  EXPECT_TRUE(std::filesystem::exists(promoted.front().path));
  EXPECT_EQ(promoted.front().jobs, 1u);
  EXPECT_THAT(observer_.notes, ElementsAre("nothing that changed matches --accept 'nothing/*'"));
}

}  // namespace
}  // namespace tracker::app
