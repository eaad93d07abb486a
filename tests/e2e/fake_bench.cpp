// A stand-in for a Google Benchmark binary: reads speeds.txt in the current folder, and writes JSON of the
// same form. Lines:
//   NAME TIME_NS NOISE [BYTES]       a benchmark; NOISE below zero makes it fail
//   label NAME WORDS                 what the benchmark's rows are labelled with
//   calls NAME FILE                  where the injected library would see what it launches: lines of FILE,
//   and
//                                    the modules beside it
//   context KEY VALUE                a fact in the context of its file
//   anonymous                        states no device
//   here                             states no host
//   nolist                           knows no --benchmark_list_tests
//   nohelp                           knows no --help
//   old                              is of 1.5: knows no interleaving, and says so to whoever asks for it
//   crash [NAME] | hang | refuse | truncate    misbehaves (where NAME is among what it is to run)
//   on FROM TO COUNTER VALUE         in these starts every sample has this counter
//   on FROM TO slower FACTOR         in these starts every time is so many times longer
//   on FROM TO crash 1               in these starts it crashes
//   on FROM TO hang 1                in these starts it does not end
// Starts are counted (from 1, listing aside) where FAKE_BENCH_LOG names a file, which gets a line for each:
// `FOLDER FILTER`. With --speeds=FILE it reads that file; with --log-arguments the line has all arguments.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

// Where one board alone is to be seen, this is it.
std::string board() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible == nullptr ? "GPU-1" : visible;
}

struct Options {
  std::string out;
  int repetitions = 1;
  bool list = false;
  bool help = false;
  bool interleaving = false;
  std::string filter;
  std::string speeds = "speeds.txt";
  std::string all;  // arguments, where they are to be logged
};

struct Speed {
  std::string name;
  double time_ns = 0;
  double noise = 0;
  double bytes = 0;
};

struct Script {
  std::vector<Speed> speeds;  // that match the filter
  bool anonymous = false;
  bool here = false;
  bool lists = true;
  bool helps = true;
  bool old = false;
  std::vector<std::pair<std::string, std::string>> misdeeds;  // how, at which benchmark
  std::map<std::string, std::string> labels;                  // by benchmark
  std::map<std::string, std::string> calls;                   // by benchmark: the file of what it launches
  double slower = 1;
  std::map<std::string, double> counters;
  std::string context;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "--benchmark_out") options.out = value;
    if (name == "--benchmark_repetitions") options.repetitions = std::atoi(value.c_str());
    if (name == "--benchmark_list_tests") options.list = value == "true";
    if (name == "--benchmark_filter") options.filter = value;
    if (name == "--benchmark_enable_random_interleaving") options.interleaving = true;
    if (name == "--help") options.help = true;
    if (name == "--speeds") options.speeds = value;
    if (name == "--log-arguments") options.all = " ";
  }
  if (!options.all.empty())
    for (int i = 1; i < argc; ++i) options.all += std::string(" ") + argv[i];
  return options;
}

// The number of this start.
int count_start(const Options& options) {
  const char* path = std::getenv("FAKE_BENCH_LOG");
  if (path == nullptr || options.list || options.help) return 0;
  std::ofstream(path, std::ios::app) << std::filesystem::current_path().string() << " " << options.filter
                                     << options.all << "\n";
  std::ifstream log(path);
  int lines = 0;
  for (std::string line; std::getline(log, line);) ++lines;
  return lines;
}

void read_event(std::istringstream& words, int start, Script& script) {
  int from = 0;
  int to = 0;
  std::string what;
  double value = 0;
  words >> from >> to >> what >> value;
  if (start < from || start > to) return;
  if (what == "slower")
    script.slower = value;
  else if (what == "crash" || what == "hang")
    script.misdeeds.emplace_back(what, "");
  else
    script.counters[what] = value;
}

Script read_script(const Options& options, int start) {
  Script script;
  const std::regex wanted(options.filter, std::regex::extended);
  std::ifstream file(options.speeds);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Speed speed;
    words >> speed.name;
    if (speed.name == "on") {
      read_event(words, start, script);
    } else if (speed.name == "calls") {
      std::string name;
      words >> name >> script.calls[name];
    } else if (speed.name == "context") {
      std::string key;
      std::string value;
      words >> key >> value;
      script.context += "\"" + key + "\": \"" + value + "\", ";
    } else if (speed.name == "label") {
      std::string name;
      words >> name >> std::ws;
      std::getline(words, script.labels[name]);
    } else if (words >> speed.time_ns >> speed.noise) {
      words >> speed.bytes;
      if (std::regex_search(speed.name, wanted)) script.speeds.push_back(speed);
    } else {
      script.anonymous = script.anonymous || speed.name == "anonymous";
      script.here = script.here || speed.name == "here";
      script.lists = script.lists && speed.name != "nolist";
      script.helps = script.helps && speed.name != "nohelp";
      script.old = script.old || speed.name == "old";
      const std::size_t space = line.find(' ');
      script.misdeeds.emplace_back(speed.name, space == std::string::npos ? "" : line.substr(space + 1));
    }
  }
  return script;
}

bool runs(const Script& script, const std::string& name) {
  return name.empty() || std::any_of(script.speeds.begin(), script.speeds.end(),
                                     [&](const Speed& speed) { return speed.name == name; });
}

void misbehave(const std::string& how, const std::string& out) {
  if (how == "crash") {
    std::cerr << "about to read a null pointer\n" << std::flush;
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
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

std::string fields_of(const Speed& speed, double time_ns, const Script& script) {
  if (speed.noise < 0) return "\"error_occurred\": true, \"error_message\": \"out of memory\"";
  std::ostringstream fields;
  fields.precision(17);
  fields << "\"iterations\": 10, \"real_time\": " << time_ns << ", \"cpu_time\": " << time_ns
         << ", \"time_unit\": \"ns\"";
  if (speed.bytes > 0) fields << ", \"bytes_per_iteration\": " << speed.bytes;
  if (const auto label = script.labels.find(speed.name); label != script.labels.end())
    fields << ", \"label\": \"" << label->second << "\"";
  for (const auto& [name, value] : script.counters) fields << ", \"" << name << "\": " << value;
  return fields.str();
}

std::string rows_of(const Script& script, int repetitions) {
  std::mt19937 random(std::random_device{}());
  std::normal_distribution<double> normal;
  std::string rows;
  for (const Speed& speed : script.speeds) {
    const double invocation = 1 + speed.noise * normal(random);
    for (int r = 0; r < repetitions; ++r) {
      const double time_ns =
          speed.time_ns * script.slower * invocation * (1 + speed.noise / 4 * normal(random));
      rows += (rows.empty() ? "" : ",\n") + row(speed.name, r, fields_of(speed, time_ns, script));
    }
  }
  return rows;
}

// What the library writes where the driver loads it.
void write_calls(const Script& script) {
  const char* folder = std::getenv("TRACKER_INJECTION_OUT");
  if (folder == nullptr || std::getenv("CUDA_INJECTION64_PATH") == nullptr) return;
  const auto copy = [&](const std::filesystem::path& from, const std::string& name) {
    std::filesystem::copy_file(from, std::filesystem::path(folder) / name,
                               std::filesystem::copy_options::overwrite_existing);
  };
  for (const Speed& speed : script.speeds)
    if (const auto file = script.calls.find(speed.name); file != script.calls.end())
      copy(file->second, "1.ndjson");
  for (const auto& entry : std::filesystem::directory_iterator("."))
    if (entry.path().extension() == ".cubin") copy(entry.path(), entry.path().filename().string());
}

int print_help(const Script& script) {
  if (!script.helps) return 1;
  std::cout << "benchmark [--benchmark_list_tests={true|false}]\n          [--benchmark_filter=<regex>]\n";
  if (script.old)
    std::cout << "          [--benchmark_min_time=<min_time>]\n";
  else
    std::cout << "          [--benchmark_min_time=`<integer>x` OR `<float>s` ]\n"
                 "          [--benchmark_min_warmup_time=<min_warmup_time>]\n"
                 "          [--benchmark_enable_random_interleaving={true|false}]\n"
                 "          [--benchmark_context=<key>=<value>,...]\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  const Script script = read_script(options, count_start(options));
  if (options.help) return print_help(script);
  if (script.old && options.interleaving) {
    std::cerr << "error: unrecognized command-line flag: --benchmark_enable_random_interleaving=true\n";
    return 1;
  }
  if (options.list && !script.lists) return 1;
  if (options.list)
    for (const Speed& speed : script.speeds) std::cout << speed.name << "\n";
  else
    for (const auto& [how, name] : script.misdeeds)
      if (runs(script, name)) misbehave(how, options.out);
  if (script.speeds.empty()) {
    std::cerr << "Failed to match any benchmarks against regex: " << options.filter << "\n";
    return 0;
  }
  if (options.list) return 0;
  const std::string device =
      script.anonymous
          ? ""
          : "\"device.kind\": \"gpu\", \"device.model\": \"Test GPU\", \"device.uuid\": \"" + board() +
                "\", " + (script.calls.empty() ? "" : "\"device.compute_capability\": \"9.0\", ");
  write_calls(script);
  const std::string host = script.here ? "" : "\"host_name\": \"test\", ";
  std::ofstream(options.out) << "{\"context\": {" << device << host << script.context
                             << "\"date\": \"2026-01-01T00:00:00+00:00\", \"executable\": \"" << argv[0]
                             << "\"}, \"benchmarks\": [" << rows_of(script, options.repetitions) << "]}\n";
  return 0;
}
