#include "tracker/formats/benchmark_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using testing::HasSubstr;

// Rows in words, so that differences can be read.
std::vector<std::string> in_words(const BenchmarkRows& table) {
  std::vector<std::string> rows;
  const auto number = [](double value) { return nlohmann::json(value).dump(); };
  for (const auto& row : table.rows) {
    std::vector<std::string> counters;
    for (std::size_t i = row.first_counter; i < row.first_counter + row.counter_count; ++i)
      counters.push_back(table.counter_names[table.counters[i].first] + "=" +
                         number(table.counters[i].second));
    std::sort(counters.begin(), counters.end());
    rows.push_back(
        std::string(row.run_name) + " " + std::to_string(row.family) + "." + std::to_string(row.instance) +
        " x" + std::to_string(row.iterations) + " " + (row.real_time ? number(*row.real_time) : "-") + " " +
        (row.cpu_time ? number(*row.cpu_time) : "-") + " " + std::string(row.time_unit) +
        (row.skipped ? " skipped" : "") + (row.error ? " failed: " + std::string(*row.error) : "") +
        (row.label.empty() ? "" : " labelled " + std::string(row.label)) +
        (counters.empty() ? "" : " " + join(counters, " ")));
  }
  for (const auto aggregate : table.aggregates) rows.push_back("aggregate: " + std::string(aggregate));
  for (const auto& [name, counter] : table.no_numbers)
    rows.push_back("no number: " + std::string(name) + " " + counter);
  return rows;
}

std::vector<std::string> rows_of(const std::string& text) {
  return in_words(read_benchmark_rows(text, "out.json").rows);
}

// What the JSON library makes of the same text; written plainly, for rows whose fields are of their types.
std::vector<std::string> rows_by_library(const nlohmann::json& document) {
  static const std::set<std::string> fields{"name",
                                            "run_name",
                                            "run_type",
                                            "family_index",
                                            "per_family_instance_index",
                                            "iterations",
                                            "real_time",
                                            "cpu_time",
                                            "time_unit",
                                            "label",
                                            "error_occurred",
                                            "error_message",
                                            "skipped",
                                            "repetitions",
                                            "threads",
                                            "skip_message",
                                            "aggregate_name",
                                            "aggregate_unit",
                                            "repetition_index",
                                            "big_o",
                                            "rms"};
  std::vector<std::string> rows;
  std::vector<std::string> aggregates;
  for (const auto& row : document.at("benchmarks")) {
    const std::string run_name = row.value("run_name", "");
    const std::string name = run_name.empty() ? row.value("name", "") : run_name;
    if (row.value("run_type", "iteration") != "iteration") {
      if (aggregates.empty() || aggregates.back() != "aggregate: " + name)
        aggregates.push_back("aggregate: " + name);
      continue;
    }
    const auto number = [&](const char* key) {
      return row.contains(key) ? nlohmann::json(row.at(key).get<double>()).dump() : "-";
    };
    const auto label = row.find("label");
    std::string words = name + " " + std::to_string(row.value("family_index", std::int64_t{-1})) + "." +
                        std::to_string(row.value("per_family_instance_index", std::int64_t{-1})) + " x" +
                        std::to_string(row.value("iterations", std::int64_t{1})) + " " + number("real_time") +
                        " " + number("cpu_time") + " " + row.value("time_unit", "");
    const bool skipped = row.value("skipped", false);
    if (skipped) words += " skipped failed: " + row.value("skip_message", "");
    if (!skipped && row.value("error_occurred", false))
      words += " failed: " + row.value("error_message", "an error without a message");
    if (label != row.end() && label->is_string() && !label->get<std::string>().empty())
      words += " labelled " + label->get<std::string>();
    for (const auto& [key, value] : row.items())
      if (!skipped && fields.count(key) == 0 && value.is_number())
        words += " " + key + "=" + nlohmann::json(value.get<double>()).dump();
    rows.push_back(std::move(words));
  }
  rows.insert(rows.end(), aggregates.begin(), aggregates.end());
  return rows;
}

void expect_as_by_library(const std::string& text) {
  const auto document = parse_json(text, "out.json", EqualKeys::kFirstCounts);
  const auto read = read_benchmark_rows(text, "out.json");
  EXPECT_EQ(in_words(read.rows), rows_by_library(document)) << text;
  EXPECT_EQ(parse_json(read.context, "context"), document.at("context"));
}

TEST(BenchmarkRows, RecordedFilesAreReadAsByTheLibrary) {
  for (const char* name : {"job1/r01-inject0.json", "job2/r10-inject0.json", "job3/r02-inject0.json"})
    expect_as_by_library(read_file(recorded_path(name), 1 << 20));
}

TEST(BenchmarkRows, EveryKindOfRowIsReadAsByTheLibrary) {
  for (const std::string& text :
       {document({row("a")}),
        document({row("a", R"("bytes": 1e9, "registers": 32)"), row("b", R"("registers": 64, "bytes": 2)"),
                  row("c"), row("a", R"("registers": -0, "x": 0.5e-3, "label": "text")")}),
        document({row("a", R"("error_occurred": true, "error_message": "no GPU")"),
                  row("b", R"("error_occurred": true)"), row("c", R"("error_occurred": false)"),
                  R"({"name": "d", "skipped": true, "lost": 1})", R"({"name": "e"})",
                  R"({"name": "f_mean", "run_type": "aggregate", "lost": 1})", row("g", R"("lost": 2)")}),
        document({row("a", R"("label": "code=0123456789abcdef x")"), row("b", R"("label": 3)"),
                  row("c", R"("label": null)"), row("d")}),
        std::string("\n{ \"benchmarks\" :[ ]\t,\r\n\"context\":{\"caches\":[{\"level\":1}]}}\n "),
        document({row("a", R"("big": 12345678901234567890123, "small": 5e-324, "odd": 0.1)")}),
        document({row("a\\u0041 \\\"b\\\" \\ud83d\\ude00"), row("\xC3\xA9", R"("\u00e9": 1, "y\"": 2)")}),
        document({row("a", R"("x": [1, {"y": [true, null, "\n"]}], "z": {"name": "inner"}, "w": 2)")}),
        document({row("a", R"("x": 1, "x": 2)"), row("a", R"("real_time": 7)"),
                  row("a", R"("iterations": "text")"), row("a", R"("name": 3)")}),
        std::string(R"({"context": {"a": "\"}"}, "benchmarks": [], "more": [1, {"b": 2}]})"),
        std::string(R"({"context": {}, "benchmarks": [], "more": [3], "more": 4})")})
    expect_as_by_library(text);
}

TEST(BenchmarkRows, NumbersThatAreNoneAreTakenAsThat) {
  for (const char* word : {"NaN", "-NaN", "nan", "-nan", "inf", "-inf", "Infinity", "-Infinity"}) {
    SCOPED_TRACE(word);
    const std::string text =
        document({row("a", std::string(R"("lost": )") + word + R"(, "kept": 1)"),
                  row("b", "", std::string(R"("real_time": )") + word + R"(, "cpu_time": 1)")});
    const auto read = read_benchmark_rows(text, "out.json");
    EXPECT_THAT(in_words(read.rows).at(0), HasSubstr("kept=1"));
    EXPECT_THAT(in_words(read.rows).back(), "no number: a lost");
    EXPECT_TRUE(std::isnan(read.rows.rows.at(1).real_time.value()));
  }
}

TEST(BenchmarkRows, WhatIsNoJsonIsRefusedWithItsPlace) {
  struct Row {
    std::string text;
    std::string message;
  };
  const std::string whole = document({row("a")});
  for (const auto& [text, message] :
       {Row{"", "at byte 1: it ends in the middle"},
        Row{whole.substr(0, 200), "at byte 201: it ends in the middle"},
        Row{whole.substr(0, whole.size() - 2),
            "it ends in the middle, or text follows its end | was the benchmark stopped"},
        Row{whole.substr(0, whole.size() - 1), "it ends in the middle"},
        Row{R"({"context": {}, "benchmarks": [NaN, {"name": "a)", "it ends in the middle"},
        Row{whole + "x", "or text follows its end"},
        Row{whole + "{}", "unexpected text"},
        Row{document({row("a") + ","}), "unexpected text"},
        Row{document({row("b", R"("x": 01)")}), "(in benchmark 'b'): not a number, or one that is out of"},
        Row{document({row("b", R"("x": 1e999)")}), "(in benchmark 'b'): not a number, or one that is"},
        Row{document({row("a", R"("x": 1.)")}), "not a number"},
        Row{document({row("a", R"("x": .5)")}), "unexpected text"},
        Row{document({row("a", R"("x": +1)")}), "(in benchmark 'a'): unexpected text"},
        Row{document({row("a", R"("x": 1e)")}), "not a number"},
        Row{document({row("a", R"("x": -)")}), "unexpected text"},
        Row{document({row("a", R"("x": 0x10)")}), "not a number"},
        Row{document({row("a", R"("x": NaNs)")}), "unexpected text"},
        Row{document({row("a", R"("x": nul)")}), "unexpected text"},
        Row{document({row("a", R"("x": tru)")}), "unexpected text"},
        Row{document({row("a", R"("x": [1 2])")}), "unexpected text"},
        Row{document({row("a", R"("x": {"y": 1 "z": 2})")}), "unexpected text"},
        Row{document({row("a", R"("x": {3: 1})")}), "unexpected text"},
        Row{document({row("a", R"("x": "y": 1)")}), "(in benchmark 'a'): unexpected text"},
        Row{document({row("a", R"("x" 1)")}), "unexpected text"},
        Row{document({row("a\\x")}), "unexpected text"},
        Row{document({row("a", R"("x": ["\ud800"])")}), "unexpected text"},
        Row{document({row("\xFF")}), "text that is not UTF-8"},
        Row{document({row(std::string(1, '\x01'))}), "line end or control character"},
        Row{document({row("a")}, R"("x": nope)"), "not valid JSON at byte"},
        Row{document({row("a", "\"x\": " + std::string(1000, '[') + std::string(1000, ']'))}),
            "nested more than 100 levels deep"},
        Row{std::string(1'000'000, '['), "it ends in the middle"},
        Row{std::string("\0", 1), "not valid JSON"}}) {
    const auto read = [&text = text] {
      read_benchmark_rows(text, "out.json");
      parse_google_benchmark(text, "out.json");
    };
    EXPECT_THAT(error_of(read), testing::AllOf(testing::StartsWith("'out.json'"), HasSubstr(message)))
        << text.substr(0, 1000);
  }
}

TEST(BenchmarkRows, RowsThatAreNotReadNeedOnlyWhatTellsThem) {
  EXPECT_THAT(rows_of(document({R"({"name": "a", "skipped": true, "iterations": "x", "label": 3})",
                                R"({"name": "b", "run_type": "aggregate", "real_time": "x"})"})),
              testing::ElementsAre("a -1.-1 x1 - -  skipped failed: ", "aggregate: b"));
  EXPECT_THAT(error_of([] { rows_of(document({R"({"run_type": "aggregate", "name": 3})"})); }),
              HasSubstr("benchmarks[0].name: expected a text"));
}

// Whatever is taken is what the JSON library reads; what only this reader takes are numbers that are none.
TEST(BenchmarkRows, DamagedTextIsReadAsByTheLibraryOrRefused) {
  Mutator mutate(5);
  const std::string text = short_recording(12);
  int taken = 0;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    SCOPED_TRACE("mutation " + std::to_string(i));
    const std::string damaged = mutate(text);
    try {
      // As parse_google_benchmark() does, whoever reads the rows reads the context as well.
      parse_json(read_benchmark_rows(damaged, "out.json").context, "context", EqualKeys::kFirstCounts);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      continue;
    }
    try {
      parse_json(damaged, "out.json", EqualKeys::kFirstCounts);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("a value is")) << damaged;
      continue;
    }
    expect_as_by_library(damaged);
    ++taken;
  }
  EXPECT_GT(taken, 400);
}

}  // namespace
}  // namespace tracker::formats
