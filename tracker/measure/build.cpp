#include "tracker/measure/build.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/interrupt.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"

namespace tracker {

void build_at(const std::filesystem::path& root, const MeasureSettings& settings, const std::string& what) {
  for (const auto& command : settings.build) {
    ProcessSpec spec;
    spec.argv = command;
    spec.directory = root;
    spec.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(settings.build_timeout_s * 1000));
    spec.output_bytes_max = 1 << 16;
    spec.keep_going = [] { return !interrupted(); };
    const auto result = run_process(spec);
    if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted while building " + what);
    if (result.ok()) continue;
    // Compilers write to one stream, build tools to the other.
    std::string shown = last_lines(result, 20);
    if (!result.errors.empty() && !result.output.empty()) {
      ProcessResult output_only = result;
      output_only.errors.clear();
      shown = last_lines(output_only, 20) + "\n" + shown;
    }
    throw Error(ExitCode::kEnvironment,
                "building " + what + " failed: '" + join(command, " ") + "' " + describe_end(result) +
                    (shown.empty() ? "" : "\n" + shown),
                "the commands are [measure] build in tracker.toml; they ran in " + root.string());
  }
}

}  // namespace tracker
