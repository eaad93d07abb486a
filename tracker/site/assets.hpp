// The files of a site that are the same for every history: scripts, styles, uPlot with its licence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

struct Asset {
  const char* name;  // below tracker/site/assets
  std::string_view text;
};

// All of them, from the build (cmake/EmbedTexts.cmake).
const std::vector<Asset>& embedded_assets();

// Throws std::out_of_range for a name that is none.
std::string_view asset_text(std::string_view name);

}  // namespace tracker
