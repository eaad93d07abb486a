// A stand-in for a Google Benchmark binary: reads speeds.txt in the current folder, and writes JSON of the
// same form. Lines: `NAME TIME_NS NOISE [BYTES]`, or one word that says how to misbehave.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <thread>

namespace {

std::string option(int argc, char** argv, const std::string& name) {
  for (int i = 1; i < argc; ++i)
    if (const std::string word = argv[i]; word.rfind(name + "=", 0) == 0) return word.substr(name.size() + 1);
  return "";
}

void misbehave(const std::string& how, const std::string& out) {
  if (how == "crash") {
    std::cerr << "about to read a null pointer\n" << std::flush;
    std::raise(SIGSEGV);
  }
  if (how == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
  if (how == "refuse") {
    std::cerr << "no CUDA device: the driver is too old\n";
    std::exit(3);
  }
  if (how == "truncate") {
    std::ofstream(out) << "{\"context\": {}, \"benchmarks\": [{\"name\": \"x";
    std::exit(0);
  }
}

std::string row(const std::string& name, int repetition, const std::string& fields) {
  return "{\"name\": \"" + name + "\", \"run_name\": \"" + name +
         "\", \"run_type\": \"iteration\", \"repetition_index\": " + std::to_string(repetition) +
         ", \"threads\": 1, " + fields + "}";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string out = option(argc, argv, "--benchmark_out");
  const int repetitions = std::atoi(option(argc, argv, "--benchmark_repetitions").c_str());
  std::mt19937 random(std::random_device{}());
  std::normal_distribution<double> normal;
  std::ostringstream rows;
  std::ifstream speeds("speeds.txt");
  std::string context =
      "\"device.kind\": \"gpu\", \"device.model\": \"Test GPU\", \"device.uuid\": \"GPU-1\", ";
  for (std::string line; std::getline(speeds, line);) {
    std::istringstream words(line);
    std::string name;
    double time_ns = 0;
    double noise = 0;
    double bytes = 0;
    words >> name;
    if (!(words >> time_ns >> noise)) {
      if (name == "anonymous") context.clear();
      misbehave(name, out);
      continue;
    }
    words >> bytes;
    const double invocation = 1 + noise * normal(random);
    for (int r = 0; r < repetitions; ++r) {
      const double time = time_ns * invocation * (1 + noise / 4 * normal(random));
      std::ostringstream fields;
      fields.precision(17);
      if (noise < 0) {
        fields << "\"error_occurred\": true, \"error_message\": \"out of memory\"";
      } else {
        fields << "\"iterations\": 10, \"real_time\": " << time << ", \"cpu_time\": " << time
               << ", \"time_unit\": \"ns\"";
        if (bytes > 0) fields << ", \"bytes_per_iteration\": " << bytes;
      }
      rows << (rows.tellp() > 0 ? ",\n" : "") << row(name, r, fields.str());
    }
  }
  std::ofstream(out) << "{\"context\": {" << context
                     << "\"date\": \"2026-01-01T00:00:00+00:00\", \"host_name\": \"test\", \"executable\": \""
                     << argv[0] << "\"}, \"benchmarks\": [" << rows.str() << "]}\n";
  return 0;
}
