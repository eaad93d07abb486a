// `tracker store compact`.
#pragma once

#include <functional>

#include "tracker/commands/command.hpp"

namespace tracker {

std::function<ExitCode()> declare_store_compact(CLI::App& app, const Globals& globals);

}  // namespace tracker
