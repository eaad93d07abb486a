#include "tracker/history/history_file.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/history_lines.hpp"

namespace tracker {

CopiedStore write_history(const Store& store, std::ostream& out) {
  CopiedStore written;
  std::size_t lines = 0;
  out << history_head();
  for (const auto& file : store.files()) {
    if (!file.is_file || file.what == StoredFile::What::kOther) {
      ++written.not_ours;
      continue;
    }
    const std::string text = store.read_file(file.path);
    out << history_line({file.path, text});
    ++lines;
    written.bytes += text.size();
    if (file.what == StoredFile::What::kTombstone)
      ++written.tombstones;
    else
      written.copied.add(file.key.kind);
    if (!out) break;
  }
  out << history_end(lines) << std::flush;
  if (!out) throw Error(ExitCode::kEnvironment, "cannot write the history", "see that the disk has room");
  return written;
}

CopiedStore read_history(std::istream& in, const std::string& source, Store& store) {
  CopiedStore read;
  HistoryLines lines(source);
  StoreSteps steps(store);
  std::string line;
  while (std::getline(in, line)) {
    const auto document = lines.read(line);
    if (!document) continue;
    read.bytes += document->text.size();
    if (const auto key = key_at(document->path)) {
      steps.add(*key, document->text);
    } else if (const auto dropped = dropped_at(document->path)) {
      if (store.drop(*dropped, document->text)) ++read.tombstones;
    } else {
      throw Error(ExitCode::kUsage,
                  "'" + printable(source) + "': '" + printable(document->path) + "' is no path of a document",
                  "name a file that tracker store export wrote");
    }
  }
  steps.flush();
  lines.require_end();
  read.copied = steps.added();
  read.already_there = steps.already_there();
  return read;
}

}  // namespace tracker
