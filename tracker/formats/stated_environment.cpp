#include "tracker/formats/stated_environment.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;

std::optional<std::string> text_of(const json& context, const std::string& name) {
  const auto found = context.find(name);
  if (found == context.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

template <typename Number>
std::optional<Number> number_of(const json& context, const std::string& name) {
  constexpr double kLargest = 1e18;  // no fact about a device is larger
  const auto number = parse_number<Number>(text_of(context, name).value_or(""));
  return number && *number >= Number{} && static_cast<double>(*number) <= kLargest ? number : std::nullopt;
}

// Sets the fields of a record (run_document.hpp) to what the context states of them, as texts, under their
// names with `prefix` before them.
struct StatedFields {
  const json& context;
  std::string prefix;

  void operator()(const char* name, std::string& value) const {
    value = text_of(context, prefix + name).value_or("");
  }
  void operator()(const char* name, std::optional<std::string>& value) const {
    value = text_of(context, prefix + name);
  }
  void operator()(const char* name, std::optional<bool>& value) const {
    const auto text = text_of(context, prefix + name);
    if (text == "true" || text == "false") value = text == "true";
  }
  template <typename Number>
  void operator()(const char* name, std::optional<Number>& value) const {
    value = number_of<Number>(context, prefix + name);
  }
};

void widen(std::optional<double>& kept, double value, bool up) {
  if (!kept || (up ? value > *kept : value < *kept)) kept = value;
}

bool is_alnum(unsigned char c) {
  return std::isalnum(c) != 0;
}

// Without what separates words: "git.commit-hash" and "GIT_COMMIT_HASH" are one key.
std::string plain_key(const std::string& key) {
  std::string plain = lower_case(key);
  std::erase_if(plain, [](char c) { return !is_alnum(static_cast<unsigned char>(c)); });
  return plain;
}

// Its runs of letters and digits.
std::vector<std::string> words_in(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return !is_alnum(c); }, ' ');
  auto words = split(text, ' ');
  std::erase(words, "");
  return words;
}

// What counters of others are called, which read NVML or nvidia-smi themselves, without what separates words.
constexpr std::string_view kOtherClockNames[] = {"clockscurrentgraphicsmhz",
                                                 "clockscurrentsmmhz",
                                                 "clocksgrmhz",
                                                 "clockssmmhz",
                                                 "coreclockmhz",
                                                 "gpuclockmhz",
                                                 "graphicsclockmhz",
                                                 "smclockmhz"};

// Reasons as nvidia-smi calls them.
constexpr std::pair<std::string_view, std::string_view> kOtherReasonNames[] = {
    {"sw_power_cap", "power_cap"},
    {"sw_thermal_slowdown", "sw_thermal"},
    {"hw_thermal_slowdown", "hw_thermal"},
    {"hw_power_brake_slowdown", "power_brake"},
    {"hw_power_brake", "power_brake"}};

std::string reason_called(const std::string& name) {
  for (const auto& [other, own] : kOtherReasonNames)
    if (name == other) return std::string(own);
  return name;
}

bool is_core_clock(const std::string& name) {
  return name == counter_name::kCoreClock || std::ranges::count(kOtherClockNames, plain_key(name)) > 0;
}

void gather_counter(const std::string& name, double value, Conditions& conditions,
                    std::set<std::string>& reasons) {
  const std::string_view prefix = counter_name::kThrottleReasonPrefix;
  if (name == counter_name::kCoreClock) {
    widen(conditions.core_clock_mhz_min, value, false);
    widen(conditions.core_clock_mhz_max, value, true);
  } else if (name == counter_name::kMemoryClock) {
    widen(conditions.memory_clock_mhz, value, false);
  } else if (name == counter_name::kTemperature) {
    widen(conditions.temperature_c_max, value, true);
  } else if (name == counter_name::kThrottled) {
    conditions.throttled_s = conditions.throttled_s.value_or(0) + std::max(value, 0.0);
  } else if (name == counter_name::kOtherProcesses) {
    constexpr double kProcessesMax = 1e6;
    const int processes = static_cast<int>(std::clamp(value, 0.0, kProcessesMax));
    conditions.other_processes = std::max(conditions.other_processes.value_or(0), processes);
  } else if (name.starts_with(prefix) && value > 0) {
    reasons.insert(reason_called(name.substr(prefix.size())));
  }
}

// What other benchmarks than ours call a GPU: rocPRIM's, rocThrust's and hipCUB's (HIP's device properties,
// with hdp_ before them), SYCL's and OpenCL's.
constexpr std::string_view kModelKeys[] = {
    "hdpname",        "gpuname",       "gpumodel",         "gpu",          "devicename",     "sycldevice",
    "sycldevicename", "hipdevicename", "opencldevicename", "zedevicename", "levelzerodevice"};

// An AMD or an Intel GPU. Of NVIDIA's the machine itself knows more, and a CPU is none.
bool is_other_gpu(const std::string& model) {
  constexpr std::string_view kMakers[] = {"amd", "radeon", "instinct", "gfx", "intel"};
  constexpr std::string_view kOthers[] = {"nvidia", "xeon",         "core(tm)", "epyc",
                                          "ryzen",  "threadripper", "cpu"};
  const std::string text = lower_case(model);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  return std::ranges::any_of(kMakers, has) && std::ranges::none_of(kOthers, has);
}

std::optional<Device> device_by_usual_keys(const json& context) {
  if (!context.is_object()) return {};
  Device device;
  device.kind = DeviceKind::kGpu;
  for (const auto& [key, value] : context.items()) {
    const bool is_model = value.is_string() && std::ranges::count(kModelKeys, plain_key(key)) > 0;
    if (is_model && device.model.empty() && is_other_gpu(value.get<std::string>()))
      device.model = value.get<std::string>();
  }
  if (device.model.empty()) return {};
  device.memory_bytes = number_of<std::int64_t>(context, "hdp_total_global_mem");
  device.l2_bytes = number_of<std::int64_t>(context, "hdp_l2_cache_size");
  device.core_count = number_of<int>(context, "hdp_multi_processor_count");
  if (const auto name = text_of(context, "hdp_gcn_arch_name"); name && !name->empty())
    device.compute_capability = name->substr(0, name->find(':'));
  return device;
}

// What people call the facts of a build that AddCustomContext() states: what a key, as plain_key() has it,
// has in it or ends in, and the words that show that it is of something else. The first row that fits takes
// it.
enum class KeyPart { kWhole, kAny, kEnd };
struct BuildKeys {
  std::optional<std::string> Software::*fact;
  KeyPart part;
  std::vector<std::string_view> words;
  std::vector<std::string_view> but;
  bool named = false;  // the value does not say what it is of: "GNU 1230" of "KOKKOS_COMPILER_GNU": "1230"
};
const BuildKeys kBuildKeys[] = {
    {&Software::flags,
     KeyPart::kEnd,
     {"flags", "compileoptions", "compiledefinitions"},
     {"feature", "cpuflags"}},
    {&Software::build_type, KeyPart::kEnd, {"buildtype", "buildconfig"}, {"library"}},
    {&Software::compiler,
     KeyPart::kEnd,
     {"compiler", "compilerid", "compilername", "compilerversion", "compilerinfo", "compilerpath"},
     {}},
    {&Software::compiler, KeyPart::kAny, {"compiler"}, {"launcher", "option", "arg"}, true},
    {&Software::compiler, KeyPart::kWhole, {"cxx", "cc", "fc"}, {}},
    {&Software::compiler,
     KeyPart::kEnd,
     {"gccversion", "gnuversion", "clangversion", "llvmversion", "nvccversion", "hipccversion", "icpxversion",
      "dpcppversion", "hipversion", "rocmversion", "oneapiversion", "syclversion"},
     {},
     true},
    {&Software::cuda_runtime, KeyPart::kEnd, {"cudaversion", "cudaruntimeversion", "cudatoolkitversion"}, {}},
    {&Software::driver, KeyPart::kEnd, {"driverversion", "gpudriver"}, {"runtime"}},
};

const BuildKeys kOptions{
    &Software::flags, KeyPart::kAny, {"enable"}, {"enabled"}, true};  // "KOKKOS_ENABLE_SERIAL": "yes"

bool is_off(const std::string& value) {
  constexpr std::string_view kOff[] = {"no", "off", "false", "0", "none", "disabled", "undefined"};
  return std::ranges::count(kOff, value) > 0;
}

const BuildKeys* find_build_key(const std::string& plain) {
  const auto has = [&](KeyPart part, std::string_view word) {
    if (part == KeyPart::kWhole) return plain == word;
    return part == KeyPart::kEnd ? plain.ends_with(word) : plain.find(word) != std::string::npos;
  };
  const auto fits = [&](const BuildKeys& row) {
    return std::ranges::any_of(row.words, [&](std::string_view word) { return has(row.part, word); }) &&
           std::ranges::none_of(row.but, [&](std::string_view word) { return has(KeyPart::kAny, word); });
  };
  for (const auto& row : kBuildKeys)
    if (fits(row)) return &row;
  return fits(kOptions) ? &kOptions : nullptr;
}

// "GNU" of "KOKKOS_COMPILER_GNU", "HIP" of "macro HIP_VERSION".
std::string name_in_key(const std::string& key) {
  auto words = words_in(key);
  if (words.size() > 1 && lower_case(words.back()) == "version") words.pop_back();
  return words.empty() ? "" : words.back();
}

// All values of one fact, in the order of their keys: "GNU 12.2.0" of an id and a version.
void add_build_by_usual_keys(const json& context, Software& software) {
  if (!context.is_object()) return;
  std::map<const BuildKeys*, std::map<std::string, std::string>> found;
  for (const auto& [key, value] : context.items()) {
    const std::string plain = plain_key(key);
    const BuildKeys* row = find_build_key(plain);
    std::string text = value.is_string() ? value.get<std::string>() : value.is_number() ? value.dump() : "";
    if (row == &kOptions && is_off(lower_case(text))) continue;  // as if the program did not have it
    if (row != nullptr && !text.empty())
      found[row][plain] = !row->named                     ? text
                          : row->fact == &Software::flags ? key + "=" + text
                                                          : name_in_key(key) + " " + text;
  }
  for (auto fact : {&Software::compiler, &Software::flags, &Software::build_type, &Software::cuda_runtime,
                    &Software::driver}) {
    if ((software.*fact).has_value()) continue;
    std::map<std::string, std::string> values;
    for (auto& [row, own] : found)
      if (row->fact == fact) values.merge(own);
    std::vector<std::string> words;
    for (const auto& [key, text] : values) words.push_back(text);
    if (!words.empty()) software.*fact = join(words, " ");
  }
}

constexpr std::size_t kCommitDigitsMin = 7;
constexpr std::size_t kCommitDigitsMax = 40;
constexpr char kHexadecimal[] = "0123456789abcdef";

bool has_commit_length(const std::string& digits) {
  return digits.size() >= kCommitDigitsMin && digits.size() <= kCommitDigitsMax;
}

constexpr std::string_view kCommitKeys[] = {
    "commit",       "commithash", "commitid", "commitsha",   "gitcommit",  "gitcommithash", "gitcommitid",
    "gitcommitsha", "githash",    "gitrev",   "gitrevision", "gitsha",     "gitsha1",       "githubsha",
    "cicommitsha",  "headsha",    "revision", "sha",         "vcsrevision"};

}  // namespace

std::optional<Device> stated_device(const json& context) {
  Device device;
  device_fields(device, StatedFields{context, "device."});
  const auto kind = text_of(context, context_key::kDeviceKind);
  if (device.model.empty() || (kind != "gpu" && kind != "cpu")) return device_by_usual_keys(context);
  device.kind = kind == "gpu" ? DeviceKind::kGpu : DeviceKind::kCpu;
  return device;
}

Software stated_software(const json& context) {
  Software software;
  software_fields(software, StatedFields{context, "software."});
  software.library.reset();  // read_library_facts() has it
  software.build.reset();    // of tracker itself
  add_build_by_usual_keys(context, software);
  return software;
}

std::string stated_commit(const json& context) {
  if (!context.is_object()) return "";
  for (const auto& [key, value] : context.items()) {
    if (!value.is_string() || std::ranges::count(kCommitKeys, plain_key(key)) == 0) continue;
    // "0123abc-dirty" is of that commit, too.
    std::string digits = lower_case(value.get<std::string>());
    if (const auto end = digits.find_first_not_of(kHexadecimal); end != std::string::npos)
      digits = digits.substr(end).starts_with("-") || digits.substr(end).starts_with("+")
                   ? digits.substr(0, end)
                   : "";
    if (has_commit_length(digits)) return digits;
  }
  return "";
}

std::string commit_in_name(const std::string& name) {
  for (const auto& word : words_in(lower_case(name)))
    if (has_commit_length(word) && word.find_first_not_of(kHexadecimal) == std::string::npos &&
        word.find_first_of("0123456789") != std::string::npos &&
        word.find_first_of("abcdef") != std::string::npos)
      return word;
  return "";
}

void read_library_facts(const json& context, Software& software, Host& host) {
  const auto field = [](const json& object, const char* name) {
    return object.is_object() ? object.value(name, json()) : json();
  };
  if (const auto version = text_of(context, "library_version"); version && !version->empty())
    software.library = version->substr(version->starts_with('v') ? 1 : 0);
  if (const json mhz = field(context, "mhz_per_cpu"); mhz.is_number() && mhz.get<double>() > 0)
    host.cpu_mhz = mhz.get<double>();
  if (const json scaling = field(context, "cpu_scaling_enabled"); scaling.is_boolean())
    host.cpu_scaling = scaling.get<bool>();
  std::set<std::string> caches;  // one of each level and kind
  for (const json& cache : field(context, "caches")) {
    const json level = field(cache, "level");
    const json size = field(cache, "size");
    const json type = field(cache, "type");
    if (!level.is_number_integer() || !size.is_number()) continue;
    const bool of_code = type.is_string() && type.get<std::string>() == "Instruction";
    caches.insert("L" + level.dump() + (of_code ? "i " : " ") + format_bytes(size.get<double>()));
  }
  host.caches = text_of(context, context_key::kHostCaches);
  if (!caches.empty()) host.caches = join({caches.begin(), caches.end()}, ", ");
}

void gather_conditions(const Invocation& invocation, Conditions& conditions) {
  std::set<std::string> reasons(conditions.throttle_reasons.begin(), conditions.throttle_reasons.end());
  for (const auto& [benchmark, samples] : invocation.samples)
    for (const auto& [name, values] : samples.counters) {
      const std::string known = is_core_clock(name) ? counter_name::kCoreClock : name;
      const bool is_ours = known == name;  // others may mean something else by a clock below zero
      for (const double value : values)
        if (std::isfinite(value) && (is_ours || value > 0)) gather_counter(known, value, conditions, reasons);
    }
  conditions.throttle_reasons.assign(reasons.begin(), reasons.end());
}

}  // namespace tracker::formats
