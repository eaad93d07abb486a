// Looks after what is recorded: every document checked, a broken one dropped, all of it moved elsewhere.

#include "tracker/store/store.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tracker/app/store_documents.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/postgres/postgres_store.hpp"
#include "tracker/report/data_table.hpp"
#include "tracker/store/copy.hpp"

namespace tracker::commands {
namespace {

// `tracker store compact`.

struct CompactOptions {
  std::string older_than;
  std::string device;
  bool apply = false;
};

std::string sizes_in_words(std::uint64_t before, std::uint64_t after) {
  constexpr double kPercent = 100;
  const auto bytes_before = static_cast<double>(before);
  const auto bytes_after = static_cast<double>(after);
  return format_bytes(bytes_before) + " → " + format_bytes(bytes_after) + " (" +
         std::to_string(static_cast<int>(std::lround(kPercent * bytes_after / bytes_before))) + " %)";
}

void print_outcome(const app::CompactOutcome& outcome, const CompactOptions& options,
                   const app::Workspace& workspace) {
  const std::string count = count_of(outcome.replaced, "run") + " older than " + options.older_than;
  std::cout << workspace.store().describe() << ": " << count << " of " << outcome.runs
            << (options.apply ? " compacted\n" : " can be compacted\n");
  if (outcome.replaced > 0)
    std::cout << "as text     " << sizes_in_words(outcome.text_before, outcome.text_after) << "\n"
              << "compressed  " << sizes_in_words(outcome.compressed_before, outcome.compressed_after)
              << ", each document by itself\n";
  if (outcome.compacted > 0) std::cout << count_of(outcome.compacted, "run") << " compacted before\n";
  if (outcome.not_worth > 0)
    std::cout << count_of(outcome.not_worth, "old run")
              << " left as they are: with so few repetitions less than a tenth would be saved\n";
  if (outcome.not_exact > 0)
    std::cout
        << count_of(outcome.not_exact, "run")
        << " left as they are: a compact document would not give the same answers, or they cannot be read\n";
  if (outcome.replaced == 0) return;
  if (!options.apply) {
    std::cout << "Nothing was changed: this was a trial. Add --apply to do it.\n";
    return;
  }
  std::cout << "The whole documents are passed over from now on, and stay in the store.\n";
  if (workspace.store_place().is_git())
    std::cout << "tracker sync tells the other clones. To free the space: tracker store copy "
                 "--without-dropped, see docs/store.md\n";
}

ExitCode run_compact(const Globals& globals, const CompactOptions& options) {
  const auto days = parse_days(options.older_than);
  if (!days)
    throw Error(ExitCode::kUsage, "--older-than " + in_quotes(options.older_than) + " is no number of days",
                "write it like 2y, 26w or 90d");
  const app::Workspace workspace(globals);
  const auto now = std::chrono::system_clock::now();
  app::CompactRequest request;
  request.before = now - std::chrono::hours(24) * *days;
  request.device = options.device;
  request.apply = options.apply;
  request.dropped_at = format_utc(now);
  WaitingLine waiting("reading what is recorded");
  const auto outcome = app::compact_store(workspace, request, [&](std::size_t done, std::size_t all) {
    waiting.say("read " + std::to_string(done) + " of " + count_of(all, "run"));
  });
  waiting.clear();
  print_outcome(outcome, options, workspace);
  return ExitCode::kOk;
}

std::function<ExitCode()> declare_store_compact(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompactOptions>();
  app.add_option("--older-than", options->older_than, "age of the runs to compact: 2y, 26w, 90d")->required();
  app.add_option("--device", options->device, "only of devices that match");
  app.add_flag("--apply", options->apply, "do it; without it, only say what would be saved");
  app.footer(
      "Of the repetitions of a benchmark in an invocation it keeps the least time and the one or two in\n"
      "the middle. All answers are made from these, except charts of samples. The whole document is\n"
      "dropped, not deleted.\n"
      "Exit codes: 0 done or said, 2 no such age, 4 the store cannot be read or written.");
  return [options, &globals] { return run_compact(globals, *options); };
}

// `tracker store stats`.

ExitCode print_store_stats(const Globals& globals, const std::string& format) {
  const app::Workspace workspace(globals);
  const StoreStats stats = app::store_stats(workspace);
  std::cout << (format == "json"
                    ? report::store_stats_json(stats)
                    : report::store_stats_text(stats, static_cast<std::size_t>(terminal_columns())));
  return ExitCode::kOk;
}

std::function<ExitCode()> declare_store_stats(CLI::App& app, const Globals& globals) {
  auto format = std::make_shared<std::string>("text");
  add_format(app, *format, {"text", "json"});
  app.footer(
      "It reads the newest 20 runs at most, and of all other documents only the sizes.\n"
      "Exit codes: 0 printed, 4 the store cannot be read.");
  return [format, &globals] { return print_store_stats(globals, *format); };
}

struct StateLook {
  const char* word;     // at the start of a line
  const char* counted;  // "2 broken"
};

// By DocumentState.
constexpr StateLook kStates[] = {{"ok", "fine"},
                                 {"BROKEN", "broken"},
                                 {"newer", "of a newer tracker"},
                                 {"dropped", "dropped"},
                                 {"other", "not of tracker"}};

ExitCode verify(const Globals& globals, bool only_problems) {
  const app::Workspace workspace(globals);
  const auto lost = workspace.store().lost_step();
  if (lost) {
    print_line("BROKEN   " + lost->what);
    print_line("         next: " + lost->remedy);
  }
  const auto counts = app::check_documents(workspace.store(), [&](const app::CheckedDocument& document) {
    if (only_problems && document.state != app::DocumentState::kBroken) return;
    print_line(left_aligned(kStates[static_cast<int>(document.state)].word, 7) + "  " + document.path +
               (document.remark.empty() ? "" : ": " + document.remark));
  });
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts)
    parts.push_back(std::to_string(count) + " " + kStates[static_cast<int>(state)].counted);
  std::cout << workspace.store().describe() << ": "
            << (parts.empty() ? "nothing is recorded" : join(parts, ", ")) << "\n";
  if (!counts.contains(app::DocumentState::kBroken)) return lost ? ExitCode::kEnvironment : ExitCode::kOk;
  std::cout << "broken ones are left out by all commands; to be rid of one: tracker store drop PATH --reason "
               "TEXT\n";
  return ExitCode::kEnvironment;
}

ExitCode drop(const Globals& globals, const std::string& what, const std::string& reason) {
  const app::Workspace workspace(globals);
  const auto dropped = app::drop_document(workspace.store(), what, reason);
  std::cout << (dropped.is_new ? "dropped " : "was dropped before: ") << store::word_for(dropped.key.kind)
            << " " << store::path_of(dropped.key) << "\n";
  if (dropped.is_new && workspace.store_place().is_git())
    std::cout << "tracker sync tells the other clones; its text stays in git's history\n";
  return ExitCode::kOk;
}

ExitCode prepare(const Globals& globals, bool with_roles) {
  const app::Workspace workspace(globals, app::Without::kAllowed);
  if (workspace.store_place().is_git())
    throw Error(ExitCode::kUsage, "the store is a ref of this repository, which needs no preparing",
                "name a database: tracker --store postgresql://HOST/DATABASE store prepare");
  const auto prepared = postgres::prepare_store(workspace.store_place().where, with_roles);
  std::cout << prepared.name << ": "
            << (prepared.before == 0              ? "made the tables"
                : prepared.before == prepared.now ? "the tables are up to date"
                                                  : "brought the tables up to date")
            << " (schema " << prepared.now << ")\n";
  if (with_roles)
    std::cout << "who compares:         GRANT tracker_reader TO …\n"
                 "who records as well:  GRANT tracker_recorder TO …\n"
                 "who drops, compacts:  GRANT tracker_dropper TO …\n";
  return ExitCode::kOk;
}

// "12 runs and 1 profile, 2 tombstones"
std::string counts_in_words(const store::KindCounts& documents, std::size_t tombstones) {
  return store::in_words(documents) + (tombstones > 0 ? ", " + count_of(tombstones, "tombstone") : "");
}

void note_not_ours(const store::CopiedStore& copied) {
  if (copied.not_ours > 0)
    print_note(count_of(copied.not_ours, "file") +
               " of the store is no document of tracker and stays behind");
}

ExitCode copy(const Globals& globals, const std::string& from_name, const std::string& to_name,
              store::CopiedPart part) {
  const app::Workspace workspace(globals);
  const auto open = [&](const std::string& name) {
    return app::open_store(workspace.repository(), app::place_named(name), workspace.config());
  };
  const auto from = open(from_name);
  const auto to = open(to_name);
  if (from->describe() == to->describe())
    throw Error(ExitCode::kUsage, "both stores are " + from->describe(), "name two different ones");
  const auto progress = progress_for_terminal();
  constexpr std::size_t kParts = 20;
  constexpr std::size_t kStepsMin = 200;  // fewer are done in a moment
  bool began = false;
  const store::CopiedStore copied =
      store::copy_store(*from, *to, part, [&](std::size_t done, std::size_t all) {
        if (all < kStepsMin) return;
        if (!began) progress->begin(static_cast<int>(kParts));
        began = true;
        if (done * kParts / all == (done - 1) * kParts / all) return;
        progress->start_step(2 * done <= all ? "copying" : "reading back");
        progress->end_step();
      });
  if (began) progress->end();
  note_not_ours(copied);
  std::cout << counts_in_words(copied.copied, copied.tombstones) << " copied";
  if (copied.already_there.all() > 0)
    std::cout << ", " << store::in_words(copied.already_there) << " there already";
  std::cout << ": " << to->describe() << " has all of " << from->describe()
            << (part == store::CopiedPart::kNotDropped ? " that is not dropped" : "")
            << ", the same byte for byte (" << format_bytes(static_cast<double>(copied.bytes)) << ")\n";
  return ExitCode::kOk;
}

ExitCode export_all(const Globals& globals, const std::string& file) {
  const app::Workspace workspace(globals);
  const store::CopiedStore written = app::export_documents(workspace.store(), file, std::cout);
  note_not_ours(written);
  print_note(counts_in_words(written.copied, written.tombstones) + " of " + workspace.store().describe() +
             " written (" + format_bytes(static_cast<double>(written.bytes)) + ")");
  return ExitCode::kOk;
}

ExitCode import_all(const Globals& globals, const std::string& file) {
  const app::Workspace workspace(globals);
  const store::CopiedStore read = app::import_documents(workspace.store(), file, std::cin);
  std::cout << counts_in_words(read.copied, read.tombstones) << " recorded in "
            << workspace.store().describe();
  if (read.already_there.all() > 0)
    std::cout << ", " << store::in_words(read.already_there) << " there already";
  std::cout << "\n";
  return ExitCode::kOk;
}

std::function<ExitCode()> declare_prepare(CLI::App& app, const Globals& globals) {
  auto with_roles = std::make_shared<bool>(false);
  app.add_flag("--roles", *with_roles,
               "also make the roles tracker_reader, tracker_recorder and tracker_dropper");
  app.footer(
      "For a database that --store, TRACKER_STORE_URL or tracker.toml names. The roles may read,\n"
      "tracker_recorder may also add, tracker_dropper may also drop and compact, and none may change or "
      "remove\n"
      "what is recorded.\n"
      "Exit codes: 0 its tables can be used, 2 no database is named, 4 it cannot be reached or refuses.");
  return [with_roles, &globals] { return prepare(globals, *with_roles); };
}

std::function<ExitCode()> declare_copy(CLI::App& app, const Globals& globals) {
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  app.add_option("from", *from, "a ref, or postgresql://HOST/DATABASE")->required();
  app.add_option("to", *to, "the same")->required();
  auto without_dropped = std::make_shared<bool>(false);
  app.add_flag("--without-dropped", *without_dropped,
               "leave behind what was dropped or compacted, and the tombstones");
  app.footer(
      "Adds what the second store lacks, then reads all of it back and compares. Interrupted, it\n"
      "goes on where it was.\n"
      "Exit codes: 0 all of it is there, 2 no such store, 4 a store failed, or they differ.");
  return [from, to, without_dropped, &globals] {
    return copy(globals, *from, *to,
                *without_dropped ? store::CopiedPart::kNotDropped : store::CopiedPart::kAll);
  };
}

std::function<ExitCode()> declare_export_all(CLI::App& app, const Globals& globals) {
  auto file = std::make_shared<std::string>("-");
  app.add_option("file", *file, "where to write; standard output where none is named");
  app.footer(
      "One line of JSON for each document, with its text as it is, and one for each tombstone.\n"
      "Exit codes: 0 written, 4 the store or the disk failed.");
  return [file, &globals] { return export_all(globals, *file); };
}

std::function<ExitCode()> declare_import_all(CLI::App& app, const Globals& globals) {
  auto file = std::make_shared<std::string>();
  app.add_option("file", *file, "what tracker store export wrote; - for standard input")->required();
  app.footer(
      "Adds what the store lacks; the same file again adds nothing. Documents are taken as they\n"
      "are: for files from strangers use tracker import.\n"
      "Exit codes: 0 all of it is recorded, 2 no history, or cut off, 4 the store failed.");
  return [file, &globals] { return import_all(globals, *file); };
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
      {"stats", "say what the store holds, and how large it is", declare_store_stats},
      {"prepare", "make the tables of a PostgreSQL store, or bring them up to date", declare_prepare},
      {"copy", "copy all that is recorded into another store, and verify it", declare_copy},
      {"export", "write all that is recorded as lines of JSON", declare_export_all},
      {"import", "record what such lines hold", declare_import_all},
      {"compact", "replace old documents by ones without single repetitions", declare_store_compact},
      {"drop", "ignore a document from now on, here and wherever this is synced to", declare_drop},
  };
  return table;
}

}  // namespace

std::function<ExitCode()> declare_store(CLI::App& app, const Globals& globals) {
  return declare_below(app, globals, store_commands());
}

}  // namespace tracker::commands
