// Which rounds of a job do not count, and which are measured again. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tracker/measure/plan.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

// An invocation that was made.
struct Taken {
  Step step;
  Invocation* invocation = nullptr;
};

// Excludes what was disturbed among the invocations of one part, and with each the others of its round: pairs
// stay pairs. Those that are excluded already stay so.
void exclude_disturbed(const std::vector<Taken>& taken);

// The rounds of one part that have an invocation which counts.
int clean_rounds(const std::vector<Taken>& taken);

// How many rounds of a part to measure again, after `retaken` that were: so many as are missing, in all never
// more than `retakes_max`. Where not one was clean, a single one tells whether what disturbs them has passed:
// if it has not, that is the state of this machine, and no more are measured.
int rounds_to_retake(int asked, int clean, int retaken, int retakes_max);

// Where few rounds are clean (less than half of those asked for, or one of several), the disturbed ones of
// this part count again; the warm-up does not. Returns how many invocations that are.
int count_again_if_few(const std::vector<Taken>& taken, int asked);

// In words, and how many invocations are excluded for it.
std::map<std::string, int> excluded_for(const std::vector<Taken>& taken);

}  // namespace tracker
