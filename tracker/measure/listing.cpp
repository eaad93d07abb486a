#include "tracker/measure/listing.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kListBytesMax = std::uintmax_t{64} << 20;

// The first line of a kept list.
std::string head_of(const InvocationSpec& spec) {
  return "of " + binary_path(spec.root, spec.binary).string() + " " + spec.filter + "\n";
}

std::optional<std::vector<std::string>> kept_list(const InvocationSpec& spec) {
  std::error_code failure;
  if (spec.output.empty() || !std::filesystem::exists(spec.output, failure)) return {};
  const std::string text = read_file(spec.output, kListBytesMax);
  const std::string head = head_of(spec);
  if (!text.starts_with(head)) return {};
  return parse_list(std::string_view(text).substr(head.size()));
}

}  // namespace

ListOutcome list_benchmarks(const InvocationSpec& spec) {
  if (auto kept = kept_list(spec)) return {std::move(kept), false};
  ProcessSpec process = process_for(spec, {"--benchmark_list_tests=true"});
  process.keep_going = [&] {
    if (spec.tick) spec.tick();
    return !interrupted();
  };
  const auto result = run_process(process);
  ListOutcome outcome;
  outcome.stopped = interrupted();
  if (!result.ok()) return outcome;
  outcome.names = parse_list(result.output);
  // Nothing at all is an answer only where the library says so.
  const bool none_match = result.errors.find("Failed to match any benchmarks") != std::string::npos;
  if (outcome.names && outcome.names->empty() && !none_match) outcome.names.reset();
  if (outcome.names && !spec.output.empty()) write_file(spec.output, head_of(spec) + result.output);
  return outcome;
}

}  // namespace tracker
