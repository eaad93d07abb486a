// The library that the driver loads into a CUDA program (CUDA_INJECTION64_PATH) and NVTX does as well
// (NVTX_INJECTION64_PATH): writes what the program launches, copies and waits for as JSON lines into the
// folder that TRACKER_INJECTION_OUT names, with the cubin of each kernel beside them. docs/reasons.md has the
// format. It is loaded into programs of strangers: it throws nothing, prints nothing, and leaves no symbol
// but two.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "tracker/injection/cuda_declarations.hpp"
#include "tracker/injection/lines.hpp"
#include "tracker/machine_code/digest.hpp"

namespace tracker::injection {
namespace {

constexpr std::size_t kOpsMax = 4'000'000;  // of all ranges; beyond, they are counted alone
constexpr std::size_t kWindowsMax = 64;     // of a range, the most frequent

// What happened within one stack of ranges.
struct Range {
  std::string path;                                // names of the ranges, the outermost first, each on a line
  std::vector<Op> ops;                             // in their order
  std::map<std::vector<Op>, std::size_t> windows;  // between two events whose distance was asked for
};

std::string digest_of(std::string_view bytes) {
  machine_code::Digest digest;
  digest.add(bytes);
  return digest.text();
}

struct Moment {
  Range* range = nullptr;
  std::size_t at = 0;
};

struct Module {
  std::uint32_t id = 0;
  std::string cubin;
};

thread_local bool inside = false;                  // a call of the driver that this library makes
thread_local const Module* last_module = nullptr;  // loaded on this thread since the last cuModuleLoad…
// Never destroyed: programs launch while they end, too.
thread_local auto* const kPushedRanges = new std::vector<std::string>;

class Recorder {
 public:
  static Recorder& only() {
    static auto* recorder = new Recorder;  // outlives everything that may still call back
    return *recorder;
  }

  void fail(const std::string& why) { failure_ = why; }
  void set_cupti_version(std::uint32_t version) { cupti_version_ = version; }

  void on_call(const Watched& watched, const ApiCall& call);
  void on_module(const ModuleEvent& event);
  void on_unload() { unloaded_ = true; }
  std::uint64_t start_range(std::string name) {
    const std::lock_guard lock(mutex_);
    started_[++last_started_] = std::move(name);
    return last_started_;
  }
  void end_range(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    started_.erase(id);
  }
  void write();

 private:
  Range& range();
  Op op_of(const std::string& fields);
  void happen(Op op, std::size_t times = 1);
  std::size_t kernel_of(void* handle, const char* symbol);
  // `launch` says its grid, its block and its bytes of shared memory: LaunchArguments, …
  template <class Launch>
  Op launch_of(std::size_t kernel, const Launch& launch, const std::string& cluster);
  template <class Launch>
  void add_launch(void* function, const char* symbol, const Launch& launch, const std::string& cluster);
  void add_window(const void* begin, const void* end);
  void add_graph(void* executable, void* graph);
  void on_begin(const Watched& watched, const ApiCall& call);
  void on_end(const Watched& watched, const ApiCall& call);
  const Module* module_of(void* handle, const std::string& name) const;
  bool is_captured(void* stream) const;

  // Modules are loaded while the driver holds its own lock, and this library asks the driver while it holds
  // `mutex_`: what a module's event needs has a lock of its own, which is never held while asking.
  mutable std::mutex modules_mutex_;
  std::vector<const Module*> modules_;  // in the order they were loaded
  std::atomic<bool> unloaded_ = false;  // handles of functions may be used again

  std::mutex mutex_;
  Driver driver_;
  std::uint32_t cupti_version_ = 0;
  std::string failure_;
  std::unordered_map<const void*, const Module*> loaded_;    // CUmodule →
  std::unordered_map<const void*, const Module*> found_in_;  // CUfunction →
  std::unordered_map<const void*, std::size_t> functions_;   // CUfunction → kernel
  std::map<std::string, std::size_t> kernels_;               // its fields → its number
  std::vector<void*> handles_;                               // of the kernels, by their number
  std::map<std::string, Op> numbers_;                        // an op's fields → its number
  std::map<std::string, Op> launches_;         // likewise, of launches without what the driver says
  std::vector<std::size_t> counts_;            // by an op's number
  std::map<const Module*, std::string> used_;  // modules with a kernel that ran, and their digests
  std::map<std::string, Range> ranges_;
  std::size_t kept_ = 0;  // ops of all ranges
  std::unordered_map<const void*, Moment> events_;
  std::unordered_map<const void*, std::vector<Op>> graphs_;
  std::map<std::uint64_t, std::string> started_;
  std::uint64_t last_started_ = 0;
};

Range& Recorder::range() {
  std::string path;
  for (const auto& [id, name] : started_)
    if (!name.empty()) path += name + "\n";
  for (const auto& name : *kPushedRanges)
    if (!name.empty()) path += name + "\n";
  const auto [found, is_new] = ranges_.try_emplace(path);
  if (is_new) found->second.path = path;
  return found->second;
}

Op Recorder::op_of(const std::string& fields) {
  const auto [found, is_new] = numbers_.try_emplace(fields, static_cast<Op>(numbers_.size()));
  if (is_new) counts_.push_back(0);
  return found->second;
}

void Recorder::happen(Op op, std::size_t times) {
  counts_[op] += times;
  if (kept_ >= kOpsMax) return;
  kept_ += times;
  auto& ops = range().ops;
  ops.insert(ops.end(), times, op);
}

// The module that a function was asked of, or the newest one that has a kernel of this name.
const Module* Recorder::module_of(void* handle, const std::string& name) const {
  if (const auto found = found_in_.find(handle); found != found_in_.end()) return found->second;
  const std::string section = ".text." + name + '\0';
  const std::lock_guard lock(modules_mutex_);
  for (auto module = modules_.rbegin(); module != modules_.rend(); ++module)
    if ((*module)->cubin.find(section) != std::string::npos) return *module;
  return nullptr;
}

std::size_t Recorder::kernel_of(void* handle, const char* symbol) {
  if (unloaded_.exchange(false)) functions_.clear();
  if (const auto known = functions_.find(handle); known != functions_.end()) return known->second;
  void* function = handle;
  int registers = 0;
  const auto attribute = [&](int which) {
    int value = 0;
    return driver_.attribute != nullptr && driver_.attribute(&value, which, function) == 0 ? value : 0;
  };
  if (driver_.attribute != nullptr && driver_.attribute(&registers, kRegisters, function) != 0 &&
      driver_.function_of_kernel != nullptr && driver_.function_of_kernel(&function, handle) != 0)
    function = handle;
  const char* own_name = nullptr;
  if (driver_.name == nullptr || driver_.name(&own_name, function) != 0) own_name = nullptr;
  const std::string name = own_name != nullptr ? own_name : symbol != nullptr ? symbol : "";
  const Module* module = module_of(handle, name);
  if (module == nullptr) module = module_of(function, name);
  if (module != nullptr && used_.count(module) == 0) used_[module] = digest_of(module->cubin);
  std::string fields = "\"name\":" + quoted(name);
  if (module != nullptr) fields += ",\"cubin\":\"" + used_[module] + "\"";
  fields += ",\"architecture\":" + std::to_string(attribute(kBinaryVersion)) +
            ",\"registers\":" + std::to_string(attribute(kRegisters)) +
            ",\"shared_static_bytes\":" + std::to_string(attribute(kStaticSharedBytes)) +
            ",\"local_bytes\":" + std::to_string(attribute(kLocalBytes));
  const auto [found, is_new] = kernels_.try_emplace(fields, kernels_.size());
  if (is_new) handles_.push_back(function);
  return functions_[handle] = found->second;
}

template <class Launch>
Op Recorder::launch_of(std::size_t kernel, const Launch& launch, const std::string& cluster) {
  const unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  std::string fields = "\"launch\":" + std::to_string(kernel) + ",\"grid\":\"" + shape(launch.grid) +
                       "\",\"block\":\"" + shape(launch.block) + "\"";
  if (!cluster.empty()) fields += ",\"cluster\":\"" + cluster + "\"";
  fields += ",\"shared_bytes\":" + std::to_string(launch.shared_bytes) +
            ",\"threads_per_block\":" + std::to_string(threads);
  if (const auto known = launches_.find(fields); known != launches_.end()) return known->second;
  int blocks = 0;
  if (driver_.blocks_per_sm != nullptr &&
      driver_.blocks_per_sm(&blocks, handles_[kernel], static_cast<int>(threads), launch.shared_bytes) != 0)
    blocks = 0;
  return launches_[fields] = op_of(fields + ",\"blocks_per_sm\":" + std::to_string(blocks));
}

bool Recorder::is_captured(void* stream) const {
  int status = 0;
  return driver_.capturing != nullptr && driver_.capturing(stream, &status) == 0 && status != 0;
}

void Recorder::add_graph(void* executable, void* graph) {
  std::vector<Op> ops;
  std::size_t count = 0;
  if (driver_.nodes == nullptr || driver_.node_type == nullptr || driver_.kernel_node == nullptr ||
      driver_.nodes(graph, nullptr, &count) != 0)
    return;
  std::vector<void*> nodes(count);
  if (count > 0 && driver_.nodes(graph, nodes.data(), &count) != 0) return;
  for (void* node : nodes) {
    int type = -1;
    if (driver_.node_type(node, &type) != 0) continue;
    KernelNode kernel{};
    if (type == kCopyNodeType) {
      ops.push_back(op_of("\"what\":\"copy\",\"bytes\":0"));
    } else if (type == kMemsetNodeType) {
      ops.push_back(op_of("\"what\":\"memset\",\"bytes\":0"));
    } else if (type == kKernelNodeType && driver_.kernel_node(node, &kernel) == 0) {
      void* handle = kernel.function != nullptr ? kernel.function : kernel.kernel;
      ops.push_back(launch_of(kernel_of(handle, nullptr), kernel, ""));
    }
  }
  graphs_[executable] = std::move(ops);
}

template <class Value>
Value argument(const ApiCall& call, std::size_t offset) {
  Value value;
  std::memcpy(&value, static_cast<const char*>(call.arguments) + offset, sizeof value);
  return value;
}

template <class Launch>
void Recorder::add_launch(void* function, const char* symbol, const Launch& launch,
                          const std::string& cluster) {
  if (!is_captured(launch.stream)) happen(launch_of(kernel_of(function, symbol), launch, cluster));
}

void Recorder::add_window(const void* begin, const void* end) {
  if (kept_ >= kOpsMax) return;
  const Moment from = events_[begin];
  const Moment to = events_[end];
  if (from.range == nullptr || from.range != to.range || from.at > to.at) return;
  const auto first = from.range->ops.begin();
  ++from.range->windows[std::vector<Op>(first + static_cast<std::ptrdiff_t>(from.at),
                                        first + static_cast<std::ptrdiff_t>(to.at))];
}

// When a call begins: what it enqueues or waits for.
void Recorder::on_begin(const Watched& watched, const ApiCall& call) {
  switch (watched.kind) {
    case Kind::kLaunch: {
      const auto launch = argument<LaunchArguments>(call, 0);
      return add_launch(launch.function, call.symbol, launch, "");
    }
    case Kind::kLaunchEx: {
      const auto launch = argument<LaunchExArguments>(call, 0);
      std::string cluster;
      for (unsigned i = 0; i < launch.config->attribute_count; ++i)
        if (const LaunchAttribute& one = launch.config->attributes[i]; one.id == kClusterDimension)
          cluster = shape({one.value[0], one.value[1], one.value[2]});
      return add_launch(launch.function, call.symbol, *launch.config, cluster);
    }
    case Kind::kGraphLaunch:
      if (const auto graph = graphs_.find(argument<void*>(call, 0)); graph != graphs_.end())
        for (const Op op : graph->second) happen(op);
      return;
    case Kind::kMoved: {
      const std::size_t bytes =
          watched.bytes_at > 0 ? argument<std::size_t>(call, watched.bytes_at) * watched.element_bytes : 0;
      return happen(
          op_of("\"what\":\"" + std::string(watched.what) + "\",\"bytes\":" + std::to_string(bytes)));
    }
    case Kind::kPlain:
      return happen(op_of("\"what\":\"" + std::string(watched.what) + "\""));
    case Kind::kEventRecord: {
      Range& now = range();
      events_[argument<void*>(call, 0)] = {&now, now.ops.size()};
      return;
    }
    case Kind::kElapsed:
      return add_window(argument<void*>(call, 8), argument<void*>(call, 16));
    case Kind::kModuleLoaded:
      last_module = nullptr;
      return;
    case Kind::kGraphMade:
    case Kind::kFunctionFound:
      return;
  }
}

// When it ends: what it gave.
void Recorder::on_end(const Watched& watched, const ApiCall& call) {
  if (watched.kind == Kind::kGraphMade) {
    add_graph(*argument<void**>(call, 0), argument<void*>(call, 8));
  } else if (watched.kind == Kind::kModuleLoaded && last_module != nullptr) {
    loaded_[*argument<void**>(call, 0)] = last_module;
  } else if (watched.kind == Kind::kFunctionFound) {
    if (const auto module = loaded_.find(argument<void*>(call, 8)); module != loaded_.end())
      found_in_[*argument<void**>(call, 0)] = module->second;
  }
}

void Recorder::on_call(const Watched& watched, const ApiCall& call) {
  const std::lock_guard lock(mutex_);
  if (call.site == kSiteEnter)
    on_begin(watched, call);
  else
    on_end(watched, call);
}

void Recorder::on_module(const ModuleEvent& event) {
  if (event.cubin == nullptr) return;
  const std::lock_guard lock(modules_mutex_);
  auto* module = new Module{event.module, std::string(event.cubin, event.cubin_bytes)};
  modules_.push_back(module);
  last_module = module;
}

void write_range(std::ofstream& out, const Range& range) {
  std::vector<std::pair<std::size_t, const std::vector<Op>*>> windows;
  for (const auto& [ops, count] : range.windows) windows.emplace_back(count, &ops);
  std::sort(windows.rbegin(), windows.rend());
  if (windows.size() > kWindowsMax) windows.resize(kWindowsMax);
  out << "{\"range\":" << quoted(range.path) << ",\"windows\":[";
  for (std::size_t i = 0; i < windows.size(); ++i)
    out << (i > 0 ? "," : "") << "{\"ops\":" << folded(*windows[i].second)
        << ",\"count\":" << windows[i].first << "}";
  out << "],\"ops\":" << folded(range.ops) << "}\n";
}

void Recorder::write() {
  const std::lock_guard lock(mutex_);
  const char* folder = std::getenv("TRACKER_INJECTION_OUT");
  if (folder == nullptr) return;
  const std::string place = std::string(folder) + "/";
  std::ofstream out(place + std::to_string(getpid()) + ".ndjson");
  int driver = 0;
  if (driver_.version != nullptr) driver_.version(&driver);
  out << "{\"schema\":\"tracker.injection/1\",\"cupti\":" << cupti_version_ << ",\"driver\":" << driver
      << ",\"is_whole\":" << (kept_ < kOpsMax ? "true" : "false")
      << (failure_.empty() ? "" : ",\"failure\":" + quoted(failure_)) << "}\n";
  std::vector<std::string> lines(kernels_.size());
  for (const auto& [fields, number] : kernels_)
    lines[number] = "{\"kernel\":" + std::to_string(number) + "," + fields + "}\n";
  for (const auto& line : lines) out << line;
  lines.assign(numbers_.size(), "");
  for (const auto& [fields, number] : numbers_)
    lines[number] = "{\"op\":" + std::to_string(number) + "," + fields +
                    ",\"count\":" + std::to_string(counts_[number]) + "}\n";
  for (const auto& line : lines) out << line;
  for (const auto& [path, range] : ranges_) write_range(out, range);
  for (const auto& [module, digest] : used_)
    std::ofstream(place + digest + ".cubin", std::ios::binary) << module->cubin;
}

void on_callback(void*, int domain, std::uint32_t id, const void* data) {
  static const auto* const by_id = [] {
    auto* rows = new std::unordered_map<std::uint32_t, const Watched*>;
    for (const auto& watched : kWatched)
      for (const std::uint32_t number : watched.ids)
        if (number != 0) (*rows)[number] = &watched;
    return rows;
  }();
  const bool is_own = inside;
  inside = true;
  try {
    if (domain == kDomainDriver && !is_own) {
      if (const auto found = by_id->find(id); found != by_id->end())
        Recorder::only().on_call(*found->second, *static_cast<const ApiCall*>(data));
    } else if (domain == kDomainResource && id == kModuleLoadedEvent) {
      Recorder::only().on_module(
          *static_cast<const ModuleEvent*>(static_cast<const ResourceEvent*>(data)->descriptor));
    } else if (domain == kDomainResource && id == kModuleUnloadEvent) {
      Recorder::only().on_unload();
    }
  } catch (...) {  // out of memory: the program goes on
  }
  inside = is_own;
}

// Beside which libraries of this process a CUPTI may lie: PyTorch brings its own.
int add_folder(dl_phdr_info* info, std::size_t, void* folders) {
  const std::string path = info->dlpi_name;
  for (const char* part : {"libcudart", "libcublas", "libcuda_runtime"})
    if (const auto name = path.rfind('/');
        name != std::string::npos && path.find(part, name) != std::string::npos) {
      const std::string folder = path.substr(0, name);
      for (const char* below :
           {"", "/../extras/CUPTI/lib64", "/../../cuda_cupti/lib", "/../../extras/CUPTI/lib64"})
        static_cast<std::vector<std::string>*>(folders)->push_back(folder + below + "/");
    }
  return 0;
}

void* load_cupti() {
  if (const char* named = std::getenv("TRACKER_CUPTI"); named != nullptr && *named != '\0')
    return dlopen(named, RTLD_NOW | RTLD_LOCAL);
  std::vector<std::string> folders{""};
  dl_iterate_phdr(add_folder, &folders);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable); home != nullptr)
      for (const char* below : {"/lib64/", "/extras/CUPTI/lib64/"})
        folders.push_back(std::string(home) + below);
  for (const char* folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"})
    folders.emplace_back(folder);
  for (const auto& folder : folders)
    for (const char* name : {"libcupti.so.14", "libcupti.so.13", "libcupti.so.12", "libcupti.so"})
      if (void* library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr)
        return library;
  return nullptr;
}

// Empty where it listens.
std::string listen() {
  void* cupti = load_cupti();
  if (cupti == nullptr)
    return "no libcupti.so was found: it is part of the CUDA toolkit (TRACKER_CUPTI names another)";
  int (*const subscribe)(void**, Callback, void*) = Symbol{cupti, "cuptiSubscribe"};
  int (*const enable)(std::uint32_t, void*, int, std::uint32_t) = Symbol{cupti, "cuptiEnableCallback"};
  int (*const version)(std::uint32_t*) = Symbol{cupti, "cuptiGetVersion"};
  if (subscribe == nullptr || enable == nullptr) return "libcupti.so has no callbacks";
  std::uint32_t number = 0;
  if (version != nullptr) version(&number);
  Recorder::only().set_cupti_version(number);
  void* subscriber = nullptr;
  if (const int code = subscribe(&subscriber, on_callback, nullptr); code != 0)
    return "CUPTI refused with code " + std::to_string(code) +
           (code == 39 ? ": another tool listens already" : "");
  for (const auto& watched : kWatched)
    for (const std::uint32_t id : watched.ids)
      if (id != 0) enable(1, subscriber, kDomainDriver, id);  // older ones lack some
  enable(1, subscriber, kDomainResource, kModuleLoadedEvent);
  enable(1, subscriber, kDomainResource, kModuleUnloadEvent);
  return "";
}

// Libraries open ranges of their own for whatever they do: only those that are named after a benchmark
// matter, TRACKER_INJECTION_RANGES, with or without more behind a slash.
bool is_wanted(const std::string& name) {
  static const auto* const wanted = [] {
    auto* names = new std::vector<std::string>;
    const char* list = std::getenv("TRACKER_INJECTION_RANGES");
    for (std::istringstream lines(list == nullptr ? "" : list); !lines.eof();)
      if (std::string line; std::getline(lines, line) && !line.empty()) names->push_back(line);
    return names;
  }();
  return std::any_of(wanted->begin(), wanted->end(), [&](const std::string& one) {
    return name.compare(0, one.size(), one) == 0 && (name.size() == one.size() || name[one.size()] == '/');
  });
}

// NVTX: ranges of a thread are pushed and popped, others are started and ended. Of the message of a range,
// ASCII.
std::string name_of(const RangeAttributes* attributes) {
  if (attributes == nullptr || attributes->message == nullptr) return "";
  const bool is_text =
      attributes->message_type == kAsciiMessage || attributes->message_type == kRegisteredMessage;
  return is_text ? static_cast<const char*>(attributes->message) : "";
}

std::string name_of(const char* text) {
  return text == nullptr ? "" : text;
}

int push(std::string name) {
  kPushedRanges->push_back(is_wanted(name) ? std::move(name) : "");
  return static_cast<int>(kPushedRanges->size()) - 1;
}
int pop() {
  if (!kPushedRanges->empty()) kPushedRanges->pop_back();
  return static_cast<int>(kPushedRanges->size());
}
std::uint64_t start(const std::string& name) {
  return Recorder::only().start_range(is_wanted(name) ? name : "");
}
void end(std::uint64_t id) {
  Recorder::only().end_range(id);
}

template <class Function>
void set(void (***table)(), unsigned size, unsigned at, Function* function) {
  if (at < size && table[at] != nullptr) *table[at] = reinterpret_cast<void (*)()>(function);
}

}  // namespace
}  // namespace tracker::injection

// NOLINTNEXTLINE(readability-identifier-naming): the name is CUDA's
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using tracker::injection::Recorder;
  static const bool is_first = [] {
    Recorder::only().fail(tracker::injection::listen());
    std::atexit([] { Recorder::only().write(); });
    return true;
  }();
  return is_first ? 1 : 0;
}

// Writes the path of the CUPTI that a program would be looked at with, or "" where none is found: for
// `tracker doctor`.
extern "C" __attribute__((visibility("default"))) void tracker_find_cupti(char* path, std::size_t size) {
  link_map* map = nullptr;
  void* cupti = tracker::injection::load_cupti();
  const bool is_known = cupti != nullptr && dlinfo(cupti, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr;
  std::snprintf(path, size, "%s", is_known ? map->l_name : "");
}

// Numbers of NVTX's functions: NvtxCallbackIdCore, NvtxCallbackIdCore2.
// NOLINTNEXTLINE(readability-identifier-naming): the name is CUDA's
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void* (*table_of)(std::uint32_t)) {
  using namespace tracker::injection;
  const auto* callbacks = static_cast<const RangeCallbacks*>(table_of(kCallbacksTable));
  if (callbacks == nullptr || callbacks->size < sizeof(RangeCallbacks)) return 0;
  constexpr int kCore = 1;
  constexpr int kCore2 = 5;
  void (***table)() = nullptr;
  unsigned size = 0;
  if (callbacks->table_of(kCore, &table, &size) == 0 || table == nullptr) return 0;
  set(
      table, size, 4, +[](const RangeAttributes* range) { return start(name_of(range)); });
  set(
      table, size, 5, +[](const char* text) { return start(name_of(text)); });
  set(table, size, 7, end);
  set(
      table, size, 8, +[](const RangeAttributes* range) { return push(name_of(range)); });
  set(
      table, size, 9, +[](const char* text) { return push(name_of(text)); });
  set(table, size, 11, pop);
  if (callbacks->table_of(kCore2, &table, &size) == 0 || table == nullptr) return 1;
  set(
      table, size, 2, +[](void*, const RangeAttributes* range) { return start(name_of(range)); });
  set(
      table, size, 3, +[](void*, std::uint64_t id) { end(id); });
  set(
      table, size, 4, +[](void*, const RangeAttributes* range) { return push(name_of(range)); });
  set(
      table, size, 5, +[](void*) { return pop(); });
  set(
      table, size, 10, +[](void*, const char* text) -> void* { return strdup(text == nullptr ? "" : text); });
  return 1;
}
