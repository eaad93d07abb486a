// `tracker store stats`.
#pragma once

#include <functional>

#include "tracker/commands/command.hpp"

namespace tracker {

std::function<ExitCode()> declare_store_stats(CLI::App& app, const Globals& globals);

}  // namespace tracker
