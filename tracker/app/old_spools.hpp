// Folders of results whose jobs were ended before they could record them or clean up (kill -9, a power cut).
#pragma once

#include <filesystem>
#include <string>

namespace tracker {

// Locks the folder of a job for as long as this process lives; -1 where that is not possible.
int lock_spool(const std::filesystem::path& folder);
void unlock_spool(int lock);

// Removes those folders in `spools` that no job uses and that hold no results. What to tell of the others:
// where they are and how to record them; empty where there are none.
std::string look_after_old_spools(const std::filesystem::path& spools);

}  // namespace tracker
