// What a user may say of the line to look at, for `check`, `top` and `github issue`.
#pragma once

#include "tracker/app/line_events.hpp"

namespace CLI {
class App;
}

namespace tracker {

void add_line_options(CLI::App& app, LineRequest& request);

// --format of a command that prints tables: text, json, csv or sql.
void add_table_format(CLI::App& app, std::string& format);

}  // namespace tracker
