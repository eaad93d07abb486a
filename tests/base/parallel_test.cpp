#include "tracker/base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracker {
namespace {

TEST(InParts, CoversAllOnce) {
  for (const std::size_t count : {0u, 1u, 7u, 1000u}) {
    std::vector<int> visits(count, 0);
    in_parts(count, 2, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) ++visits[i];
    });
    EXPECT_EQ(visits, std::vector<int>(count, 1));
  }
}

TEST(InParts, FewThingsAreOnePart) {
  int parts = 0;
  in_parts(99, 100, [&](std::size_t, std::size_t) { ++parts; });
  EXPECT_EQ(parts, 1);
}

TEST(InParts, ThrowsWhatTheFirstPartThrows) {
  const auto fail = [](std::size_t from, std::size_t) { throw std::runtime_error(std::to_string(from)); };
  try {
    in_parts(1000, 1, fail);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
}

TEST(InParts, PartsHavePartsAndManyCallAtOnce) {
  std::atomic<int> done = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int k = 0; k < 50; ++k)
        in_parts(8, 1, [&](std::size_t from, std::size_t to) {
          for_each_in_parallel(to - from, [&](std::size_t) {
            in_parts(100, 10,
                     [&](std::size_t first, std::size_t last) { done += static_cast<int>(last - first); });
          });
        });
    });
  callers.clear();
  EXPECT_EQ(done, 8 * 50 * 8 * 100);
}

TEST(InParts, GoesOnInAForkedProcess) {
  std::atomic<int> done = 0;
  const auto count = [&](std::size_t from, std::size_t to) { done += static_cast<int>(to - from); };
  in_parts(100, 1, count);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    in_parts(100, 1, count);
    ::_exit(done == 200 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ForEachInParallel, EachIsDoneOnce) {
  std::vector<std::atomic<int>> done(1000);
  for_each_in_parallel(done.size(), [&](std::size_t i) { ++done[i]; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
  for_each_in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(ForEachInParallel, TheFirstFailureIsThrownAndTheOthersEnd) {
  std::atomic<int> ended = 0;
  try {
    for_each_in_parallel(50, [&](std::size_t i) {
      ++ended;
      if (i == 7 || i == 30) throw std::runtime_error(std::to_string(i));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(ended, 50);
}

}  // namespace
}  // namespace tracker
