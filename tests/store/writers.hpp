// Several processes that write at once.
#pragma once

#include <cstdio>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker::testing_support {

// Runs `write` in as many processes, which must all get through.
inline void run_writers(int writers, const std::function<void(int writer)>& write) {
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto answer = error_of([&] { write(writer); });
      if (answer != "no error") std::fprintf(stderr, "writer %d: %s\n", writer, answer.c_str());
      ::_exit(answer == "no error" ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace tracker::testing_support
