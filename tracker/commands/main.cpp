// tracker: flags → command → exit code.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"

#ifdef TRACKER_HAS_MIMALLOC
#include <mimalloc.h>
#endif

namespace tracker::commands {
namespace {

// mimalloc's operator new cannot throw: without this the process would be aborted without a word. What is
// half done stays as after a kill, which the next command expects.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kMessage =
      "tracker: error: out of memory\n"
      "  next: give it less at once (fewer files, --filter), or more memory (ulimit -v, the container's "
      "limit)\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(static_cast<int>(ExitCode::kEnvironment));
}

// To be called once, before there are threads. Where the program is built with mimalloc, memory comes in
// large pages if the system has them ready (transparent huge pages): a comparison touches 60 MB, and half of
// the time of a page of 4 KB is the system's. Where memory ends, the program says so and ends with exit 4.
void prepare_memory() {
  std::set_new_handler(end_without_memory);
#ifdef TRACKER_HAS_MIMALLOC
  mi_option_enable(mi_option_large_os_pages);
  mi_option_set(mi_option_eager_commit_delay, 0);  // in the memory of helping threads as well
  // The segment that libraries have begun to use before main() was made without. Advice alone: where it is no
  // such segment, nothing happens.
  constexpr std::uintptr_t kSegmentBytes = std::uintptr_t{32} << 20U;  // of mimalloc 2.0, aligned to it
  void* const block = mi_malloc(1);
  char* const segment = static_cast<char*>(block) - reinterpret_cast<std::uintptr_t>(block) % kSegmentBytes;
  ::madvise(segment, kSegmentBytes, MADV_HUGEPAGE);
  mi_free(block);
#endif
}

Error no_such_command(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const auto meant = nearest(word, names);
  return {ExitCode::kUsage, "no command " + in_quotes(word),
          meant ? "did you mean '" + *meant + "'?" : "commands: " + join(names, ", ")};
}

// A word that stands where a command should, or a command of a command, and is none.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-C" || word == "--config" || word == "--store") {
      ++i;
      continue;
    }
    if (word.starts_with("-")) continue;
    const auto below = at->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    if (below.empty()) throw no_such_command(word, *at);
    at = below.front();
    if (at->get_require_subcommand_min() == 0) return;
  }
}

// The innermost command that was named.
const CLI::App& innermost(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : innermost(*named.front());
}

std::string spelled(const CLI::App& command) {
  const CLI::App* above = command.get_parent();
  return above == nullptr ? command.get_name() : spelled(*above) + " " + command.get_name();
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* at = &command; at != nullptr; at = at->get_parent())
    for (const CLI::Option* option : at->get_options([](const CLI::Option*) { return true; }))
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Whether it takes names of benchmarks as patterns, as bisect and log do; run and compare have --filter.
bool takes_patterns(const CLI::App& command) {
  return !command
              .get_options([](const CLI::Option* option) {
                return option->get_positional() && option->get_type_name() == "GLOB";
              })
              .empty();
}

// "jsn not in {text,json}" of a parser's refusal: the one of these that is meant.
std::optional<std::string> meant_choice(const std::string& what) {
  constexpr std::string_view kNotIn = " not in {";
  const std::size_t at = what.find(kNotIn);
  const std::size_t end = what.rfind('}');
  const std::size_t begin = what.rfind(": ", at);
  if (at == std::string::npos || end == std::string::npos || begin == std::string::npos) return {};
  const std::size_t first = at + kNotIn.size();
  return nearest(what.substr(begin + 2, at - begin - 2), split(what.substr(first, end - first), ','));
}

// What is said of arguments that the parser refuses. A misspelt option comes first: the parser may only have
// missed what the misspelt one would have brought.
Error refused(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App& command = innermost(app);
  const std::string help = spelled(command) + " --help";
  const auto known = long_options(command);
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (!word.starts_with("--") || std::ranges::find(known, word) != known.end()) continue;
    const std::string said = "no option " + in_quotes(word) + " of " + spelled(command);
    if (word == "--filter" && takes_patterns(command))
      return {ExitCode::kUsage, said, "it takes patterns of names, without an option: 'sort/*'"};
    const auto meant = nearest(word, known);
    return {ExitCode::kUsage, said, meant ? "did you mean '" + *meant + "'?" : help};
  }
  const auto meant = meant_choice(error.what());
  return {ExitCode::kUsage, error.what(), meant ? "did you mean '" + *meant + "'?" : help};
}

void print_help(const CLI::App& app) {
  constexpr std::size_t kDescriptionColumn = 30;  // of CLI11's help
  const int columns = terminal_columns();
  const std::string help = app.help();
  std::cout << (columns > 0 ? wrap_help(help, static_cast<std::size_t>(columns), kDescriptionColumn) : help);
}

// Everything else, files among it, is relative to that folder.
void enter(std::filesystem::path& directory) {
  std::error_code failure;
  std::filesystem::current_path(directory, failure);
  if (failure)
    throw Error(ExitCode::kUsage,
                "cannot enter the folder " + in_quotes(directory.string()) + ": " + failure.message(),
                "-C names a folder that is there");
  directory = std::filesystem::current_path();
}

// `tracker help compare` is `tracker compare --help`.
std::vector<char*> with_help_as_option(int argc, char** argv) {
  static char option[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back(option);
  return words;
}

ExitCode run(int argc, char** argv) {
  Globals globals;
  globals.observer = &terminal_observer();
  globals.in_ci = in_ci();
  globals.store_variable = environment_value("TRACKER_STORE_URL");
  globals.record_into = environment_value("TRACKER_RECORD_INTO");
  globals.summaries = environment_value("TRACKER_SUMMARY") != "off";
  CLI::App app;
  const auto actions = declare_commands(app, globals);
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_help(app);
    return ExitCode::kOk;
  } catch (const CLI::Success& asked) {  // --version
    app.exit(asked);
    return ExitCode::kOk;
  } catch (const CLI::ParseError& error) {
    throw refused(app, error, argc, argv);
  }
  if (globals.directory != ".") enter(globals.directory);
  if (app.get_subcommands().empty()) {
    if (const auto code = print_status(globals)) return *code;
    print_help(app);
    return ExitCode::kOk;
  }
  return actions.at(app.get_subcommands().front())();
}

}  // namespace

}  // namespace tracker::commands

int main(int argc, char** argv) {
  using tracker::ExitCode;
  tracker::commands::prepare_memory();
  tracker::hide_tokens();
  const tracker::commands::OutputGuard output(std::cout);
  const tracker::commands::OutputGuard messages(std::cerr);
  try {
    auto words = tracker::commands::with_help_as_option(argc, argv);
    return static_cast<int>(tracker::commands::run(static_cast<int>(words.size()), words.data()));
  } catch (const tracker::Error& error) {
    tracker::commands::print_error(error);
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    tracker::commands::print_error({ExitCode::kEnvironment, error.what()});
    return static_cast<int>(ExitCode::kEnvironment);
  }
}
