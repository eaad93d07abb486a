// What the variables of a CI service say of the commit that is built: for any service but GitHub Actions,
// whose event file says more (event.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/github/context.hpp"
#include "tracker/github/event.hpp"

namespace tracker::github {

// One service: the names of its variables; empty where it has no such.
struct CiService {
  const char* name;            // "GitLab CI"
  const char* sign;            // set where it runs
  const char* request;         // the number of the pull request; "" or "false" in others
  const char* target_branch;   // that the pull request goes to
  const char* branch;          // that was pushed to
  const char* before;          // the commit that it ended in before
  const char* default_branch;  // of the repository
  const char* page;            // where people read this job
};

// The last row is of variables of our own, which hold in any service and go before its own.
const std::vector<CiService>& ci_services();

using Variables = std::function<std::string(const char* name)>;  // empty: not set

struct CiJob {
  const CiService* service = nullptr;
  Event event;
  std::string page;  // empty: not known
};

// Nothing where no service is known by its variables. kUsage for a variable that holds what it cannot.
std::optional<CiJob> read_ci_job(const Variables& variables);

// The step's surroundings, by the environment. In another service than GitHub Actions, GITHUB_REPOSITORY and
// GITHUB_TOKEN say where comments go, and in GitLab its own variables.
struct CiStep {
  Context context;
  std::optional<CiJob> job;  // none in GitHub Actions, and where no service is known

  // What started it; kUsage where the environment does not say.
  Event event() const;
};

// Reads the environment of this process. kUsage where a variable of the service has a value that it cannot
// have.
CiStep read_ci_step();

}  // namespace tracker::github
