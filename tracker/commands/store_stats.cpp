#include "tracker/commands/store_stats.hpp"

#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tracker/app/store_documents.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/report/store_report.hpp"

namespace tracker {
namespace {

ExitCode print_store_stats(const Globals& globals, const std::string& format) {
  const Workspace workspace(globals);
  const StoreStats stats = store_stats(workspace);
  std::cout << (format == "json" ? store_stats_json(stats)
                                 : store_stats_text(stats, static_cast<std::size_t>(terminal_columns())));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_store_stats(CLI::App& app, const Globals& globals) {
  auto format = std::make_shared<std::string>("text");
  app.add_option("--format", *format, "how to print")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.footer(
      "It reads the newest 20 runs at most, and of all other documents only the sizes.\n"
      "Exit codes: 0 printed, 4 the store cannot be read.");
  return [format, &globals] { return print_store_stats(globals, *format); };
}

}  // namespace tracker
