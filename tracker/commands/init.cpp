#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/project/project.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::commands {
namespace {

namespace fs = std::filesystem;

constexpr char kWorkflowPath[] = ".github/workflows/perf.yml";

struct InitOptions {
  std::vector<std::string> binaries;
  std::string threshold = "5%";
  bool workflow = false;
  bool dry_run = false;
};

fs::path root_of(const Globals& globals) {
  return repo::Repository::open(globals.directory).root();
}

// What looks like a benchmark binary, and did not name its benchmarks.
std::string silent_ones(const std::vector<project::DetectedBinary>& binaries) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const auto& binary : binaries)
    if (binary.is_silent) names.push_back(in_quotes(binary.path));
  return join_some(names, kShown);
}

std::vector<project::DetectedBinary> binaries_at(const fs::path& root, const InitOptions& options) {
  if (!options.binaries.empty()) return project::detect_named_binaries(root, options.binaries);
  print_note("looking for Google Benchmark and nvbench binaries below " + root.string());
  auto found = project::detect_binaries(root);
  const std::string silent = silent_ones(found);
  std::erase_if(found, [](const project::DetectedBinary& binary) { return binary.is_silent; });
  if (!found.empty()) {
    if (!silent.empty())
      print_note(
          "left out, as --benchmark_list_tests gave no names: " + silent +
          "; one that needs arguments can be added to tracker.toml by hand, as [[binary]] with arguments");
    return found;
  }
  if (!silent.empty())
    throw Error(
        ExitCode::kUsage,
        "what looks like a benchmark binary gave no names for --benchmark_list_tests: " + silent,
        "where it needs arguments, name it: tracker init PATH; then add arguments = [\"…\"] below its "
        "path in tracker.toml");
  constexpr std::size_t kSourcesShown = 3;
  auto sources = project::benchmark_sources(root);
  const bool has_more = sources.size() > kSourcesShown;
  sources.resize(std::min(sources.size(), kSourcesShown));
  throw Error(
      ExitCode::kUsage,
      "no benchmark binary is built below " + root.string() +
          (sources.empty() ? ", and no source includes benchmark/benchmark.h or nvbench.cuh"
                           : "; benchmarks are in " + join(sources, ", ") + (has_more ? " and others" : "")),
      "build the benchmarks as you do by hand, and run tracker init again; or name the binary: tracker "
      "init PATH" +
          std::string(sources.empty() ? "; what another tool measured is recorded from its files: tracker "
                                        "record FILE, whose --help names these tools"
                                      : ""));
}

// What is there already stays as it is.
void refuse_existing(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored))
    throw Error(ExitCode::kUsage, in_quotes(path.string()) + " is there, and is not overwritten",
                "tracker init --dry-run prints what it would write");
}

ExitCode init(const Globals& globals, const InitOptions& options) {
  const fs::path root = root_of(globals);
  const fs::path config_path = globals.config.empty() ? root / "tracker.toml" : globals.config;
  const fs::path workflow_path = root / kWorkflowPath;
  if (!options.dry_run) {
    refuse_existing(config_path);
    if (options.workflow) refuse_existing(workflow_path);
  }
  if (!formats::parse_share(options.threshold))
    throw Error(ExitCode::kUsage, in_quotes(options.threshold) + " is no threshold", "write it like 5%");
  const auto binaries = binaries_at(root, options);
  const auto build = project::detect_build(root, binaries);
  const std::string text = project::first_config_text(binaries, build, options.threshold);
  formats::parse_config(text, config_path.string());
  if (options.dry_run) {
    std::cout << text
              << (options.workflow
                      ? "\n# " + std::string(kWorkflowPath) + "\n" + project::first_workflow_text()
                      : "");
    return ExitCode::kOk;
  }
  write_file(config_path, text);
  if (options.workflow) write_file(workflow_path, project::first_workflow_text());
  print_line("wrote " + config_path.string() + ": " +
             (binaries.size() == 1 ? "1 binary" : std::to_string(binaries.size()) + " binaries"));
  for (const auto& binary : binaries)
    print_line("  " + binary.path +
               (binary.names.empty() ? "" : ": " + count_of(binary.names.size(), "benchmark")) +
               (binary.is_cuda ? ", measured where there is a GPU" : ""));
  if (const auto silent = silent_ones(binaries); !silent.empty())
    std::cout << "  note  --benchmark_list_tests gave no names: " << silent
              << "; where it needs arguments, add arguments = [\"…\"] below its path\n";
  if (options.workflow)
    print_line("wrote " + workflow_path.string() + ": put OWNER and COMMIT in, and see docs/security.md");
  if (build.commands.empty())
    std::cout << "  note  how it is built is not known: fill in `build`, which comparing two commits needs\n";
  std::cout << "next: read it, then\n"
            << "  tracker run                       measures HEAD and records it\n"
            << "  tracker compare HEAD --worktree   builds HEAD and your working tree, and compares them\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_init(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("binaries", options->binaries,
                 "benchmark binaries, relative to the root (default: those found below it)")
      ->type_name("FILE");
  app.add_option("--threshold", options->threshold, "the slowdown that fails the build (default 5%)")
      ->type_name("PERCENT");
  app.add_flag("--workflow", options->workflow, "write .github/workflows/perf.yml as well");
  app.add_flag("--dry-run", options->dry_run, "print the files instead of writing them");
  app.footer(
      "Looks for executables that are built with Google Benchmark or nvbench, asks each for its benchmarks, "
      "and\n"
      "reads from the build folder how they are built. Writes tracker.toml at the repository's root; a file "
      "that\n"
      "is there is never overwritten.\n"
      "Exit codes: 0 written, 2 usage, or nothing to measure was found, 4 the disk failed.");
  return [options, &globals] { return init(globals, *options); };
}

}  // namespace tracker::commands
