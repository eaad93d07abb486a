#include "tracker/formats/baseline_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"

namespace tracker {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Baseline promoted() {
  const auto run = whole_run();
  return {device_key(run.device), run.commit, "2026-11-21T00:00:00Z", {run, run}};
}

TEST(BaselineDocument, ComesBackExactly) {
  const std::string text = write_baseline(promoted());
  const Baseline again = read_baseline(text, "b.json");
  EXPECT_EQ(write_baseline(again), text);
  EXPECT_EQ(again.device, "nvidia-h200-140gib-700w-mig-1g.18gb");
  EXPECT_EQ(again.commit, promoted().commit);
  EXPECT_EQ(again.promoted_at, "2026-11-21T00:00:00Z");
  EXPECT_EQ(again.runs.size(), 2u);
}

TEST(BaselineDocument, HostileOnesGetOneMessage) {
  struct Row {
    std::function<void(json&)> edit;
    std::string message;
  };
  const Row rows[] = {
      {[](json& b) { b = json::array(); }, "'b.json': expected an object"},
      {[](json& b) { b = json::object(); },
       "'b.json': not a baseline of schema 'tracker.baseline/1' | write it with: tracker baseline promote"},
      {[](json& b) { b["schema"] = 3; }, "'b.json': schema: expected a text"},
      {[](json& b) { b["schema"] = "tracker.run/1"; }, "not a baseline of schema"},
      {[](json& b) { b.erase("device"); }, "'b.json': no 'device'"},
      {[](json& b) { b["commit"] = nullptr; }, "commit: expected a text"},
      {[](json& b) { b["runs"] = json::object(); }, "runs: expected a list of runs"},
      {[](json& b) { b.erase("runs"); }, "runs: expected a list of runs"},
      {[](json& b) { b["runs"] = json::array(); }, "'b.json': a baseline without runs"},
      {[](json& b) { b["runs"][1]["schema"] = "x"; }, "'b.json': schema 'x' is not 'tracker.run/1'"},
      {[](json& b) { b["runs"][1]["device"]["model"] = "NVIDIA L4"; },
       "was measured on 'nvidia-l4-140gib-700w-mig-1g.18gb', not on 'nvidia-h200-140gib"},
  };
  for (const auto& row : rows) {
    json baseline = json::parse(write_baseline(promoted()));
    row.edit(baseline);
    EXPECT_THAT(error_of([&] { read_baseline(baseline.dump(), "b.json"); }), HasSubstr(row.message));
  }
}

}  // namespace
}  // namespace tracker
