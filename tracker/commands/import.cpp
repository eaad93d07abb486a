// Takes in files that a pull request's code may have written: they are data, and hostile until shown
// otherwise.

#include <algorithm>
#include <iostream>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/google_benchmark.hpp"
#include "tracker/formats/metric_lines.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/copy.hpp"
#include "tracker/store/store.hpp"

namespace tracker::commands {
namespace {

struct ImportOptions {
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> commits;
};

using Documents = std::vector<std::pair<store::Key, std::string>>;

bool is_here(const repo::Repository& repository, const std::string& commit) {
  try {
    return repository.resolve(commit).id == commit;
  } catch (const Error&) {
    return false;
  }
}

// `commits`: those that were asked for; none: any of this repository.
void require_allowed(const store::ExportedFile& file, const repo::Repository& repository,
                     const std::set<std::string>& commits) {
  const bool any = commits.empty();
  if (any ? is_here(repository, file.key.commit) : commits.contains(file.key.commit)) return;
  throw Error(ExitCode::kUsage,
              in_quotes(file.path.string()) + " is of commit " + file.key.commit + ", which is " +
                  (any ? "not in this repository" : "none of those asked for"),
              any ? "nothing was imported; git fetch gets what is new"
                  : "nothing was imported; --commit names the commits whose results are taken");
}

// What the document says of itself, as a key.
store::Key key_within(store::DocumentKind kind, const std::string& text, const std::string& source) {
  if (kind == store::DocumentKind::kProfile) {
    const Profile profile = formats::read_profile_strictly(text, source);
    return {device_key(profile.device), profile.commit, profile.id, kind};
  }
  const Run run = formats::read_run_strictly(text, source);
  return {device_key(run.device), run.commit, formats::document_id(run), kind};
}

void require_same(const store::ExportedFile& file, const store::Key& within) {
  for (const auto& [part, member] :
       {std::pair{"device", &store::Key::device}, {"commit", &store::Key::commit}, {"id", &store::Key::id}})
    if (file.key.*member != within.*member)
      throw Error(ExitCode::kUsage,
                  in_quotes(file.path.string()) + " lies at " + part + " '" + file.key.*member +
                      "', and is of " + in_quotes(within.*member),
                  "nothing was imported; was it renamed after tracker export wrote it?");
}

Documents read_all(const app::Workspace& workspace, const ImportOptions& options) {
  std::vector<store::ExportedFile> files;
  for (const auto& folder : options.folders)
    for (auto& file : store::find_exported(folder, formats::kImportLimits.files))
      files.push_back(std::move(file));
  std::set<std::string> commits;
  for (const auto& revision : options.commits) commits.insert(workspace.repository().resolve(revision).id);
  for (const auto& file : files) require_allowed(file, workspace.repository(), commits);
  Documents documents;
  std::size_t bytes = 0;
  for (const auto& file : files) {
    std::string text = read_file(file.path, formats::kImportLimits.file_bytes);
    bytes += text.size();
    if (files.size() > formats::kImportLimits.files || bytes > formats::kImportLimits.total_bytes)
      throw Error(ExitCode::kUsage,
                  "more than " + std::to_string(formats::kImportLimits.files) + " files or " +
                      format_bytes(static_cast<double>(formats::kImportLimits.total_bytes)) + " at once",
                  "nothing was imported; import fewer at a time");
    require_same(file, key_within(file.key.kind, text, file.path.string()));
    documents.emplace_back(file.key, std::move(text));
  }
  return documents;
}

// How many of them are in the store.
std::size_t count_known(const store::Store& store, const std::vector<store::Key>& keys) {
  return static_cast<std::size_t>(std::ranges::count_if(keys, [&](const store::Key& key) {
    const bool is_run = key.kind == store::DocumentKind::kRun;
    return std::ranges::count(is_run ? store.keys_of(key.commit) : store.profile_keys_of(key.commit), key) >
           0;
  }));
}

ExitCode import_documents(const Globals& globals, const ImportOptions& options) {
  const app::Workspace workspace(globals);
  const Documents documents = read_all(workspace, options);
  store::Store& store = workspace.store();
  std::vector<store::Key> keys;
  for (const auto& [key, text] : documents) keys.push_back(key);
  const std::size_t known = count_known(store, keys);
  store.add(documents);
  std::cout << "imported " << store::in_words(store::count_kinds(keys)) << " into " << store.describe();
  if (known > 0) std::cout << ", of which " << known << (known == 1 ? " was" : " were") << " there already";
  std::cout << "\n";
  for (const auto& key : keys)
    std::cout << "  " << left_aligned(store::word_for(key.kind), 7) << "  " << short_id(key.commit) << "  "
              << key.device << "  " << key.id << "\n";
  return ExitCode::kOk;
}

constexpr char kDocuments[] = "documents";
constexpr char kGoogleBenchmark[] = "google-benchmark";

// Formats that write the runs of all commits into one file.
struct LinesFormat {
  const char* name;
  const char* file;
  std::string (*write)(const std::vector<Run>& runs);
};
constexpr LinesFormat kLinesFormats[] = {{"openmetrics", "tracker.openmetrics", formats::write_openmetrics},
                                         {"influx", "tracker.influx", formats::write_influx}};

struct ExportOptions {
  std::vector<std::string> commits;
  std::filesystem::path out;
  std::string device;
  std::string format = kDocuments;
};

// All that is recorded for the commit on these devices.
std::vector<store::Key> keys_for(const app::Workspace& workspace, const std::string& revision,
                                 const std::string& device) {
  const Commit commit = workspace.repository().resolve(revision);
  const store::Store& store = workspace.store();
  auto keys = store.keys_of(commit.id);
  for (auto& key : store.profile_keys_of(commit.id)) keys.push_back(std::move(key));
  const bool any = !keys.empty();
  std::erase_if(keys,
                [&](const store::Key& key) { return !device.empty() && !glob_match(device, key.device); });
  if (keys.empty())
    throw Error(
        ExitCode::kCannotJudge,
        "nothing is recorded for " + describe(commit) + " in " + store.describe() +
            (any ? " on a device that matches " + in_quotes(device) : ""),
        any ? "tracker log lists the devices" : "measure it: tracker run; or fetch it: tracker sync --fetch");
  return keys;
}

// One file an invocation that counts, of the runs alone. Those of one commit and device are one folder, which
// compare takes as a side.
void write_invocations(const store::Key& key, const std::string& document, const std::filesystem::path& out) {
  if (key.kind != store::DocumentKind::kRun) return;
  const Run run = formats::read_run(document, store::path_of(key));
  int number = 0;
  for (const auto& invocation : run.invocations) {
    ++number;
    if (invocation.excluded) continue;
    const auto path =
        std::filesystem::path(key.device) / key.commit / (key.id + "-" + std::to_string(number) + ".json");
    write_file(out / path, formats::write_google_benchmark(run, invocation));
    print_line("  " + path.string());
  }
}

// None where readers, or tracker import, would pass it over or refuse it and all others with it: it is named.
std::optional<std::string> text_of(const store::Store& store, const store::Key& key) {
  try {
    std::string text = store.read(key);
    if (const auto unusable = history::why_unusable(key, text)) {
      store.leave_out(key, unusable->why, unusable->remedy);
      return {};
    }
    key_within(key.kind, text, store::path_of(key));
    return text;
  } catch (const store::Unreachable&) {
    throw;
  } catch (const Error& error) {
    store.leave_out(key, error.what());
    return {};
  }
}

ExitCode export_documents(const Globals& globals, const ExportOptions& options) {
  const app::Workspace workspace(globals);
  std::vector<store::Key> keys;
  std::set<std::string> seen;
  for (const auto& revision : options.commits)
    for (auto& key : keys_for(workspace, revision, options.device))
      if (seen.insert(store::path_of(key)).second) keys.push_back(std::move(key));
  std::size_t written = 0;
  const auto* lines = std::ranges::find(kLinesFormats, options.format, &LinesFormat::name);
  std::vector<Run> runs;
  print_line("exported to " + options.out.string());
  for (const auto& key : keys) {
    const auto text = text_of(workspace.store(), key);
    if (!text) continue;
    ++written;
    if (options.format == kGoogleBenchmark) {
      write_invocations(key, *text, options.out);
    } else if (options.format == kDocuments) {
      write_file(options.out / store::path_of(key), *text);
      std::cout << "  " << left_aligned(store::word_for(key.kind), 7) << "  " << store::path_of(key) << "\n";
    } else if (key.kind == store::DocumentKind::kRun) {
      runs.push_back(formats::read_run(*text, store::path_of(key)));
    }
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

Action declare_import(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("folders", options->folders, "folders that tracker export wrote")->required();
  app.add_option(
         "--commit", options->commits,
         "take results of this commit alone; may be given again (default: any commit of this repository)")
      ->allow_extra_args(false);
  app.footer(
      R"(The files are not trusted: what is not exactly a run or a profile at its place, within the limits
of docs/store.md, and of a commit that was asked for, is named, and then nothing at all is imported.
Exit codes: 0 imported or there already, 2 a file was refused, 4 the store failed.)");
  return [options, &globals] { return import_documents(globals, *options); };
}

Action declare_export(CLI::App& app, const Globals& globals) {
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
      R"(Writes the documents byte for byte as <device>/<commit[0:2]>/<commit>/<id>.json, which tracker import
records elsewhere.
Exit codes: 0 written, 2 usage, 3 nothing is recorded for a commit, 4 git or the disk failed.)");
  return [options, &globals] {
    if (options->commits.empty()) options->commits = {"HEAD"};
    return export_documents(globals, *options);
  };
}

}  // namespace tracker::commands
