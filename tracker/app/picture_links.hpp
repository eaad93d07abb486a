// Where a report's reader finds its pictures.
#pragma once

#include <filesystem>
#include <string>

namespace tracker {

inline constexpr char kFilePlaceholder[] = "{file}";

// The link to a picture: the template with the file's name in place of every "{file}" or, where there is no
// template, the path from the report's folder, percent-encoded as a URL takes it.
std::string picture_link(const std::filesystem::path& picture, const std::string& url_template,
                         const std::filesystem::path& report_folder);

}  // namespace tracker
