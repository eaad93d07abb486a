// Recordings: folders of jobs of Google Benchmark JSON, one file an invocation.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::quality {

// What one job measured of one code.
struct RecordedJob {
  std::string job;   // the folder's name
  std::string code;  // "inject0" of r01-inject0.json; empty for files of any other name
  Run run;           // without its invocations: the device, and the benchmarks
  // In the order they ran. A round is one invocation of every binary; rounds that lack one are left out.
  std::vector<std::vector<Invocation>> rounds;
  std::map<std::string, double> typical_ns;  // by benchmark: the median of its invocations' medians
};

struct Recording {
  std::string name;
  std::vector<RecordedJob> jobs;
};

// Reads every file of every folder directly below `directory` ("job1/r01-inject0.json"). A file that does
// not state its device is taken for one from a GPU, and the job for its board. kUsage, naming the place,
// where there is nothing of that form.
Recording read_recording(const std::filesystem::path& directory);

// Whether two jobs measured the same code: the same letters in the name, the same benchmarks, the same kind
// of device.
bool same_code(const RecordedJob& a, const RecordedJob& b);

// The medians of one benchmark's repetitions, round by round, in ns.
std::vector<double> medians_ns(const RecordedJob& job, const std::string& benchmark);

}  // namespace tracker::quality
