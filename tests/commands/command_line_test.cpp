#include <fstream>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/base/process.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker::commands {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Whatever is printed, in however many pieces: the runner obeys a line that begins so.
TEST(OutputGuard, BreaksCommandsAtTheBeginOfALine) {
  std::ostringstream out;
  {
    const OutputGuard guard(out);
    out << "::error::a\n  ::b\rc ::d\n"
        << ':' << ":e\n\t" << std::string("\u00a0::f\n") << ":g:\n:"
        << ":h" << std::flush;
    out << "\n" << 17 << "::i\n\n::j";
  }
  out << "\n::k";
  EXPECT_EQ(out.str(), ": :error::a\n  : :b\rc ::d\n: :e\n\t\u00a0: :f\n:g:\n: :h\n17::i\n\n: :j\n::k");
}

// Whoever tells something composes it from names as they are.
TEST(Messages, NoNameMakesALineOfItsOwn) {
  const std::string name = "a\nforged\x1b[1m";
  std::ostringstream out;
  std::ostringstream errors;
  std::streambuf* const plain_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const plain_errors = std::cerr.rdbuf(errors.rdbuf());
  print_line("wrote " + name);
  print_note("left out: " + name, {"  | " + name});
  print_error({ExitCode::kUsage, "no file " + name, "did you mean " + name + "?"});
  std::cout.rdbuf(plain_out);
  std::cerr.rdbuf(plain_errors);
  EXPECT_EQ(out.str(), "wrote a forged [1m\n");
  EXPECT_EQ(errors.str(),
            "tracker: left out: a forged [1m\n  | a forged [1m\n"
            "tracker: error: no file a forged [1m\n  next: did you mean a forged [1m?\n");
}

CommandLine whole() {
  Globals globals;
  CLI::App app;
  declare_commands(app, globals);
  return read_command_line(app);
}

const CommandLine& command(const CommandLine& root, const std::string& name) {
  const auto found = std::ranges::find(root.commands, name, &CommandLine::name);
  if (found == root.commands.end()) throw std::runtime_error("no command " + name);
  return *found;
}

std::string completion_of(const std::string& shell) {
  for (const auto& row : completions())
    if (row.shell == shell) return row.write(whole());
  throw std::runtime_error("no completion for " + shell);
}

// What bash offers behind `words`, whose last one is being typed.
std::set<std::string> bash_offers(const std::string& words) {
  const testing_support::ScratchFolder folder;
  const auto file = folder.path() / "completion";
  std::ofstream(file) << completion_of("bash");
  ProcessSpec spec;
  spec.argv = {"bash", "-c",
               "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _tracker; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"",
               "bash", file.string()};
  std::istringstream text(words);
  for (std::string word; text >> word;) spec.argv.push_back(word == "_" ? "" : word);
  const auto result = run_process(spec);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::set<std::string> offers;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) offers.insert(line);
  return offers;
}

TEST(CommandLineAsData, HasEveryCommandOfTheTable) {
  const auto root = whole();
  ASSERT_EQ(root.commands.size(), commands().size());
  for (const auto& row : commands()) EXPECT_EQ(command(root, row.name).summary, row.summary);
}

TEST(CommandLineAsData, KnowsWhatAnOptionTakes) {
  const auto root = whole();
  for (const auto& option : command(root, "compare").options) {
    if (option.names == std::vector<std::string>{"--format"}) {
      EXPECT_THAT(option.choices, AllOf(Contains("text"), Contains("markdown"), Contains("json")));
      EXPECT_EQ(option.value, "FORMAT");
      return;
    }
  }
  FAIL() << "compare has no --format";
}

// A reader has to see what to write: "TEXT" says nothing.
TEST(CommandLineAsData, SaysOfEveryOptionWhatItTakes) {
  const std::set<std::string> nothing_said{"TEXT", "INT", "UINT", "FLOAT", "NUMBER"};
  const std::function<void(const CommandLine&)> check = [&](const CommandLine& line) {
    for (const auto& option : line.options)
      EXPECT_EQ(nothing_said.count(option.value), 0u)
          << line.path << " " << testing::PrintToString(option.names) << ": a row in kPlaceholders";
    for (const auto& below : line.commands) check(below);
  };
  check(whole());
}

TEST(ManualPage, HasEveryCommandAndOption) {
  const auto root = whole();
  const std::string page = manual_page(root, "tracker 1.2.3");
  EXPECT_THAT(page, HasSubstr("\"tracker 1.2.3\""));
  for (const auto& row : root.commands) {
    std::string name = row.path;
    for (auto at = name.find('-'); at != std::string::npos; at = name.find('-', at + 2))
      name.insert(at, "\\");
    EXPECT_THAT(page, HasSubstr(".SS " + name + "\n"));
  }
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-time\\-budget\\fR \\fITIME\\fR"));
}

TEST(ManualPage, TextIsNeverTakenForARequest) {
  CommandLine root;
  root.name = root.path = "tracker";
  root.summary = ".so /etc/passwd\n'br \\n";
  const std::string page = manual_page(root, "");
  EXPECT_THAT(page, HasSubstr("\\&.so /etc/passwd\n\\&'br \\en"));
}

TEST(BashCompletion, OffersCommandsAndTheirOptions) {
  EXPECT_THAT(bash_offers("tracker comp"), Contains("compare"));
  EXPECT_THAT(bash_offers("tracker compare --conf"), AllOf(Contains("--confirm"), Not(Contains("--format"))));
  EXPECT_THAT(bash_offers("tracker -C folder compare --conf"), Contains("--confirm"));
}

TEST(BashCompletion, OffersTheValuesOfAnOption) {
  EXPECT_EQ(bash_offers("tracker compare --format j"), (std::set<std::string>{"json", "junit"}));
}

TEST(BashCompletion, OffersCommandsBelowACommand) {
  EXPECT_THAT(bash_offers("tracker github _"), AllOf(Contains("comment"), Contains("publish")));
}

TEST(Completions, EveryShellKnowsEveryCommand) {
  for (const auto& row : completions()) {
    const std::string text = row.write(whole());
    for (const auto& each : commands()) EXPECT_THAT(text, HasSubstr(each.name)) << row.shell;
  }
}

}  // namespace
}  // namespace tracker::commands
