#include "tracker/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace tracker {

void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work) {
  constexpr std::size_t kThreadsMax = 8;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t parts =
      std::clamp<std::size_t>(count / std::max<std::size_t>(least, 1), 1, std::min(cores, kThreadsMax));
  std::vector<std::exception_ptr> failures(parts);
  const auto do_part = [&](std::size_t part) {
    try {
      work(count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t part = 1; part < parts; ++part) helpers.emplace_back(do_part, part);
    do_part(0);
  }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                          std::size_t threads_max) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const std::size_t threads = std::min(
      {count, static_cast<std::size_t>(std::max(1U, std::thread::hardware_concurrency())), threads_max});
  std::vector<std::jthread> helpers;
  while (helpers.size() + 1 < threads) helpers.emplace_back(take_turns);
  take_turns();
  helpers.clear();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tracker
