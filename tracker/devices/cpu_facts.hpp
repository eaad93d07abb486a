// The CPU as a device: what /proc says of it. Also used by the benchmark binaries.
#pragma once

#include <istream>
#include <string>

#include "tracker/model/run.hpp"

namespace tracker::devices {

// What the text of /proc/cpuinfo calls the CPU: its first model name, or on Arm its kinds of cores ("Arm
// Neoverse V2"), by their numbers where they are not known here. Empty where it says neither.
std::string cpu_model(std::istream& cpuinfo);

// Its model ("unknown CPU" where nothing says it), and the threads that this process may run on.
Device cpu_device();

}  // namespace tracker::devices
