// Work on many things that do not depend on each other, by as many threads as there are cores. The threads
// are kept. Whoever waits for the others' part helps with whatever else is to be done: so hold no lock, and
// nothing in thread_local variables, while you call these.
#pragma once

#include <cstddef>
#include <functional>

namespace tracker {

// How many threads can run at once.
std::size_t cores();

// Calls `work(from, to)` for parts of [0, count) that do not overlap and are all of it; each part has `least`
// things or more, so that few things make no threads. Ends when all parts are done. What a part throws is
// thrown here, of several the first part's.
void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work);

// Calls `work(i)` for each i below `count`, by threads that take one after the other: for things that take
// longer than others. `threads_max` threads at most. All are done before what the first of them throws is
// thrown here.
void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t i)>& work,
                          std::size_t threads_max = 64);

}  // namespace tracker
