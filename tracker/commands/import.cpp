// Takes in files that a pull request's code may have written: they are data, and hostile until shown
// otherwise.
#include <algorithm>
#include <iostream>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/workspace.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/store/copy.hpp"

namespace tracker {
namespace {

struct ImportOptions {
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> commits;
};

using Documents = std::vector<std::pair<StoredKey, std::string>>;

// Which commits' documents are taken.
class Allowed {
 public:
  Allowed(const Repository& repository, const std::vector<std::string>& revisions) : repository_(repository) {
    for (const auto& revision : revisions) commits_.insert(repository.resolve(revision).id);
  }

  void require(const ExportedFile& file) const {
    if (commits_.empty() ? is_here(file.key.commit) : commits_.contains(file.key.commit)) return;
    throw Error(ExitCode::kUsage,
                "'" + printable(file.path.string()) + "' is of commit " + file.key.commit + ", which is " +
                    (commits_.empty() ? "not in this repository" : "none of those asked for"),
                commits_.empty()
                    ? "nothing was imported; git fetch gets what is new"
                    : "nothing was imported; --commit names the commits whose results are taken");
  }

 private:
  bool is_here(const std::string& commit) const {
    try {
      return repository_.resolve(commit).id == commit;
    } catch (const Error&) {
      return false;
    }
  }

  const Repository& repository_;
  std::set<std::string> commits_;
};

// What the document says of itself, as a key.
StoredKey key_within(const ExportedFile& file, const std::string& text) {
  const std::string source = file.path.string();
  if (file.key.kind == DocumentKind::kProfile) {
    const Profile profile = read_profile_strictly(text, source);
    return {device_key(profile.device), profile.commit, profile.id, DocumentKind::kProfile};
  }
  const Run run = read_run_strictly(text, source);
  return {device_key(run.device), run.commit, document_id(run), DocumentKind::kRun};
}

void require_same(const ExportedFile& file, const StoredKey& within) {
  const struct {
    const char* part;
    const std::string& path;
    const std::string& document;
  } parts[] = {{"device", file.key.device, within.device},
               {"commit", file.key.commit, within.commit},
               {"id", file.key.id, within.id}};
  for (const auto& [part, path, document] : parts)
    if (path != document)
      throw Error(ExitCode::kUsage,
                  "'" + printable(file.path.string()) + "' lies at " + part + " '" + path + "', and is of '" +
                      printable(document) + "'",
                  "nothing was imported; was it renamed after tracker export wrote it?");
}

Documents read_all(const Workspace& workspace, const ImportOptions& options) {
  std::vector<ExportedFile> files;
  for (const auto& folder : options.folders)
    for (auto& file : find_exported(folder, kImportLimits.files)) files.push_back(std::move(file));
  const Allowed allowed(workspace.repository(), options.commits);
  for (const auto& file : files) allowed.require(file);
  Documents documents;
  std::size_t bytes = 0;
  for (const auto& file : files) {
    std::string text = read_file(file.path, kImportLimits.file_bytes);
    bytes += text.size();
    if (files.size() > kImportLimits.files || bytes > kImportLimits.total_bytes)
      throw Error(ExitCode::kUsage,
                  "more than " + std::to_string(kImportLimits.files) + " files or " +
                      format_bytes(static_cast<double>(kImportLimits.total_bytes)) + " at once",
                  "nothing was imported; import fewer at a time");
    require_same(file, key_within(file, text));
    documents.emplace_back(file.key, std::move(text));
  }
  return documents;
}

// The documents that are in the store before.
std::size_t count_known(const Store& store, const Documents& documents) {
  return static_cast<std::size_t>(
      std::count_if(documents.begin(), documents.end(), [&](const auto& document) {
        const StoredKey& key = document.first;
        const auto keys =
            key.kind == DocumentKind::kRun ? store.keys_of(key.commit) : store.profile_keys_of(key.commit);
        return std::find(keys.begin(), keys.end(), key) != keys.end();
      }));
}

ExitCode import_documents(const Globals& globals, const ImportOptions& options) {
  const Workspace workspace(globals);
  const Documents documents = read_all(workspace, options);
  Store& store = workspace.store();
  const std::size_t known = count_known(store, documents);
  store.add(documents);
  std::vector<StoredKey> keys;
  for (const auto& [key, text] : documents) keys.push_back(key);
  std::cout << "imported " << in_words(count_kinds(keys)) << " into " << store.describe();
  if (known > 0) std::cout << ", of which " << known << (known == 1 ? " was" : " were") << " there already";
  std::cout << "\n";
  for (const auto& key : keys)
    std::cout << "  " << left_aligned(word_for(key.kind), 7) << "  " << short_id(key.commit) << "  "
              << key.device << "  " << key.id << "\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_import(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("folders", options->folders, "folders that tracker export wrote")->required();
  app.add_option(
         "--commit", options->commits,
         "take results of this commit alone; may be given again (default: any commit of this repository)")
      ->allow_extra_args(false);
  app.footer(
      "The files are not trusted: what is not exactly a run or a profile at its place, within the "
      "limits\n"
      "of docs/store.md, and of a commit that was asked for, is named, and then nothing at all is imported.\n"
      "Exit codes: 0 imported or there already, 2 a file was refused, 4 the store failed.");
  return [options, &globals] { return import_documents(globals, *options); };
}

}  // namespace tracker
