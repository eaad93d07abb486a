#include <algorithm>
#include <iostream>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/workspace.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/formats/google_benchmark_writer.hpp"
#include "tracker/formats/metric_lines.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/store.hpp"

namespace tracker {
namespace {

constexpr char kDocuments[] = "documents";
constexpr char kGoogleBenchmark[] = "google-benchmark";

// Formats that write the runs of all commits into one file.
struct LinesFormat {
  const char* name;
  const char* file;
  std::string (*write)(const std::vector<Run>& runs);
};
constexpr LinesFormat kLinesFormats[] = {{"openmetrics", "tracker.openmetrics", write_openmetrics},
                                         {"influx", "tracker.influx", write_influx}};

struct ExportOptions {
  std::vector<std::string> commits;
  std::filesystem::path out;
  std::string device;
  std::string format = kDocuments;
};

// All that is recorded for the commit on these devices.
std::vector<StoredKey> keys_for(const Workspace& workspace, const std::string& revision,
                                const std::string& device) {
  const Commit commit = workspace.repository().resolve(revision);
  const Store& store = workspace.store();
  auto keys = store.keys_of(commit.id);
  for (auto& key : store.profile_keys_of(commit.id)) keys.push_back(std::move(key));
  const bool any = !keys.empty();
  std::erase_if(keys,
                [&](const StoredKey& key) { return !device.empty() && !glob_match(device, key.device); });
  if (keys.empty())
    throw Error(
        ExitCode::kCannotJudge,
        "nothing is recorded for " + describe(commit) + " in " + store.describe() +
            (any ? " on a device that matches '" + printable(device) + "'" : ""),
        any ? "tracker log lists the devices" : "measure it: tracker run; or fetch it: tracker sync --fetch");
  return keys;
}

// One file an invocation that counts, of the runs alone. Those of one commit and device are one folder, which
// compare takes as a side.
void write_invocations(const StoredKey& key, const std::string& document, const std::filesystem::path& out) {
  if (key.kind != DocumentKind::kRun) return;
  const Run run = read_run(document, path_of(key));
  int number = 0;
  for (const auto& invocation : run.invocations) {
    ++number;
    if (invocation.excluded) continue;
    const auto path =
        std::filesystem::path(key.device) / key.commit / (key.id + "-" + std::to_string(number) + ".json");
    write_file(out / path, write_google_benchmark(run, invocation));
    std::cout << "  " << printable(path.string()) << "\n";
  }
}

// None where readers, or tracker import, would pass it over or refuse it and all others with it: it is named.
std::optional<std::string> text_of(const Store& store, const StoredKey& key) {
  try {
    std::string text = store.read(key);
    if (const auto unusable = why_unusable(key, text)) {
      store.leave_out(key, unusable->why, unusable->remedy);
      return {};
    }
    if (key.kind == DocumentKind::kProfile)
      read_profile_strictly(text, path_of(key));
    else
      read_run_strictly(text, path_of(key));
    return text;
  } catch (const StoreUnreachable&) {
    throw;
  } catch (const Error& error) {
    store.leave_out(key, error.what());
    return {};
  }
}

ExitCode export_documents(const Globals& globals, const ExportOptions& options) {
  const Workspace workspace(globals);
  std::vector<StoredKey> keys;
  std::set<std::string> seen;
  for (const auto& revision : options.commits)
    for (auto& key : keys_for(workspace, revision, options.device))
      if (seen.insert(path_of(key)).second) keys.push_back(std::move(key));
  std::size_t written = 0;
  const auto* lines = std::find_if(std::begin(kLinesFormats), std::end(kLinesFormats),
                                   [&](const LinesFormat& format) { return options.format == format.name; });
  std::vector<Run> runs;
  std::cout << "exported to " << printable(options.out.string()) << "\n";
  for (const auto& key : keys) {
    const auto text = text_of(workspace.store(), key);
    if (!text) continue;
    ++written;
    if (lines != std::end(kLinesFormats)) {
      if (key.kind == DocumentKind::kRun) runs.push_back(read_run(*text, path_of(key)));
      continue;
    }
    if (options.format == kGoogleBenchmark) {
      write_invocations(key, *text, options.out);
      continue;
    }
    write_file(options.out / path_of(key), *text);
    std::cout << "  " << left_aligned(word_for(key.kind), 7) << "  " << path_of(key) << "\n";
  }
  if (written == 0)
    throw Error(ExitCode::kCannotJudge, "nothing that is recorded there can be used",
                "tracker store verify says what is wrong");
  if (lines != std::end(kLinesFormats)) {
    write_file(options.out / lines->file, lines->write(runs));
    std::cout << "  " << lines->file << "\n";
  }
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_export(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("commits", options->commits, "commits whose runs and profiles to write (default HEAD)");
  app.add_option("--out", options->out, "the folder to write to")->required();
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option(
         "--format", options->format,
         "documents (default); google-benchmark: one JSON file an invocation, for compare.py and others; "
         "openmetrics or influx: one file of all, for Prometheus, InfluxDB and Grafana")
      ->check(CLI::IsMember({kDocuments, kGoogleBenchmark, kLinesFormats[0].name, kLinesFormats[1].name}));
  app.footer(
      "Writes the documents byte for byte as <device>/<commit[0:2]>/<commit>/<id>.json, which tracker "
      "import\n"
      "records elsewhere.\n"
      "Exit codes: 0 written, 2 usage, 3 nothing is recorded for a commit, 4 git or the disk failed.");
  return [options, &globals] {
    if (options->commits.empty()) options->commits = {"HEAD"};
    return export_documents(globals, *options);
  };
}

}  // namespace tracker
