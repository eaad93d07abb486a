#include "tracker/commands/line_options.hpp"

#include <CLI/CLI.hpp>

namespace tracker {

void add_line_options(CLI::App& app, LineWishes& wishes) {
  app.add_option("globs", wishes.globs, "benchmarks (default: all)");
  app.add_option("--from", wishes.from, "the newest commit of the line (default HEAD)");
  app.add_option("--device", wishes.device, "only devices that match this pattern");
}

}  // namespace tracker
