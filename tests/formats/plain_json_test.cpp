// The fast lane reads what the JSON library reads, or nothing.
#include "tracker/formats/plain_json.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

// A row in words, so that differences can be read.
std::vector<std::string> in_words(const BenchmarkRows& table) {
  std::vector<std::string> rows;
  const auto number = [](double value) { return nlohmann::json(value).dump(); };
  for (const auto& row : table.rows) {
    std::string words = std::string(row.run_name) + " " + std::to_string(row.family) + "." +
                        std::to_string(row.instance) + " x" + std::to_string(row.iterations) + " " +
                        (row.real_time ? number(*row.real_time) : "-") + " " +
                        (row.cpu_time ? number(*row.cpu_time) : "-") + " " + std::string(row.time_unit) +
                        (row.error ? " failed: " + std::string(*row.error) : "") +
                        (row.label.empty() ? "" : " labelled " + std::string(row.label));
    std::vector<std::string> counters;
    for (std::size_t i = row.first_counter; i < row.first_counter + row.counter_count; ++i)
      counters.push_back(" " + table.counter_names[table.counters[i].first] + "=" +
                         number(table.counters[i].second));
    std::sort(counters.begin(), counters.end());  // the JSON library sorts fields by their names
    rows.push_back(words + join(counters, ""));
  }
  for (const auto skipped : table.skipped) rows.push_back("skipped: " + std::string(skipped));
  rows.push_back(join({table.aggregates.begin(), table.aggregates.end()}, ",") + " aggregates");
  return rows;
}

// Whether the fast lane takes the text; if so, it has read what the JSON library reads.
bool is_plain(const std::string& text) {
  const auto plain = read_plain(text);
  if (!plain) return false;
  try {
    parse_json(plain->context, "context");
  } catch (const Error&) {
    return false;  // nobody takes it then
  }
  const auto document = parse_json(text, "plain.json");
  EXPECT_EQ(in_words(plain->benchmarks), in_words(rows_of_json(document.at("benchmarks"), "plain.json")));
  EXPECT_EQ(parse_json(plain->context, "context"), document.at("context"));
  return true;
}

TEST(PlainJson, RecordedFilesArePlain) {
  for (const char* name : {"job1/r01-inject0.json", "job2/r10-inject0.json", "job3/r02-inject0.json"})
    EXPECT_TRUE(is_plain(read_file(recorded_path(name), 1 << 20))) << name;
}

TEST(PlainJson, EveryKindOfRowIs) {
  EXPECT_TRUE(is_plain(document({row("a")})));
  EXPECT_TRUE(is_plain(
      document({row("a", R"("bytes": 1e9, "registers": 32)"), row("b", R"("registers": 64, "bytes": 2)"),
                row("c"), row("a", R"("registers": -0, "x": 0.5e-3, "label": "text")")})));
  EXPECT_TRUE(is_plain(
      document({row("a", R"("error_occurred": true, "error_message": "no GPU")"),
                row("b", R"("error_occurred": true)"), row("c", R"("error_occurred": false)"),
                R"({"name": "d", "skipped": true, "lost": 1})", R"({"name": "e"})",
                R"({"name": "f_mean", "run_type": "aggregate", "lost": 1})", row("g", R"("lost": 2)")})));
  EXPECT_TRUE(is_plain(document({row("a", R"("label": "code=0123456789abcdef x")"), row("b", R"("label": 3)"),
                                 row("c", R"("label": null)"), row("d")})));
  EXPECT_TRUE(is_plain("\n{ \"benchmarks\" :[ ]\t,\r\n\"context\":{\"caches\":[{\"level\":1}]}}\n "));
  EXPECT_TRUE(
      is_plain(document({row("a", R"("big": 12345678901234567890123, "small": 5e-324, "odd": 0.1)")})));
}

TEST(PlainJson, WhatIsNotPlainIsLeftToTheLibrary) {
  for (const std::string& text : {std::string(),
                                  std::string("{}"),
                                  std::string("[]"),
                                  std::string("{\"context\": {}}"),
                                  document({row("a")}) + "x",
                                  document({row("a")}).substr(0, 200),
                                  document({row("a") + ","}),
                                  document({"{}"}),
                                  document({"3"}),
                                  document({row("")}),
                                  document({row("a\\u0041")}),
                                  document({row("\xC3\xA9")}),
                                  document({row(std::string(1, '\x01'))}),
                                  document({row("a", R"("x": NaN)")}),
                                  document({row("a", R"("x": 1e999)")}),
                                  document({row("a", R"("x": 01)")}),
                                  document({row("a", R"("x": 1.)")}),
                                  document({row("a", R"("x": .5)")}),
                                  document({row("a", R"("x": +1)")}),
                                  document({row("a", R"("x": 1e)")}),
                                  document({row("a", R"("x": -)")}),
                                  document({row("a", R"("x": 0x10)")}),
                                  document({row("a", R"("x": [1])")}),
                                  document({row("a", R"("x": {"y": 1})")}),
                                  document({row("a", R"("x": nul)")}),
                                  document({row("a", R"("x": 1, "x": 2)")}),
                                  document({row("a", R"("real_time": 7)")}),
                                  document({row("a", R"("iterations": 2)")}),
                                  document({row("a", R"("skipped": 1)")}),
                                  document({row("a", "", R"("real_time": null, "cpu_time": 1)")}),
                                  document({row("a", R"("family_index": 1.5)")}),
                                  document({row("a", R"("family_index": 9223372036854775808)")}),
                                  std::string(R"({"context": {}, "benchmarks": [], "more": 1})"),
                                  std::string(R"({"context": {}, "benchmarks": [], "benchmarks": []})"),
                                  std::string(R"({"context": {"a": "\""}, "benchmarks": []})"),
                                  std::string(R"({"context": [], "benchmarks": []})")})
    EXPECT_FALSE(is_plain(text)) << text;
}

TEST(PlainJson, DamagedTextIsReadAlikeOrRefused) {
  Mutator mutate(5);
  const std::string text = short_recording(12);
  int taken = 0;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    SCOPED_TRACE("mutation " + std::to_string(i));
    if (is_plain(mutate(text))) ++taken;
  }
  EXPECT_GT(taken, 400);
}

}  // namespace
}  // namespace tracker
