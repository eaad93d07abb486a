// What a user may say about confirming.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tracker {

struct ConfirmOptions {
  bool wanted = false;    // --confirm
  bool unwanted = false;  // --no-confirm
  std::string time_budget = "15m";
};

void declare_confirm_options(CLI::App& app, ConfirmOptions& options);

}  // namespace tracker
