#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/formats/agent_calls.hpp"
#include "tracker/version.hpp"

namespace tracker::commands {
namespace {

constexpr std::size_t kAnswerBytesMax = 1u << 20;  // more is of no use to an agent

// A process of its own a call: it sees what was recorded meanwhile, and a failure ends it alone.
formats::AgentResult call_tracker(const Globals& globals, const std::vector<std::string>& words) {
  ProcessSpec spec;
  spec.argv = {"/proc/self/exe"};
  for (const auto& [option, value] : {std::pair<std::string, std::string>{"-C", globals.directory.string()},
                                      {"--config", globals.config.string()},
                                      {"--store", globals.store}})
    if (!value.empty()) spec.argv.insert(spec.argv.end(), {option, value});
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.with_tokens = true;                            // the store's address may be one
  spec.without_environment = {"TRACKER_NOTIFY_URL"};  // nobody is told that an agent has asked
  const ProcessResult result = run_process(spec);
  if (!result.start_error.empty()) return {"tracker cannot be started: " + result.start_error, true};
  const bool failed = result.signal != 0 || (result.exit_code != 0 && result.exit_code != 1);
  if (result.output.size() > kAnswerBytesMax)
    return {"the answer has " + format_bytes(static_cast<double>(result.output.size())) +
                ": name fewer benchmarks, as in 'gemm/*'",
            true};
  if (result.output.empty() || failed)
    return {result.output + result.errors + "(tracker " + describe_end(result) + ")", failed};
  return {result.output, false};
}

ExitCode serve(const Globals& globals) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string answer = formats::answer_agent(
        line, kVersion, [&](const std::vector<std::string>& words) { return call_tracker(globals, words); });
    if (!answer.empty()) std::cout << answer << std::endl;
  }
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_mcp(CLI::App& app, const Globals& globals) {
  std::vector<std::string> names;
  for (const auto& tool : formats::agent_tools()) names.emplace_back(tool.name);
  app.footer("A server of the Model Context Protocol over standard input and output, with the tools " +
             join(names, ", ") +
             ".\nThey read what is recorded; none measures, builds or writes. "
             "docs/ci.md#coding-agents says how an agent is told of it.");
  return [&globals] { return serve(globals); };
}

}  // namespace tracker::commands
