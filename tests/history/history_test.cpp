// Summaries answer as the documents do, and follow the store through all that may happen to both.
#include "tracker/history/history.hpp"

#include <atomic>
#include <bit>
#include <csignal>
#include <functional>
#include <iostream>
#include <mutex>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/history/run_source_fixture.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/database.hpp"

namespace tracker::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(RunSourceTest, SummariesSayWhatDocumentsSay) {
  for (const std::size_t repetitions : {1u, 2u, 3u, 4u, 7u, 10u}) {
    const auto one = run_of(commit("c"), static_cast<int>(repetitions), repetitions);
    record({one});
  }
  expect_same();
  const auto own = open();
  const auto line = load(*repository, {*store, *own}, kDevice, "HEAD", kWholeLine);
  EXPECT_EQ(line.back().runs.back().invocations[1].samples.at("gemm/c/16").real_time_ns.size(), 4u)
      << "of ten repetitions four stand for all";
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(RunSourceTest, OnlyWhatIsWantedComesBack) {
  record_line(3);
  const auto own = open();
  Policy policy;
  policy.renames = {{"copy/b/*", "copy/new/*"}};
  const auto names_in = [&](const std::vector<std::string>& globs) {
    const auto line = load(*repository, {*store, *own, judged_counters(policy)}, kDevice, "HEAD", kWholeLine,
                           wanted_names(globs, policy));
    std::vector<std::string> names;
    for (const auto& benchmark : line.back().runs.back().benchmarks) names.push_back(benchmark.name);
    EXPECT_THAT(line.back().runs.back().invocations[2].samples.at(names[0]).counters, IsEmpty());
    return names;
  };
  EXPECT_THAT(names_in({"gemm/*"}), ElementsAre("copy/b/8", "gemm/c/16"))
      << "renames need all that they touch";
  EXPECT_THAT(names_in({"copy/new/8"}), ElementsAre("copy/b/8"));
  EXPECT_THAT(names_in({}), ElementsAre("copy/b/8", "copy/a/8", "gemm/c/16"));
}

TEST(JudgedCounters, HoldTheClockWhereThePolicyComparesAtTheSameOne) {
  Policy policy;
  EXPECT_EQ(judged_counters(policy)->count("condition_core_clock_mhz"), 0u);
  policy.rules.push_back({.match = "*", .same_clock = true});
  EXPECT_EQ(judged_counters(policy)->count("condition_core_clock_mhz"), 1u);
}

// All that a series says.
std::vector<std::string> series_in_words(const std::vector<Series>& all) {
  std::vector<std::string> lines;
  const auto bits = [](double value) { return std::to_string(std::bit_cast<std::uint64_t>(value)) + " "; };
  for (const auto& series : all) {
    std::string line = series.benchmark + " " + series.metric.name + " " + bits(series.threshold) +
                       series.base.value_or("no base") + "\n";
    for (const auto& reference : series.references) line += reference.label + " " + bits(reference.value);
    for (const auto& step : series.steps) line += std::to_string(step.point) + " " + bits(step.after);
    for (const auto& drift : series.drifts) line += std::to_string(drift.from) + " " + bits(drift.after);
    for (const auto& point : series.points) {
      line += "\n" + point.commit.str() + point.subject.str() + point.date.str() + " " +
              std::to_string(point.position) + " " + bits(point.median) + bits(point.spread.low) +
              bits(point.spread.high) + std::to_string(point.invocations) +
              (point.disturbed ? " disturbed " : " ");
      const PointConditions& seen = point.conditions;
      line += std::to_string(seen.threads) + (seen.at_power_cap ? " at the cap " : " ");
      for (const auto& value : {seen.load_per_thread, seen.core_clock_mhz, seen.memory_clock_mhz})
        line += value ? bits(*value) : "unknown ";
    }
    lines.push_back(line);
  }
  return lines;
}

// Series are made in one way; what is read for them, columns or runs, says the same.
TEST_F(RunSourceTest, ColumnsAndRunsGiveASeriesTheSameValues) {
  constexpr int kRuns = 150;  // in three chunks
  std::vector<tracker::Run> runs;
  std::string head;
  for (int number = 0; number < kRuns; ++number) {
    if (number % 4 != 3) head = commit("change " + std::to_string(number));
    auto run = run_of(head, number, 1 + static_cast<std::size_t>(number % 5));
    run.dirty = number % 9 == 0;
    for (auto& invocation : run.invocations) {
      if (number % 7 == 0) invocation.conditions.load_average = 200;
      if (number % 11 == 0) invocation.conditions.throttle_reasons = {"hw_thermal"};
      if (number % 6 == 0) invocation.conditions.core_clock_mhz_min.reset();
      if (number > 80)
        for (auto& [name, samples] : invocation.samples)
          for (double& time_ns : samples.real_time_ns) time_ns *= 1.2;
    }
    if (number % 13 == 0) run.benchmarks.front().error = "it failed";
    if (number % 17 == 5) {  // it lacks one
      run.benchmarks.erase(run.benchmarks.begin() + 1);
      for (auto& invocation : run.invocations) invocation.samples.erase("copy/a/8");
    }
    if (number > 100) {  // under another name from here on
      run.benchmarks.back().name = "gemm/new/16";
      for (auto& invocation : run.invocations)
        if (auto samples = invocation.samples.extract("gemm/c/16")) {
          samples.key() = "gemm/new/16";
          invocation.samples.insert(std::move(samples));
        }
    }
    runs.push_back(run);
  }
  record(runs);
  store->add({{store::Key{kDevice, head, "20261120T999999Z-0000000a"}, "{}"}});
  Policy renaming;
  renaming.renames = {{"gemm/c/*", "gemm/new/*"}, {"copy/b/*", "copy/a/*"}};
  Policy counters;
  counters.rules.push_back(
      {.match = "gemm/*", .metric = "share", .statistic = Statistic::kFastest, .bound = "copy/b/8"});
  counters.rules.push_back({.match = "copy/a/*", .metric = "registers"});
  counters.rules.push_back({.match = "copy/b/*", .metric = "gaps", .better = Better::kLower});
  Policy fastest;
  fastest.rules.push_back({.match = "*", .metric = "cpu_time", .statistic = Statistic::kFastest});
  const auto own = open();
  LineQuestion question;
  question.describe = [](const tracker::Run& run) { return run.software.driver.value_or(""); };
  question.counters = {"registers", "absent"};
  const auto in_words = [&question](const std::optional<LineSeries>& line) {
    if (!line) return std::vector<std::string>{"nothing"};
    auto words = series_in_words(line->series);
    for (const auto& [position, one] : line->commits)
      words.push_back(std::to_string(position) + one.id + one.author + one.date);
    for (const auto& origins : line->origins)
      for (std::size_t i = 0; i < origins.points.size(); ++i) {
        const auto& one = origins.points[i];
        words.push_back(std::to_string(one.repetitions) + " " + line->descriptions[one.description]);
        for (std::size_t k = 0; k < question.counters.size(); ++k)
          words.back() += " " + std::to_string(origins.counters[i * question.counters.size() + k]);
      }
    return words;
  };
  const auto swept = [](const std::string& name) { return name.starts_with("copy"); };
  const auto passing_over = {
      std::function<bool(const std::string& name)>{}, {swept}, {[](const auto&) { return true; }}};
  for (const auto& policy : {Policy{}, renaming, counters, fastest})
    for (const auto& globs : {std::vector<std::string>{}, {"gemm/*"}, {"nothing"}})
      for (const auto& passed_over : passing_over) {
        const auto documents = load(*repository, *store, kDevice, "HEAD", kWholeLine);
        question.globs = globs;
        question.base = documents[documents.size() / 2].commit.id;
        question.passed_over = passed_over;
        EXPECT_EQ(in_words(load_line(*repository, {*store, *own}, kDevice, "HEAD", question, policy)),
                  in_words(make_line(documents, kDevice, question, policy)));
      }
  EXPECT_EQ(load_series(*repository, {*store, *own}, kDevice, "HEAD", {}, renaming).size(), 3u);
  EXPECT_THAT(load_series(*repository, {*store, *own}, "another-device", "HEAD", {}, {}), IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(RunSourceTest, DevicesDoNotMeet) {
  std::vector<std::pair<store::Key, std::string>> documents;
  const std::vector<std::string> devices{kDevice, "nvidia-h200-140gib-600w", "nvidia-h200-140gib-500w"};
  for (int number = 0; number < 70; ++number) {
    const std::string head = commit("c");
    for (std::size_t i = 0; i < devices.size(); ++i) {
      auto run = run_of(head, 3 * number + static_cast<int>(i));
      run.device.power_limit_w = 700 - 100 * static_cast<double>(i);
      documents.emplace_back(store::Key{devices[i], head, run.id}, formats::write_run(run));
    }
    if (number % 10 != 9) continue;
    store->add(documents);  // some of each at a time
    documents.clear();
    const auto own = open();
    for (const auto& device : devices)
      EXPECT_EQ(words_of(load(*repository, {*store, *own}, device, "HEAD", kWholeLine)),
                words_of(load(*repository, *store, device, "HEAD", kWholeLine)));
  }
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(RunSourceTest, DirtyAndUnusableRunsAndThoseThatMeasuredNothing) {
  record_line(2);
  const std::string head = commit("c");
  auto dirty = run_of(head, 10);
  dirty.dirty = true;
  auto clean = run_of(head, 11);
  tracker::Run nothing = run_of(head, 12);
  nothing.benchmarks.clear();
  nothing.invocations.clear();
  nothing.same_program = SameProgramAs{std::string(40, 'd'), {"copy/a/8"}, 1.5};
  auto negative = run_of(head, 13);
  negative.benchmarks[0].flops_per_iteration = -1;
  record({dirty, clean, nothing, negative});
  const store::Key broken{kDevice, head, "20261120T999999Z-0000000a"};
  store->add({{broken, "{}"}});
  expect_same();
  EXPECT_THAT(left_out, ElementsAre(broken.id)) << "said once";
}

TEST_F(RunSourceTest, FollowsWhatIsRecordedAndDropped) {
  record_line(3);
  expect_same();
  const auto own = open();
  EXPECT_EQ(line_of({*store, *own}).size(), 3u);
  const auto added = run_of(commit("c"), 50);
  record({added});
  EXPECT_EQ(line_of({*store, *own}), line_of(*store)) << "the same object sees it";
  store->drop(key_of(added), R"({"schema": "tracker.tombstone/1", "reason": "x"})");
  EXPECT_EQ(line_of({*store, *own}), line_of(*store));
  EXPECT_EQ(line_of({*store, *own}).size(), 3u);
  git(root(), {"update-ref", "-d", "refs/tracker/v1"});
  EXPECT_THAT(line_of({*store, *own}), IsEmpty());
}

TEST_F(RunSourceTest, KeysAreKnownWithoutSummingUp) {
  record_line(3);
  const auto own = open();
  EXPECT_EQ(own->known_keys(), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(summaries())) << "no file is made for it";
  const auto paths = [](std::vector<store::Key> keys) {
    std::vector<std::string> sorted;
    for (const auto& key : keys) sorted.push_back(store::path_of(key));
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  EXPECT_EQ(paths(recorded_keys({*store, *own})), paths(store->keys()));
  line_of({*store, *own});
  const auto added = run_of(commit("c"), 50);
  const store::Key profile{kDevice, added.commit, "20261120T999999Z-0000000a", store::DocumentKind::kProfile};
  store->add({{key_of(added), formats::write_run(added)}, {profile, "{}"}});
  store->drop(store->keys().front(), "{}");
  const auto known = own->known_keys();
  ASSERT_TRUE(known);
  EXPECT_EQ(paths(*known), paths(store->keys()));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(RunSourceTest, AQuestionAboutFewRunsReadsFewDocuments) {
  record_line(70);
  const auto own = open();
  EXPECT_FALSE(own->compared(kDevice, {}, 5, "", {})) << "seventy are not summed up";
  EXPECT_EQ(recent_of({*store, *own}, 5), recent_of(*store, 5));
  line_of({*store, *own});
  EXPECT_EQ(recent_of({*store, *own}, 5), recent_of(*store, 5));
  EXPECT_TRUE(own->compared(kDevice, {}, 5, "", {}));
}

void flip(char& byte, unsigned long bit) {
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << bit);
}

TEST_F(RunSourceTest, FlippedBytesAreFoundAndSaid) {
  record_line(12);
  const auto truth = line_of(*store);
  const auto newest = recent_of(*store, 5);
  line_of({*store, *open()});
  const std::string sound = testing_support::read_file(file());
  std::mt19937 random(1);
  int said = 0;
  for (int i = 0; i < 150; ++i) {
    std::string damaged = sound;
    for (int flips = 0; flips < 3; ++flips) flip(damaged[random() % damaged.size()], random() % 8);
    testing_support::write_file(file(), damaged);
    notes.clear();
    const auto own = open();
    ASSERT_EQ(recent_of({*store, *own}, 5), newest) << i;
    ASSERT_EQ(line_of({*store, *own}), truth) << i;
    said += notes.empty() ? 0 : 1;
  }
  EXPECT_GT(said, 10);
  testing_support::write_file(file(), "this is no database, and it is long enough to be looked at as one");
  EXPECT_EQ(line_of({*store, *open()}), truth);
  testing_support::write_file(file(), "");
  EXPECT_EQ(line_of({*store, *open()}), truth);
}

TEST_F(RunSourceTest, DoesWithoutWhereItCannotBeWritten) {
  record_line(3);
  testing_support::write_file(summaries(), "a file in the folder's place");
  const auto own = open();
  EXPECT_EQ(line_of({*store, *own}), line_of(*store));
  EXPECT_EQ(recent_of({*store, *own}, 2), recent_of(*store, 2));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("cannot be used"));
}

// A document that cannot be had now is none that cannot be used.
TEST_F(RunSourceTest, SumsNothingUpWithoutADocumentThatCannotBeFetched) {
  constexpr int kRuns = 3;
  record_line(kRuns);
  testing_support::unpack_objects(root());
  const std::string blob =
      git(root(), {"rev-parse", "refs/tracker/v1:" + store::path_of(store->keys().front())});
  const auto object = root() / ".git" / "objects" / blob.substr(0, 2) / blob.substr(2);
  const auto away = folder.path() / "away";
  std::filesystem::rename(object, away);
  git(root(), {"config", "remote.origin.url", "nowhere"});
  git(root(), {"config", "remote.origin.promisor", "true"});
  const auto partial = repo::Repository::open(root());
  const auto incomplete = store::open_git(partial, "refs/tracker/v1");
  int documents = 0;
  summary::Hooks hooks;
  hooks.parse = parse_stored_run;
  hooks.read = [&](const store::Key& key) {
    ++documents;
    return read_stored_run(*incomplete, key);
  };
  hooks.note = [this](const std::string& text) { notes.push_back(text); };
  summary::RunSummaries own(*incomplete, summaries() / "one.sqlite", hooks);
  const auto everything = [](const std::string&) { return true; };
  EXPECT_THROW(own.runs_on(kDevice, everything, {}), store::Unreachable);
  std::filesystem::rename(away, object);
  const auto runs = own.runs_on(kDevice, everything, {});
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(runs->size(), static_cast<std::size_t>(kRuns));
  EXPECT_EQ(documents, 0) << "all are summed up";
  EXPECT_THAT(notes, IsEmpty());
}

// Very many broken documents may lie in a store: no command reads all of them again.
TEST_F(RunSourceTest, RefusedDocumentsAreReadOnce) {
  record_line(3);
  const std::string head = git(root(), {"rev-parse", "HEAD"});
  constexpr std::size_t kBroken = 300;
  std::vector<std::pair<store::Key, std::string>> broken;
  for (std::size_t i = 0; i < kBroken; ++i)
    broken.emplace_back(store::Key{kDevice, head, "20270101T000000Z-" + std::to_string(1000 + i)}, "x");
  broken.emplace_back(store::Key{kDevice, head, "20270101T000000Z-newer"},
                      R"({"schema": "tracker.run/99", "id": "20270101T000000Z-newer"})");
  store->add(broken);
  int parsed = 0;
  int read = 0;
  summary::Hooks hooks;
  std::mutex counting;
  hooks.parse = [&](const store::Key& key, std::string_view text) {
    const std::lock_guard lock(counting);
    ++parsed;
    return parse_stored_run(key, text);
  };
  hooks.why_refused = [](const store::Key& key, std::string_view text) {
    const auto unusable = why_unusable(key, text);
    return unusable && !unusable->is_newer ? unusable->why : std::string();
  };
  hooks.read = [&](const store::Key& key) {
    ++read;
    return read_stored_run(*store, key);
  };
  hooks.note = [this](const std::string& text) { notes.push_back(text); };
  const auto everything = [](const std::string&) { return true; };
  for (const bool is_first : {true, false}) {
    const auto again = store::open_git(*repository, "refs/tracker/v1");
    parsed = read = 0;
    summary::RunSummaries own(*again, summaries() / "one.sqlite", hooks);
    ASSERT_TRUE(own.runs_on(kDevice, everything, {}).has_value());
    EXPECT_EQ(parsed, is_first ? 3 + static_cast<int>(kBroken) + 1 : 0);
    EXPECT_EQ(read, 1) << "a newer tracker's may be read by the next tracker";
    EXPECT_EQ(again->left_out().size(), kBroken);
    EXPECT_THAT(again->left_out().front().why, HasSubstr("not valid JSON"));
  }
}

// Runs `work` in a process of its own; how that ended.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(RunSourceTest, GoesOnAfterItWasKilled) {
  constexpr int kRuns = 400;
  constexpr int kKilledAt = 300;
  record_line(kRuns);
  const auto counted = [&](std::atomic<int>& parsed, int kill_at) {
    summary::Hooks hooks;
    hooks.parse = [&parsed, kill_at](const store::Key& key, std::string_view text) {
      if (++parsed == kill_at) ::raise(SIGKILL);
      return parse_stored_run(key, text);
    };
    hooks.read = [this](const store::Key& key) { return read_stored_run(*store, key); };
    hooks.note = [this](const std::string& text) { notes.push_back(text); };
    return summary::RunSummaries(*store, summaries() / "one.sqlite", hooks);
  };
  const auto everything = [](const std::string&) { return true; };
  const int status = in_child([&] {
    std::atomic<int> parsed = 0;
    auto own = counted(parsed, kKilledAt);
    own.runs_on(kDevice, everything, {});
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  std::atomic<int> parsed = 0;
  auto own = counted(parsed, 0);
  const auto runs = own.runs_on(kDevice, everything, {});
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(runs->size(), static_cast<std::size_t>(kRuns));
  EXPECT_LT(parsed, kRuns) << "what was written before is not read again";
  EXPECT_GT(parsed, kRuns - kKilledAt);
  EXPECT_THAT(notes, IsEmpty());
}

// What came and went between two versions of the store is in neither list of changes.
TEST_F(RunSourceTest, WhatAKilledProcessAddedIsDropped) {
  record_line(3);
  summary::Hooks hooks;
  hooks.parse = parse_stored_run;
  hooks.note = [this](const std::string& text) { notes.push_back(text); };
  const auto path = summaries() / "one.sqlite";
  EXPECT_EQ(summary::RunSummaries(*store, path, hooks).keys()->size(), 3u);
  const std::string head = commit("c");
  constexpr int kRuns = 130;
  std::vector<tracker::Run> runs;
  for (int number = 10; number < 10 + kRuns; ++number) runs.push_back(run_of(head, number));
  record(runs);
  const int status = in_child([&] {
    hooks.progress = [](std::size_t, std::size_t) { ::raise(SIGKILL); };
    summary::RunSummaries(*store, path, hooks).keys();
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  store->drop(key_of(runs.front()), "{}");
  const auto keys = summary::RunSummaries(*store, path, hooks).keys();
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->size(), store->run_count());
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(RunSourceTest, SeveralProcessesAtOnce) {
  record_line(80);
  const auto truth = line_of(*store);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool is_right = false;
      {
        // A repository of its own, as another process has.
        const auto other = repo::Repository::open(root());
        const auto documents = store::open_git(other, "refs/tracker/v1");
        const auto own = open_summaries(*documents, summaries(), {}, [&](const std::string& note) {
          std::cerr << note + "\n";
          notes.push_back(note);
        });
        is_right = words_of(load(other, {*documents, *own}, kDevice, "HEAD", kWholeLine)) == truth &&
                   own->keys().has_value() && notes.empty();
      }
      ::_exit(is_right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  expect_same();
  EXPECT_THAT(notes, IsEmpty());
}

// SQLite waits for no other process while it makes a new file one with a log, and what is read by several
// statements of no transaction may be of several moments.
TEST_F(RunSourceTest, SeveralProcessesMakeAndFillTheSameFile) {
  constexpr int kProcesses = 4;
  constexpr int kRounds = 6;
  record_line(3);
  const auto path = summaries() / "one.sqlite";
  for (int round = 0; round < kRounds; ++round) {
    summary::remove_database(path);
    const int failed = count_failed_processes(kProcesses, [&] {
      bool is_right = true;
      const auto other = repo::Repository::open(root());
      const auto documents = store::open_git(other, "refs/tracker/v1");
      summary::Hooks hooks;
      hooks.parse = parse_stored_run;
      hooks.note = [&](const std::string& note) {
        std::cerr << note + "\n";
        is_right = false;
      };
      for (int times = 0; times < 5 && is_right; ++times) {
        documents->drop(documents->keys().at(0), "{}");
        documents->add(
            {{{kDevice, std::string(40, 'a'), std::to_string(::getpid()) + "-" + std::to_string(times)},
              "{}"}});
        const auto keys = summary::RunSummaries(*documents, path, hooks).keys();
        is_right = is_right && keys;
      }
      return is_right;
    });
    EXPECT_EQ(failed, 0) << "round " << round;
    summary::Hooks hooks;
    hooks.parse = parse_stored_run;
    EXPECT_EQ(summary::RunSummaries(*store, path, hooks).keys()->size(), store->run_count());
  }
}

}  // namespace
}  // namespace tracker::history
