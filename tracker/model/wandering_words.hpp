// What is said of changes that are no steps, the same in every output: levels that move by themselves, and
// changes below the threshold.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker {

inline constexpr const char* kWanderByThemselves = "wander by themselves, moved by no single commit";

// "wanders by up to 3.1 %: the level moves by itself, and no single commit made it"; empty where it does not.
std::string wandering_of(const Series& series);

// Of plain numbers: "wanders: the level moves by itself, and no single value made what looks like a change at
// 12, 40". Empty without such places.
std::string wandering_at(const std::vector<std::string>& places);

// Those that do, the largest first, at most so many by name: "2 benchmarks wander by themselves, moved by no
// single commit: gemm/a by up to 3.1 %, gemm/b by up to 2.0 %". Empty where none does.
std::string wandering_among(const std::vector<Series>& all, std::size_t named_max);

// "2 certain changes below 5 % are not shown: --threshold 2% shows them", of those from this day on
// ("2026-08-24"; empty: all). Empty where there are none.
std::string below_threshold_among(const std::vector<const Series*>& all, const std::string& since);
std::string below_threshold_among(const std::vector<Series>& all, const std::string& since);

}  // namespace tracker
