// Looks after what is recorded: every document checked, and a broken one dropped.
#include "tracker/store/store.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/workspace.hpp"
#include "tracker/formats/tombstone.hpp"
#include "tracker/history/stored_document.hpp"

namespace tracker {
namespace {

enum class State { kGood, kBroken, kNewer, kDropped, kOther };

struct StateLook {
  const char* word;     // at the start of a line
  const char* counted;  // "2 broken"
};

constexpr StateLook kStates[] = {{"ok", "fine"},
                                 {"BROKEN", "broken"},
                                 {"newer", "of a newer tracker"},
                                 {"dropped", "dropped"},
                                 {"other", "not of tracker"}};

struct Checked {
  State state = State::kGood;
  std::string remark;
};

Checked check(const Store& store, const StoredFile& file) {
  try {
    if (file.what == StoredFile::What::kTombstone)
      return {State::kDropped, reason_of_tombstone(store.read_file(file.path))};
    if (file.what == StoredFile::What::kOther) return {State::kOther, "ignored"};
    if (file.is_dropped) return {State::kDropped, "see the reason beside it"};
    if (!file.is_file) return {State::kBroken, "no regular file"};
    const std::string text = store.read(file.key);
    if (is_newer_document(file.key, text)) return {State::kNewer, "update tracker to read it"};
    const std::string why = why_unusable(file.key, text);
    return {why.empty() ? State::kGood : State::kBroken, why};
  } catch (const Error& error) {
    return {State::kBroken, error.what()};
  }
}

ExitCode verify(const Globals& globals, bool only_problems) {
  const Workspace workspace(globals);
  const Store& store = workspace.store();
  std::map<State, std::size_t> counts;
  for (const auto& file : store.files()) {
    const Checked checked = check(store, file);
    if (file.what != StoredFile::What::kTombstone) ++counts[checked.state];
    if (only_problems && checked.state != State::kBroken) continue;
    std::cout << left_aligned(kStates[static_cast<int>(checked.state)].word, 7) << "  "
              << printable(file.path);
    if (!checked.remark.empty()) std::cout << ": " << printable(checked.remark);
    std::cout << "\n";
  }
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts)
    parts.push_back(std::to_string(count) + " " + kStates[static_cast<int>(state)].counted);
  std::cout << store.describe() << ": " << (parts.empty() ? "nothing is recorded" : join(parts, ", "))
            << "\n";
  if (counts[State::kBroken] == 0) return ExitCode::kOk;
  std::cout << "broken ones are left out by all commands; to be rid of one: tracker store drop PATH --reason "
               "TEXT\n";
  return ExitCode::kEnvironment;
}

// The document that is meant by a path of the store, or by an id alone.
StoredKey find_document(const Store& store, const std::string& what) {
  if (const auto key = key_at(what)) return *key;
  std::vector<StoredKey> found;
  for (const auto& file : store.files())
    if (file.what == StoredFile::What::kDocument && file.key.id == what) found.push_back(file.key);
  const std::string quoted = "'" + printable(what) + "'";
  if (found.empty())
    throw Error(ExitCode::kUsage, "no document " + quoted + " in " + store.describe(),
                "tracker store verify lists their paths");
  if (found.size() > 1)
    throw Error(ExitCode::kUsage, std::to_string(found.size()) + " documents have the id " + quoted,
                "name one by its path: " + path_of(found.front()));
  return found.front();
}

ExitCode drop(const Globals& globals, const std::string& what, const std::string& reason) {
  const Workspace workspace(globals);
  Store& store = workspace.store();
  const StoredKey key = find_document(store, what);
  const std::string now = format_utc(std::chrono::system_clock::now());
  const bool is_new = store.drop(key, write_tombstone(reason, now));
  std::cout << (is_new ? "dropped " : "was dropped before: ") << word_for(key.kind) << " " << path_of(key)
            << "\n";
  if (is_new) std::cout << "tracker sync tells the other clones; its text stays in git's history\n";
  return ExitCode::kOk;
}

std::function<ExitCode()> declare_verify(CLI::App& app, const Globals& globals) {
  auto only_problems = std::make_shared<bool>(false);
  app.add_flag("--problems", *only_problems, "list only what is broken");
  app.footer("Exit codes: 0 every document can be used, 4 some cannot, or the store cannot be read.");
  return [only_problems, &globals] { return verify(globals, *only_problems); };
}

std::function<ExitCode()> declare_drop(CLI::App& app, const Globals& globals) {
  auto what = std::make_shared<std::string>();
  auto reason = std::make_shared<std::string>();
  app.add_option("document", *what, "its path as tracker store verify lists it, or its id")->required();
  app.add_option("--reason", *reason, "why; kept beside it")->required();
  app.footer(
      "The document is ignored from now on, here and in every clone that syncs.\n"
      "Exit codes: 0 dropped, 2 no such document, 4 the store failed.");
  return [what, reason, &globals] { return drop(globals, *what, *reason); };
}

const std::vector<Command>& store_commands() {
  static const std::vector<Command> table{
      {"verify", "read every document, and say which cannot be used", declare_verify},
      {"drop", "pass over a document from now on, here and wherever this is synced to", declare_drop},
  };
  return table;
}

}  // namespace

std::function<ExitCode()> declare_store(CLI::App& app, const Globals& globals) {
  auto actions = std::make_shared<std::map<const CLI::App*, std::function<ExitCode()>>>();
  for (const auto& command : store_commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    (*actions)[sub] = command.declare(*sub, globals);
  }
  app.require_subcommand(1);
  return [actions, &app] { return actions->at(app.get_subcommands().front())(); };
}

}  // namespace tracker
