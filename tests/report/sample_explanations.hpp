// Explanations as the judge makes them of small runs, for every format's golden files.
#pragma once

#include "tracker/model/comparison.hpp"

namespace tracker::test {

// Measured side by side: held to 32 registers, a kernel spills; another one has a new block shape, and one
// has identical code and is as fast.
ExplanationReport code_explanation();

// In two jobs, with the same code, on another board and driver, at lower clocks.
ExplanationReport same_code_explanation();

// Of a stranger's benchmark, of which nothing is known but its times; and one that only the base has.
ExplanationReport bare_explanation();

// Names and values from somebody who means harm.
ExplanationReport hostile_explanation();

}  // namespace tracker::test
