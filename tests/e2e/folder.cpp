#include "tests/e2e/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"

namespace tracker::e2e {

using nlohmann::json;

std::filesystem::path recorded(int round) {
  const std::string number = (round < 10 ? "0" : "") + std::to_string(round);
  return std::filesystem::path(TRACKER_H200_JOBS) / "job2" / ("r" + number + "-inject0.json");
}

void Folder::put(const std::string& name, int round, const Edit& edit) const {
  const std::string text = read_file(recorded(round), 1 << 20);
  if (!edit) return write(name, text);
  json document = json::parse(text);
  edit(document);
  write(name, document.dump(1));
}

std::string side_of(int round) {
  return round % 4 < 2 ? "base" : "candidate";
}

void Folder::put_sides(const Edit& of_candidate, const Edit& of_base) const {
  for (int round = 1; round <= 10; ++round)
    put(side_of(round) + "/" + std::to_string(round) + ".json", round,
        side_of(round) == "base" ? of_base : of_candidate);
}

ProcessResult Folder::tracker(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"-C", path().string()});
  return scratch_.tracker(arguments);
}

json report_of(const ProcessResult& result) {
  EXPECT_THAT(result.output, testing::HasSubstr("tracker.comparison/1")) << result.errors;
  const json document = json::parse(result.output, nullptr, false);
  return document.is_discarded() ? json{} : document.at("reports").at(0);
}

std::vector<std::string> benchmarks_with(const json& report, const std::string& verdict) {
  std::vector<std::string> names;
  for (const auto& comparison : report.at("comparisons"))
    if (comparison.at("verdict") == verdict) names.push_back(comparison.at("benchmark"));
  return names;
}

Edit slower(const std::string& name, double factor) {
  return [=](json& document) {
    for (auto& row : document.at("benchmarks")) {
      if (row.at("name") != name + "/manual_time") continue;
      for (const char* time : {"real_time", "cpu_time"}) row.at(time) = row.at(time).get<double>() * factor;
      if (row.contains("bytes_per_second"))
        row["bytes_per_second"] = row["bytes_per_second"].get<double>() / factor;
    }
  };
}

Edit measured_on(const std::string& kind, const std::string& model) {
  return [=](json& document) {
    document.at("context")["device.kind"] = kind;
    document.at("context")["device.model"] = model;
  };
}

}  // namespace tracker::e2e
