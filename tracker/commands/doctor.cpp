#include "tracker/app/doctor.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {
namespace {

// Beside the names of the checks, no wider than the terminal. The first line may have begun.
void print_indented(const std::string& text, bool has_begun) {
  constexpr std::size_t kIndent = 18;
  constexpr std::size_t kColumnsLeast = 60;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  for (const auto& part : split(text, '\n')) {
    const std::string words = part.substr(std::min(part.find_first_not_of(' '), part.size()));
    const std::size_t width = columns == 0 ? words.size() + 1 : std::max(columns, kColumnsLeast) - kIndent;
    for (const auto& line : wrap(words, width)) {
      std::cout << (has_begun ? "" : std::string(kIndent, ' ')) << printable(line) << "\n";
      has_begun = false;
    }
  }
}

ExitCode doctor(const Globals& globals, const std::vector<std::string>& binaries) {
  static constexpr const char* kMarks[] = {"ok  ", "warn", "FAIL"};
  ExitCode answer = ExitCode::kOk;
  examine(globals, binaries, [&](const std::string& name, const HealthFinding& finding) {
    std::cout << kMarks[static_cast<int>(finding.health)] << "  " << left_aligned(name, 10) << "  ";
    print_indented(finding.what, true);
    if (!finding.remedy.empty()) print_indented("fix: " + finding.remedy, false);
    if (finding.health == Health::kBad) answer = ExitCode::kEnvironment;
  });
  return answer;
}

}  // namespace

std::function<ExitCode()> declare_doctor(CLI::App& app, const Globals& globals) {
  auto binaries = std::make_shared<std::vector<std::string>>();
  app.add_option("binaries", *binaries, "benchmark binaries instead of those in tracker.toml (after --)");
  app.footer("Exit codes: 0 fit to measure, with or without warnings, 4 something must be fixed first.");
  return [binaries, &globals] { return doctor(globals, *binaries); };
}

}  // namespace tracker
