#include "tracker/site/site.hpp"

#include <algorithm>
#include <utility>

#include "tracker/report/escape.hpp"
#include "tracker/site/assets.hpp"
#include "tracker/site/badge.hpp"
#include "tracker/site/data_files.hpp"
#include "tracker/site/plain_pages.hpp"
#include "tracker/site/tables.hpp"

namespace tracker {
namespace {

constexpr char kPage[] = "page.html";

// Of the device with the most to say against it: one picture tells of all of them.
SiteFile badge_of(const std::vector<DeviceTables>& tables) {
  struct Row {
    SeriesState state;
    BadgeColour colour;
  };
  static constexpr Row kRows[] = {{SeriesState::kSlower, BadgeColour::kBad},
                                  {SeriesState::kNewlySlower, BadgeColour::kBad},
                                  {SeriesState::kFaster, BadgeColour::kGood}};
  const std::string when = " in " + std::to_string(site_ranges()[kMainRange].days) + " d";
  std::vector<StateCounts> counts;
  for (const auto& device : tables) counts.push_back(count_states(device.series, kMainRange));
  for (const auto& row : kRows) {
    int most = 0;
    for (auto& of_device : counts) most = std::max(most, of_device[row.state]);
    if (most > 0)
      return {"badge.svg",
              make_badge("perf", std::to_string(most) + " " + state_in_words(row.state) + when, row.colour)};
  }
  const bool can_tell = tables.empty() || std::any_of(tables.begin(), tables.end(), [](const auto& device) {
                          return can_tell_change(device.series, kMainRange);
                        });
  if (!can_tell) return {"badge.svg", make_badge("perf", "too few commits", BadgeColour::kNeutral)};
  return {"badge.svg", make_badge("perf", "no lasting change" + when, BadgeColour::kNeutral)};
}

}  // namespace

std::vector<SiteFile> make_site(const SiteHistory& history) {
  const auto tables = tables_of(history);
  std::vector<SiteFile> files = data_files(history, tables);
  const auto pages = plain_page_names(history);
  for (std::size_t i = 0; i < history.devices.size(); ++i)
    files.push_back({pages[i], plain_page(history, history.devices[i], tables[i])});
  files.push_back(badge_of(tables));
  for (const auto& asset : embedded_assets())
    if (asset.name != std::string_view(kPage))
      files.push_back({"assets/" + std::string(asset.name), std::string(asset.text)});
  // Last: whoever looks while the site is being written finds an old page with old data, or a new one.
  files.push_back(
      {"index.html", fill_page(asset_text(kPage), {{"policy", content_policy()},
                                                   {"title", xml_text(history.title)},
                                                   {"tables", plain_overview(history, tables, pages)}})});
  return files;
}

}  // namespace tracker
