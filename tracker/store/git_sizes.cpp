#include "tracker/store/git_sizes.hpp"

#include <charconv>
#include <map>
#include <vector>

#include <zlib.h>

#include "tracker/base/text.hpp"
#include "tracker/repo/git_facts.hpp"
#include "tracker/repo/git_failure.hpp"
#include "tracker/repo/git_handle.hpp"
#include "tracker/store/run_tree.hpp"
#include "tracker/store/store_ref.hpp"

namespace tracker {
namespace {

std::uint64_t whole_number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

GitDocumentSizes git_document_sizes(const Repository& repository, const std::string& ref) {
  GitDocumentSizes found;
  const StoreRef store(repository, ref);  // which owns what a tip holds
  const Tip now = store.tip();
  if (!now.tree) return found;
  GitOdb objects;
  if (git_repository_odb(objects.out(), repository.handle()) != 0)
    throw git_failure("cannot read '" + ref + "'", "git fsck says what is wrong");
  for (const auto& file : files_in(repository.handle(), now.tree.get())) {
    if (file.what != StoredFile::What::kDocument || !file.is_file) continue;
    const auto entry = entry_at(now.tree.get(), file.path);
    const git_oid* id = entry ? git_tree_entry_id(entry.get()) : nullptr;
    std::size_t bytes = 0;
    git_object_t type{};
    if (id == nullptr || git_odb_exists_ext(objects.get(), id, GIT_ODB_LOOKUP_NO_REFRESH) == 0 ||
        git_odb_read_header(&bytes, &type, objects.get(), id) != 0) {
      found.not_here.insert(file.path);
      continue;
    }
    const bool is_run = file.key.kind == DocumentKind::kRun;
    ++(is_run ? found.sizes.runs : found.sizes.others);
    (is_run ? found.sizes.run_bytes : found.sizes.other_bytes) += bytes;
  }
  found.sizes.not_here = found.not_here.size();
  return found;
}

GitDisk git_disk(const Repository& repository) {
  std::map<std::string, std::uint64_t> values;  // "size: 12", in KiB
  for (const auto& line : split(git_output(repository, {"count-objects", "-v"}), '\n'))
    if (const auto colon = line.find(": "); colon != std::string::npos)
      values[line.substr(0, colon)] = whole_number(line.substr(colon + 2));
  constexpr std::uint64_t kUnit = 1024;
  return {.loose_objects = values["count"],
          .packed_objects = values["in-pack"],
          .packs = values["packs"],
          .loose_bytes = values["size"] * kUnit,
          .packed_bytes = values["size-pack"] * kUnit};
}

std::uint64_t compressed_bytes(std::string_view bytes) {
  auto size = compressBound(bytes.size());
  std::vector<Bytef> room(size);
  const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
  if (compress2(room.data(), &size, from, bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ExitCode::kEnvironment, "cannot compress samples", "free some memory, and try again");
  return size;
}

}  // namespace tracker
