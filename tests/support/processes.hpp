// Work that several processes do at the same moment.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace tracker {

// Forks so many processes, which begin when all of them are there. How many did not end with true.
inline int count_failed_processes(int processes, const std::function<bool()>& work) {
  std::array<int, 2> start{};
  if (::pipe(start.data()) != 0) return processes;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    ::close(start[1]);
    char byte = 0;
    const bool is_begun = ::read(start[0], &byte, 1) == 0;  // its end: all are there
    ::_exit(is_begun && work() ? 0 : 1);
  }
  for (const int end : start) ::close(end);
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    failed += child > 0 && ::waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
  }
  return failed;
}

}  // namespace tracker
