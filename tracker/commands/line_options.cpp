#include "tracker/commands/line_options.hpp"

#include <CLI/CLI.hpp>

namespace tracker {

void add_line_options(CLI::App& app, LineRequest& request) {
  app.add_option("globs", request.globs, "benchmarks (default: all)");
  app.add_option("--from", request.from, "the newest commit of the line (default HEAD)");
  app.add_option("--threshold", request.threshold, "the smallest change to show, for every benchmark: 1%");
  app.add_option("--device", request.device, "only devices that match this pattern");
}

void add_table_format(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "how to print: text for people, json or csv for programs")
      ->check(CLI::IsMember({"text", "json", "csv"}));
}

}  // namespace tracker
