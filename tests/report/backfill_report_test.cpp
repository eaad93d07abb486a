#include "tracker/report/backfill_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::Pair;

// A word and what is to be said of it: a terminal breaks the second where it is too long.
TEST(BackfillReport, AStepIsAFactForEachDevice) {
  BackfillStep step;
  step.what = BackfillStep::What::kMeasured;
  step.commit = {.id = "1a2b3c4d5e6f", .subject = "Merge what many people wrote"};
  step.measured = {{.benchmarks = 12}, {.benchmarks = 11, .missing = {"x/8"}, .compared_with = "9f8e7d6c5b"}};
  step.length_s = 3;
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("measured", "1a2b3c4 Merge what many people wrote: 12 benchmarks, 3 s"),
                          Pair("measured",
                               "1a2b3c4 Merge what many people wrote: 11 benchmarks, 3 s; 1 benchmark "
                               "of 9f8e7d6 not there: 'x/8'")));
  step.what = BackfillStep::What::kSameProgram;
  step.same_as = "9f8e7d6c5b";
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("same", "1a2b3c4 Merge what many people wrote: the same program as 9f8e7d6")));
  step.what = BackfillStep::What::kFailed;
  step.why = "c++ -c a.cpp\na.cpp:1: error: no x\nmake: *** [a.o] stopped\n";
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("failed",
                               "1a2b3c4 Merge what many people wrote: does not build: a.cpp:1: "
                               "error: no x")));
}

}  // namespace
}  // namespace tracker
