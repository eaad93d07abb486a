// A change in words.
#pragma once

#include <string>

#include "tracker/model/metric.hpp"

namespace tracker {

// "4.2 % slower", "9.2× slower", "1.1 % less bandwidth", "2.1× as high": the change, candidate / base − 1, in
// the words of its metric.
std::string change_in_words(const Metric& metric, double change);

}  // namespace tracker
