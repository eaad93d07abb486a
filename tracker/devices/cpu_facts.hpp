// The CPU as a device: what /proc says of it. Also used by the benchmark binaries.
#pragma once

#include <istream>
#include <string>

#include "tracker/model/environment.hpp"

namespace tracker {

// The first model name in the text of /proc/cpuinfo; empty where it has none (as on Arm).
std::string cpu_model(std::istream& cpuinfo);

// Its model ("unknown CPU" where nothing says it), and the threads that this process may run on.
Device cpu_device();

}  // namespace tracker
