#include "tracker/formats/injection_lines.hpp"

#include <algorithm>
#include <string_view>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;

std::size_t place(const JsonFields& fields, const char* name) {
  const auto value = fields.required<std::int64_t>(name);
  if (value < 0) fields.fail(name, "a number of at least 0");
  return static_cast<std::size_t>(value);
}

InjectedKernel read_kernel(const JsonFields& fields) {
  InjectedKernel kernel;
  kernel.name = fields.required<std::string>("name");
  fields("cubin", kernel.cubin);
  fields("architecture", kernel.architecture);
  fields("registers", kernel.registers);
  fields("shared_static_bytes", kernel.shared_static_bytes);
  fields("local_bytes", kernel.local_bytes);
  if (kernel.cubin.find_first_not_of("0123456789abcdef") != std::string::npos)
    fields.fail("cubin", "hexadecimal digits");
  return kernel;
}

InjectedOp read_op(const JsonFields& fields) {
  InjectedOp op;
  if (fields.has("launch")) {
    op.kernel = place(fields, "launch");
    op.launch.grid = fields.required<std::string>("grid");
    op.launch.block = fields.required<std::string>("block");
    fields("cluster", op.launch.cluster);
    fields("shared_bytes", op.launch.shared_bytes);
    fields("threads_per_block", op.threads_per_block);
    fields("blocks_per_sm", op.blocks_per_sm);
    return op;
  }
  const auto what = fields.required<std::string>("what");
  std::int64_t bytes = 0;
  fields("bytes", bytes);
  const std::size_t end = std::min(what.find(' '), what.size());  // "copy to the host"
  op.launch.kernel = what.substr(0, end);
  if (bytes > 0) op.launch.kernel += " of " + count_of(static_cast<std::size_t>(bytes), "byte");
  op.launch.kernel += what.substr(end);
  return op;
}

OpSequence read_sequence(const json& list, std::size_t ops, const JsonFields& fields, const char* name) {
  OpSequence sequence;
  if (!list.is_array()) fields.fail(name, "a list");
  for (const auto& one : list) {
    std::vector<std::int64_t> places;
    std::int64_t times = 0;
    const bool is_sound = one.is_array() && one.size() == 2 &&
                          json_value::convert(JsonNode(one[0]), places) &&
                          json_value::convert(JsonNode(one[1]), times) && times > 0 && !places.empty();
    if (!is_sound) fields.fail(name, "pairs of a list of ops and how often they came");
    RepeatedOps repeated{{}, static_cast<std::size_t>(times)};
    for (const auto at : places) {
      if (at < 0 || static_cast<std::size_t>(at) >= ops) fields.fail(name, "numbers of ops");
      repeated.ops.push_back(static_cast<std::size_t>(at));
    }
    sequence.push_back(std::move(repeated));
  }
  return sequence;
}

InjectedRange read_range(const json& line, const JsonFields& fields, std::size_t ops) {
  InjectedRange range;
  for (const auto& name : split(fields.required<std::string>("range"), '\n'))
    if (!name.empty()) range.names.push_back(name);
  range.ops = read_sequence(line.value("ops", json::array()), ops, fields, "ops");
  const json windows = line.value("windows", json::array());
  if (!windows.is_array()) fields.fail("windows", "a list");
  for (const auto& window : windows) {
    const JsonFields of_window(window, "windows");
    range.windows.push_back({read_sequence(window.value("ops", json::array()), ops, fields, "windows"),
                             place(of_window, "count")});
  }
  return range;
}

// No iteration is as long: what is, was not told apart, or was written to do harm.
constexpr std::size_t kOpsMax = 1'000'000;

std::size_t length_of(const RepeatedOps& repeated) {
  return repeated.ops.size() * std::min(repeated.times, kOpsMax);
}

std::size_t length_of(const OpSequence& sequence) {
  std::size_t length = 0;
  for (const auto& repeated : sequence) length += length_of(repeated);
  return length;
}

// Empty where they are too many.
std::vector<std::size_t> unfolded(const OpSequence& sequence) {
  std::vector<std::size_t> ops;
  if (length_of(sequence) >= kOpsMax) return ops;
  for (const auto& repeated : sequence)
    for (std::size_t i = 0; i < repeated.times; ++i)
      ops.insert(ops.end(), repeated.ops.begin(), repeated.ops.end());
  return ops;
}

// The measuring kit's own kernels: it times an empty one many times, to know how long the way to a kernel is.
bool is_of_the_kit(const InjectedCalls& calls, const OpSequence& ops) {
  constexpr std::string_view kMangledNamespace = "_ZN7tracker3kit";
  return std::ranges::all_of(ops, [&](const RepeatedOps& repeated) {
    return std::ranges::all_of(repeated.ops, [&](std::size_t op) {
      const auto& kernel = calls.ops.at(op).kernel;
      return kernel && calls.kernels.at(*kernel).name.starts_with(kMangledNamespace);
    });
  });
}

// Warm-up and single measurements of many iterations (nvbench's hot ones, do_bench's estimate) are few.
const TimedWindow* commonest(const InjectedCalls& calls, const std::vector<const InjectedRange*>& ranges) {
  const TimedWindow* found = nullptr;
  for (const auto* range : ranges)
    for (const auto& window : range->windows) {
      if (is_of_the_kit(calls, window.ops)) continue;  // and what is empty
      const bool is_better = found == nullptr || window.count > found->count ||
                             (window.count == found->count && length_of(window.ops) < length_of(found->ops));
      if (is_better) found = &window;
    }
  return found;
}

// What was repeated for most of the time, if at least once an iteration. The library comes to its number of
// iterations in a few steps, all of which may follow one another: so a part of them too few is none too many.
std::vector<std::size_t> repeated_often(const std::vector<const InjectedRange*>& ranges,
                                        std::int64_t iterations) {
  constexpr std::int64_t kIterationsMin = 4;
  const RepeatedOps* found = nullptr;
  if (iterations < kIterationsMin) return {};
  for (const auto* range : ranges)
    for (const auto& repeated : range->ops) {
      const bool is_often = repeated.times >= static_cast<std::size_t>(iterations);
      if (is_often && (found == nullptr || length_of(repeated) > length_of(*found))) found = &repeated;
    }
  if (found == nullptr) return {};
  return unfolded({{found->ops, found->times / static_cast<std::size_t>(iterations)}});
}

}  // namespace

InjectedCalls parse_injection_lines(const std::string& text, const std::string& source) {
  InjectedCalls calls;
  std::size_t number = 0;
  bool has_head = false;
  for (const auto& line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::string where = in_quotes(source) + ", line " + std::to_string(number);
    const json parsed = json::parse(line, nullptr, false);
    if (!parsed.is_object()) throw Error(ExitCode::kUsage, where + ": expected an object of JSON");
    const JsonFields fields(parsed, where);
    if (!has_head) {
      const auto schema = fields.required<std::string>("schema");
      if (schema != kInjectionSchema)
        refuse_schema(in_quotes(source), schema, kInjectionSchema, kInjectionSchema);
      fields("failure", calls.failure);
      fields("is_whole", calls.is_whole);
      has_head = true;
    } else if (fields.has("kernel")) {
      if (place(fields, "kernel") != calls.kernels.size()) fields.fail("kernel", "the next number");
      calls.kernels.push_back(read_kernel(fields));
    } else if (fields.has("op")) {
      if (place(fields, "op") != calls.ops.size()) fields.fail("op", "the next number");
      calls.ops.push_back(read_op(fields));
      const auto& kernel = calls.ops.back().kernel;
      if (kernel && *kernel >= calls.kernels.size()) fields.fail("launch", "the number of a kernel");
    } else if (fields.has("range")) {
      calls.ranges.push_back(read_range(parsed, fields, calls.ops.size()));
    }
  }
  if (!has_head) throw Error(ExitCode::kUsage, in_quotes(source) + " has no line");
  return calls;
}

bool is_range_of(const InjectedRange& range, const std::string& benchmark) {
  return std::ranges::any_of(range.names, [&](const std::string& name) {
    return name == benchmark || split_method_suffixes(name).name == benchmark;
  });
}

std::vector<std::size_t> ops_of_iteration(const InjectedCalls& calls, const std::string& benchmark,
                                          std::int64_t iterations) {
  std::vector<const InjectedRange*> ranges;
  for (const auto& range : calls.ranges)
    if (is_range_of(range, benchmark)) ranges.push_back(&range);
  if (ranges.empty())
    for (const auto& range : calls.ranges) ranges.push_back(&range);
  if (const auto* window = commonest(calls, ranges)) return unfolded(window->ops);
  return calls.is_whole ? repeated_often(ranges, iterations) : std::vector<std::size_t>{};
}

}  // namespace tracker::formats
