#include "tracker/profile/ncu.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/profile/counters.hpp"

namespace tracker {
namespace {

constexpr std::uintmax_t kLogBytesMax = std::uintmax_t{256} << 20;
constexpr std::size_t kErrorLinesMax = 3;
constexpr int kOutputLinesMax = 10;

// ncu reads ECMAScript expressions.
std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = R"(.[]{}\()*+?|^$)";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// "regex:^(?!(fill|flush)$)": every other name.
std::string all_but(const std::vector<std::string>& names) {
  std::vector<std::string> expressions;
  for (const auto& name : names) expressions.push_back(escaped(name));
  return "regex:^(?!(" + join(expressions, "|") + ")$)";
}

Error missing(const NcuOptions& options, const std::string& why) {
  return {
      ExitCode::kEnvironment, "'" + printable(options.path) + "' could not be started: " + why,
      "ncu is part of Nsight Compute, which comes with the CUDA toolkit: put its folder on PATH, or name it: "
      "--ncu PATH"};
}

Error not_permitted() {
  return {ExitCode::kEnvironment, "this user may not read the GPU's hardware counters (ERR_NVGPUCTRPERM)",
          "run it as root or with CAP_SYS_ADMIN, or let everybody: load the driver with "
          "NVreg_RestrictProfilingToAdminUsers=0 (docs/profiling.md)"};
}

// It ended before it started the program.
Error gave_up(const NcuOptions& options, const std::string& how) {
  return {ExitCode::kEnvironment, "'" + printable(options.path) + "' " + how,
          "ncu 2025.3 is known to work, an older one may lack an option; tracker doctor says whether the GPU "
          "and its "
          "driver work"};
}

// ": The application returned an error code (4)."; empty where it says nothing of an error.
std::string errors_in_words(const std::string& said) {
  std::string words;
  for (const auto& line : ncu_errors(said, kErrorLinesMax))
    words += (words.empty() ? ": " : "; ") + printable(line);
  return words;
}

std::string no_kernel_in_words(const std::string& said) {
  const auto seen = available_kernels(said);
  if (seen.empty()) return "launches no kernel";
  std::vector<std::string> names;
  for (const auto& name : seen) names.push_back(printable(name));
  return "launches none of the kernels that were asked for, but " + join(names, ", ");
}

// What it wrote to its log; nothing where it never came to that.
std::string log_text(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) || std::filesystem::file_size(path, failure) == 0) return "";
  return read_file(path, kLogBytesMax);
}

}  // namespace

std::vector<std::string> ncu_arguments(const NcuOptions& options, const std::filesystem::path& log) {
  std::vector<std::string> arguments{"--csv",
                                     "--page=raw",
                                     "--print-units=base",
                                     "--clock-control=none",
                                     "--cache-control=all",
                                     "--config-file=off",
                                     "--rename-kernels=off",
                                     "--filter-mode=per-launch-config",
                                     "--launch-count=" + std::to_string(options.launches),
                                     "--launch-skip=" + std::to_string(options.skip_launches),
                                     "--metrics=" + join(wanted_metrics(), ","),
                                     "--log-file=" + log.string()};
  if (!options.kernel.empty())
    arguments.push_back("--kernel-name=" + options.kernel);
  else if (!options.skip_kernels.empty())
    arguments.push_back("--kernel-name=" + all_but(options.skip_kernels));
  return arguments;
}

NcuOutcome run_under_ncu(ProcessSpec program, const NcuOptions& options) {
  const TemporaryDirectory folder;
  const auto log = folder.path() / "ncu.log";
  std::vector<std::string> argv{options.path};
  for (const auto& argument : ncu_arguments(options, log)) argv.push_back(argument);
  argv.insert(argv.end(), program.argv.begin(), program.argv.end());
  program.argv = std::move(argv);
  program.output_bytes_max = 1 << 20;
  const auto result = run_process(program);

  NcuOutcome outcome;
  outcome.stopped = result.stopped;
  if (outcome.stopped) return outcome;
  if (!result.start_error.empty()) throw missing(options, result.start_error);
  // What ncu itself says goes into its log, apart from the program's output; but not what it says of its
  // options.
  const std::string said = log_text(log);
  if (said.find("ERR_NVGPUCTRPERM") != std::string::npos) throw not_permitted();
  if (said.empty() && !result.timed_out)
    throw gave_up(options,
                  result.ok() ? "wrote nothing" : describe_end(result) + errors_in_words(result.output));
  if (!result.ok()) {
    outcome.failure = describe_end(result) + errors_in_words(said);
    outcome.last_output = last_lines(result, kOutputLinesMax);
    return outcome;
  }
  outcome.launches = parse_ncu_csv(said, log.string());
  if (outcome.launches.empty()) outcome.failure = no_kernel_in_words(said);
  return outcome;
}

std::string ncu_version(const NcuOptions& options) {
  ProcessSpec spec;
  spec.argv = {options.path, "--version"};
  spec.timeout = std::chrono::seconds(60);
  const auto result = run_process(spec);
  if (!result.start_error.empty()) throw missing(options, result.start_error);
  // "Version 2025.3.1.0 (build 36398880) (public-release)"
  constexpr std::string_view kMark = "Version ";
  const std::size_t at = result.output.find(kMark);
  if (!result.ok() || at == std::string::npos)
    throw Error(ExitCode::kEnvironment,
                "'" + printable(options.path) + " --version' " +
                    (result.ok() ? "does not say a version" : describe_end(result)),
                "is it NVIDIA's ncu? name another one: --ncu PATH");
  const std::size_t from = at + kMark.size();
  const std::size_t end = result.output.find_first_not_of("0123456789.", from);
  std::vector<std::string> parts = split(std::string_view(result.output).substr(from, end - from), '.');
  parts.resize(std::min<std::size_t>(parts.size(), 3));
  return "ncu " + join(parts, ".");
}

}  // namespace tracker
