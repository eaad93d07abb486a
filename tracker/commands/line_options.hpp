// What a user may say of the line to look at, for `check`, `top` and `github issue`.
#pragma once

#include "tracker/app/line_events.hpp"

namespace CLI {
class App;
}

namespace tracker {

void add_line_options(CLI::App& app, LineRequest& request);

}  // namespace tracker
