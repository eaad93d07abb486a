#include "tracker/site/assets.hpp"

#include <algorithm>
#include <stdexcept>

namespace tracker {

std::string_view asset_text(std::string_view name) {
  const auto& assets = embedded_assets();
  const auto found =
      std::find_if(assets.begin(), assets.end(), [&](const Asset& asset) { return asset.name == name; });
  if (found == assets.end()) throw std::out_of_range(std::string(name));
  return found->text;
}

}  // namespace tracker
