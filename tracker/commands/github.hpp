// The subcommands of `tracker github`, and what they share.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tracker/commands/command.hpp"
#include "tracker/github/api.hpp"
#include "tracker/github/context.hpp"

namespace tracker::commands {

// Of a step that also works on the repository of a remote.
template <typename Request>
struct RemoteOptions {
  std::string remote = "origin";
  Request request;
};

struct Patience {
  std::string text = "60s";
};

// Adds --patience: how long to wait for a network that fails, or for a rate limit.
std::shared_ptr<Patience> add_patience(CLI::App& app);

// The interface to the repository of the environment; it says on standard error why it waits.
github::ServiceApi open_api(const github::Context& context, const Patience& patience);

// On Actions also an annotation, which people see without opening the log.
void print_warning(const github::Context& context, const std::string& title, const std::string& text);

std::function<ExitCode()> declare_github_event(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_command(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_comment(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_issue(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_publish(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_prune(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github_propose(CLI::App& app, const Globals& globals);

}  // namespace tracker::commands
