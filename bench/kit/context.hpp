// The environment block of a benchmark's JSON: everything tracker needs to know about device and software,
// under the names of tracker/protocol/context_keys.hpp. What is not known is left out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::kit {

// Names (context_keys.hpp) and their values as text.
using Context = std::vector<std::pair<std::string, std::string>>;

// The facts of the device and the software that are known. A unit stands at the end of its name.
Context context_of(const tracker::Device& device, const tracker::Software& software);
// Adds them to the JSON's `context`. Call it before Google Benchmark writes the head of the file.
void add_to_context(const Context& context);

// Compiler, flags and build type of this binary; nvcc's beside the host compiler's where it has GPU code.
tracker::Software built_software(bool with_cuda);

}  // namespace tracker::kit
