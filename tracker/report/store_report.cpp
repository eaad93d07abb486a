#include <algorithm>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/data_table.hpp"
#include "tracker/report/json_report.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kLabelColumns = 11;
constexpr std::size_t kUsualColumns = 80;

std::string size_text(std::uint64_t bytes) {
  return format_bytes(static_cast<double>(bytes));
}

// A part of `all` that are so many.
double mean_of(std::uint64_t bytes, std::size_t count) {
  return static_cast<double>(bytes) / static_cast<double>(count);
}

std::string runs_text(const StoreStats& stats) {
  if (stats.runs == 0) return "none";
  return count_of(stats.runs, "run") + " of " + count_of(stats.commits, "commit") + " on " +
         count_of(stats.devices.size(), "device");
}

std::string time_range(const StoreStats& stats) {
  return stats.oldest == stats.newest ? stats.newest : stats.oldest + " to " + stats.newest;
}

std::string documents_text(const DocumentSizes& sizes) {
  std::string text = size_text(sizes.run_bytes + sizes.other_bytes) + " as text";
  if (sizes.runs > 0) text += ", " + format_bytes(mean_of(sizes.run_bytes, sizes.runs)) + " a run";
  if (sizes.packed_bytes) text += "; " + size_text(*sizes.packed_bytes) + " compressed in the database";
  if (sizes.not_here > 0) text += "; without " + count_of(sizes.not_here, "document") + " not fetched yet";
  return text;
}

std::string samples_text(const SampledRuns& sampled) {
  return format_bytes(mean_of(sampled.compressed_bytes, sampled.runs)) + " a run, compressed alone; " +
         format_bytes(mean_of(sampled.text_bytes, sampled.runs)) + " as text (newest " +
         (sampled.runs == 1 ? "run" : count_of(sampled.runs, "run")) + ")";
}

std::string git_text(const GitDisk& git) {
  return size_text(git.loose_bytes) + " loose, " + size_text(git.packed_bytes) + " in " +
         count_of(git.packs, "pack") + ", for the whole repository";
}

std::string device_table(const std::vector<DeviceStats>& devices, std::size_t columns) {
  constexpr std::size_t kRunsWidth = 6;
  constexpr std::size_t kCommitsWidth = 7;
  constexpr std::size_t kNewestWidth = 22;
  constexpr std::size_t kNamesMin = 8;
  std::vector<std::vector<std::string>> rows;
  for (const auto& device : devices)
    rows.push_back(
        {device.device, std::to_string(device.runs), std::to_string(device.commits), device.newest});
  constexpr std::size_t kRest = kRunsWidth + kCommitsWidth + kNewestWidth + 4;
  const std::size_t names_max = columns > kRest + kNamesMin ? columns - kRest : kNamesMin;
  return text_table({{.head = "device", .width_max = columns > 0 ? names_max : kTableUnlimited},
                     {.head = "runs", .right = true, .width_min = kRunsWidth},
                     {.head = "commits", .right = true, .width_min = kCommitsWidth},
                     {.head = "newest"}},
                    rows);
}

}  // namespace

std::string store_stats_text(const StoreStats& stats, std::size_t columns) {
  const std::size_t width = columns == 0 ? kUsualColumns : std::min(columns, kUsualColumns);
  std::string text;
  const auto put = [&](std::string_view label, const std::string& value) {
    text += wrapped(value, width, left_aligned(label, kLabelColumns));
  };
  put("store", stats.store);
  put("runs", runs_text(stats));
  if (stats.runs > 0) put("recorded", time_range(stats));
  if (stats.profiles > 0) put("profiles", std::to_string(stats.profiles));
  if (stats.tombstones > 0) put("dropped", count_of(stats.tombstones, "document") + " (tombstones)");
  if (stats.others > 0) put("ignored", count_of(stats.others, "file") + " not of tracker");
  put("documents", documents_text(stats.documents));
  if (stats.sampled.runs > 0) put("samples", samples_text(stats.sampled));
  if (stats.git) put("git", git_text(*stats.git));
  put("summaries", stats.summary_bytes ? size_text(*stats.summary_bytes) : "none yet");
  if (!stats.devices.empty()) text += "\n" + device_table(stats.devices, columns);
  return text;
}

std::string store_stats_json(const StoreStats& stats) {
  const auto device_json = [](const DeviceStats& one) -> Json {
    return {{"device", one.device}, {"runs", one.runs}, {"commits", one.commits}, {"newest", one.newest}};
  };
  const auto& documents = stats.documents;
  Json sizes = {{"runs", documents.runs},
                {"run_bytes", documents.run_bytes},
                {"others", documents.others},
                {"other_bytes", documents.other_bytes},
                {"not_here", documents.not_here},
                {"packed_bytes", documents.packed_bytes ? Json(*documents.packed_bytes) : Json()}};
  const auto& sampled = stats.sampled;
  Json samples = {{"runs", sampled.runs},
                  {"samples", sampled.samples},
                  {"text_bytes", sampled.text_bytes},
                  {"number_bytes", sampled.number_bytes},
                  {"compressed_bytes", sampled.compressed_bytes}};
  Json git;
  if (stats.git)
    git = {{"loose_objects", stats.git->loose_objects},
           {"loose_bytes", stats.git->loose_bytes},
           {"packed_objects", stats.git->packed_objects},
           {"packs", stats.git->packs},
           {"packed_bytes", stats.git->packed_bytes}};
  return json_text({{"schema", "tracker.store/1"},
                    {"store", stats.store},
                    {"runs", stats.runs},
                    {"commits", stats.commits},
                    {"oldest", text_or_null(stats.oldest)},
                    {"newest", text_or_null(stats.newest)},
                    {"profiles", stats.profiles},
                    {"tombstones", stats.tombstones},
                    {"ignored_files", stats.others},
                    {"devices", list_json(stats.devices, device_json)},
                    {"documents", sizes},
                    {"samples", samples},
                    {"git", git},
                    {"summary_bytes", stats.summary_bytes ? Json(*stats.summary_bytes) : Json()}});
}

}  // namespace tracker::report
