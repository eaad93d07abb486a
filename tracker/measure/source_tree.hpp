// The files of a checkout, as far as its own authors wrote or built them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tracker {

// Calls act(path) for each regular file below `root`, and ends where it says false. Links are not followed;
// folders of dependencies (_deps, node_modules, .git and the like) are left out.
void for_each_file_below(const std::filesystem::path& root,
                         const std::function<bool(const std::filesystem::path&)>& act);

// Empty where it cannot be read, or is too large for what people write.
std::string text_of_file(const std::filesystem::path& path);

}  // namespace tracker
