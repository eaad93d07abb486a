// The pull request that an ended run was for, and whether what the run claims to have measured belongs to it.
// The run may have been of a stranger's code: nothing it left behind is believed.
#pragma once

#include <string>

#include "tracker/github/api.hpp"
#include "tracker/github/what_to_compare.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {

// What the run of a `workflow_run` event is about: pull request, head, fork; `skip` where it was for no pull
// request, or for one that is closed or has moved on since.
WhatToCompare what_ended_run_is_about(ServiceApi& api, const std::string& repository, const Event& event,
                                      PullRequest& request);

// Takes over `claim` (text from the run) as the candidate, with its base: it must be the pull request's head,
// GitHub's own merge of it, or a merge of it into what the base branch was at `run_created_at`, as GitHub's
// was then: whoever may choose the base may choose the verdict. Fetches both, into no ref that stays. kUsage
// for anything else; `skip` where the pull request has moved on meanwhile.
void take_candidate(const Repository& repository, const GitRemote& remote, const PullRequest& request,
                    const std::string& run_created_at, const std::string& claim, WhatToCompare& what);

}  // namespace tracker
