// Finds what the benchmarks of a program of strangers launch, and keeps it below the git folder.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "tracker/app/recording.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/measure/injected_calls.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/same_program.hpp"

namespace tracker::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtracker_injection.so";
constexpr const char* kKeptForm = "2";   // of what is kept: another form is looked at again
constexpr const char* kWhole = "whole";  // the attribute that has InjectedBenchmark::whole
constexpr double kPassMaxS = 120;        // of one program; what is left is looked at after the next job
constexpr std::uintmax_t kKeptBytesMax = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kScriptBytesMax = std::uintmax_t{16} << 20;

fs::path kept_folder(const Workspace& workspace) {
  return workspace.repository().common_dir() / "tracker" / "injection";
}

// Builds of long ago are hardly measured again.
void remove_old(const fs::path& folder) {
  constexpr auto kAgeMax = std::chrono::hours(24 * 90);
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const auto written = fs::last_write_time(entry.path(), failure);
    if (!failure && fs::file_time_type::clock::now() - written > kAgeMax) fs::remove(entry.path(), failure);
  }
}

// All scripts of this kind below the root, as a script may load any of them. False where they are too many.
bool add_scripts(const fs::path& root, const fs::path& script, machine_code::Digest& key) {
  constexpr std::size_t kScriptsMax = 2000;
  std::vector<fs::path> paths;
  std::error_code failure;
  for (fs::recursive_directory_iterator entry(root, failure), end; entry != end; entry.increment(failure)) {
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (is_hidden && entry->is_directory(failure)) entry.disable_recursion_pending();
    if (entry->path().extension() == script.extension() && entry->is_regular_file(failure))
      paths.push_back(entry->path());
    if (paths.size() > kScriptsMax) return false;
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    key.add_counted(path.lexically_relative(root).string());
    if (fs::file_size(path, failure) > 0) key.add_counted(read_file(path, kScriptBytesMax));
  }
  return true;
}

// Of the program with what it loads. Empty where that is not known, so that nothing is kept: "python3 -m
// bench".
std::string key_of_program(const measure::Target& target, const Binary& binary, const Device& device) {
  const measure::BuiltBinary built{target.root, binary};
  const auto architecture = measure::architecture_of(device.compute_capability.value_or(""));
  const fs::path path = measure::binary_path(target.root, binary).lexically_normal();
  bool is_own = path.string().starts_with((target.root / "").lexically_normal().string());
  machine_code::Digest key;
  try {
    const std::string program = measure::hash_of_program(built, architecture);
    const std::string libraries = measure::hash_of_libraries(built, architecture);
    key.add_counted(program.empty() ? read_file(path, kKeptBytesMax) : program);
    key.add_counted(libraries);
    key.add_counted(kKeptForm);
    key.add_counted(device_key(device));
    for (const auto& argument : binary.arguments) {
      key.add_counted(argument);
      const fs::path script = target.root / binary.directory / argument;
      if (std::error_code missing; !fs::is_regular_file(script, missing)) continue;
      is_own = true;
      key.add_counted(read_file(script, kScriptBytesMax));
      if (!script.extension().empty() && !add_scripts(target.root, script, key)) return {};
    }
  } catch (const Error&) {
    return {};
  }
  return is_own ? key.text() : "";
}

// What was found of one program before, kept as the benchmarks of a run document.
class KnownCode {
 public:
  KnownCode(const Workspace& workspace, const std::string& key) {
    if (key.empty()) return;
    path_ = kept_folder(workspace) / (key + ".json");
    std::error_code missing;
    if (!fs::exists(path_, missing)) return;
    try {
      for (auto& benchmark : formats::read_run(read_file(path_, kKeptBytesMax), path_.string()).benchmarks)
        known_[benchmark.name] = std::move(benchmark);
    } catch (const Error&) {  // it is looked at again
    }
  }

  const Benchmark* find(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? nullptr : &found->second;
  }

  void add(const std::string& name, const measure::InjectedBenchmark* found) {
    Benchmark& benchmark = known_[name];
    benchmark.name = name;
    if (found == nullptr) return;
    benchmark.code = found->code;
    benchmark.counters = found->counters;
    if (!found->whole.empty()) benchmark.attributes[kWhole] = found->whole;
    if (!found->cubin.empty() && !found->code.hash.empty()) cubins_[found->code.hash] = found->cubin;
  }

  void write(const Device& device) const {
    if (path_.empty()) return;
    Run run;
    run.id = path_.stem().string();
    run.device = device;
    for (const auto& [name, benchmark] : known_) run.benchmarks.push_back(benchmark);
    try {
      write_file(path_, formats::write_run(run));
      for (const auto& [hash, bytes] : cubins_) write_file(path_.parent_path() / (hash + ".cubin"), bytes);
      remove_old(path_.parent_path());
    } catch (const Error&) {  // a folder that cannot be written: the next job looks again
    }
  }

 private:
  fs::path path_;
  std::map<std::string, Benchmark> known_;
  std::map<std::string, std::string> cubins_;  // by the hash of the code in them
};

// Where the code is to decide that something is not measured, its time has to be the device's alone.
bool wants_code(const Benchmark& benchmark, InjectedFor purpose) {
  return !benchmark.code && !benchmark.error &&
         (purpose == InjectedFor::kReports || benchmark.time_base == TimeBase::kManual);
}

// The code with all that the benchmark does besides an iteration; none where that is not known.
std::optional<Code> whole_code(const Benchmark& known) {
  const auto whole = known.attributes.find(kWhole);
  if (whole == known.attributes.end() || !known.code || known.code->hash.empty()) return {};
  Code code = *known.code;
  code.hash += whole->second;
  return code;
}

void fill_in(const KnownCode& kept, const std::string& binary, InjectedFor purpose,
             std::vector<formats::BenchmarkFile>& files) {
  for (auto& file : files) {
    if (file.invocation.binary != binary) continue;
    for (auto& benchmark : file.benchmarks) {
      const Benchmark* known = wants_code(benchmark, purpose) ? kept.find(benchmark.name) : nullptr;
      if (known == nullptr || !known->code) continue;
      benchmark.code = purpose == InjectedFor::kReports ? known->code : whole_code(*known);
      const auto samples = file.invocation.samples.find(benchmark.name);
      if (samples == file.invocation.samples.end()) continue;
      for (const auto& [name, value] : known->counters)
        samples->second.counters.try_emplace(name, samples->second.real_time_ns.size(), value);
    }
  }
}

// A copy or a wait in the timed part is a frequent fault.
void note_other_calls(const Workspace& workspace,
                      const std::map<std::string, measure::InjectedBenchmark>& benchmarks) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> found;
  for (const auto& [name, benchmark] : benchmarks)
    if (judge::has_other_calls(benchmark.code.launches))
      found.push_back("  " + name + ": " + judge::calls_in_words(benchmark.code.launches));
  if (found.empty()) return;
  const std::size_t more = found.size() - std::min(found.size(), kShown);
  found.resize(found.size() - more);
  if (more > 0) found.push_back(" " + and_more(more));
  workspace.note("the timed part does more than launch, each iteration:", found);
}

// Starts the program for those that are not known yet, and says what that cost.
void look(const Workspace& workspace, const measure::Target& target, const Binary& binary,
          const Device& device, const std::vector<std::string>& names, KnownCode& kept) {
  const fs::path library = injected_library();
  if (library.empty()) {
    workspace.note("what " + in_quotes(binary.path) + " launches is not known: " + kLibrary +
                   " does not lie beside tracker; causes in its code are not named");
    return;
  }
  measure::InvocationSpec spec;
  spec.root = target.root;
  spec.binary = binary;
  spec.timeout_s = std::min(workspace.config().measure.timeout_s, kPassMaxS);
  spec.board = device;
  spec.flags = measure::list_benchmarks(spec).flags;
  const auto start = std::chrono::steady_clock::now();
  const auto pass = measure::pass_with_injection(spec, library, names, kPassMaxS, workspace.machine());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  for (const auto& name : pass.looked_at) {
    const auto found = pass.benchmarks.find(name);
    kept.add(name, found == pass.benchmarks.end() ? nullptr : &found->second);
  }
  if (pass.without_cuda == names.size() && binary.device != RunsOn::kGpu) return;  // nothing was to be seen
  std::string words = "looked at what " + count_of(names.size(), "benchmark") + " of " +
                      in_quotes(fs::path(binary.path).filename().string()) + " launch" +
                      (names.size() == 1 ? "es" : "") +
                      ", once for this build: " + format_duration(taken.count());
  if (pass.benchmarks.size() < names.size())
    words += "; of " + std::to_string(names.size() - pass.benchmarks.size()) + " it is not known" +
             (pass.failure.empty() ? "" : ": " + pass.failure);
  workspace.note(words);
  note_other_calls(workspace, pass.benchmarks);
}

}  // namespace

void add_injected_code(const Workspace& workspace, const measure::Target& target,
                       std::vector<formats::BenchmarkFile>& files, InjectedFor purpose) {
  if (!workspace.config().measure.injection || !workspace.has_repository()) return;
  for (const auto& binary : target.binaries) {
    const std::string label = label_of(binary);
    std::vector<std::string> names;
    std::set<std::string> seen;
    std::optional<Device> device;
    for (const auto& file : files) {
      if (file.invocation.binary != label || !file.device || file.device->kind != DeviceKind::kGpu) continue;
      if (!measure::architecture_of(file.device->compute_capability.value_or("")))
        continue;  // none of NVIDIA's
      device = file.device;
      for (const auto& benchmark : file.benchmarks)
        if (wants_code(benchmark, purpose) && seen.insert(benchmark.name).second)
          names.push_back(benchmark.name);
    }
    if (names.empty()) continue;
    KnownCode kept(workspace, key_of_program(target, binary, *device));
    std::vector<std::string> unknown;
    for (const auto& name : names)
      if (kept.find(name) == nullptr) unknown.push_back(name);
    if (!unknown.empty()) {
      look(workspace, target, binary, *device, unknown, kept);
      kept.write(*device);
    }
    fill_in(kept, label, purpose, files);
  }
}

std::optional<fs::path> kept_cubin(const Workspace& workspace, const std::string& hash) {
  if (hash.empty() || hash.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const auto path = kept_folder(workspace) / (hash + ".cubin");
  std::error_code missing;
  return fs::is_regular_file(path, missing) ? std::optional(path) : std::nullopt;
}

fs::path injected_library() {
  std::error_code failure;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
  for (const char* below : {".", "../lib/tracker", "../lib"})
    if (const auto path = folder / below / kLibrary; fs::exists(path, failure))
      return path.lexically_normal();
  return {};
}

}  // namespace tracker::app
