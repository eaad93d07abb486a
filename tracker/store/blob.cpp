#include "tracker/store/blob.hpp"

#include "tracker/base/error.hpp"
#include "tracker/repo/git_failure.hpp"

namespace tracker {

std::string read_blob(git_repository* repository, const git_oid& id, const std::string& where) {
  const auto failure = [&] { return git_failure("cannot read " + where, "git fsck says what is missing"); };
  GitOdb objects;
  std::size_t size_bytes = 0;
  git_object_t type{};
  if (git_repository_odb(objects.out(), repository) != 0 ||
      git_odb_read_header(&size_bytes, &type, objects.get(), &id) != 0)
    throw failure();
  if (size_bytes > kDocumentBytesMax)
    throw Error(ExitCode::kEnvironment,
                where + " has " + std::to_string(size_bytes) + " bytes, more than " +
                    std::to_string(kDocumentBytesMax),
                "it was not written by tracker");
  GitBlob blob;
  if (git_blob_lookup(blob.out(), repository, &id) != 0) throw failure();
  return {static_cast<const char*>(git_blob_rawcontent(blob.get())), size_bytes};
}

std::optional<git_oid> commit_files(git_repository* repository, git_tree* tree, const git_commit* parent,
                                    const std::vector<std::pair<std::string, git_oid>>& files,
                                    const std::string& message) {
  std::vector<git_tree_update> updates;
  for (const auto& [path, id] : files)
    updates.push_back({GIT_TREE_UPDATE_UPSERT, id, GIT_FILEMODE_BLOB, path.c_str()});
  git_oid tree_id{};
  GitTree written;
  GitSignature who;  // user.name and user.email, where they are set
  if (git_tree_create_updated(&tree_id, repository, tree, updates.size(), updates.data()) != 0 ||
      git_tree_lookup(written.out(), repository, &tree_id) != 0)
    return {};
  if (git_signature_default(who.out(), repository) != 0 &&
      git_signature_now(who.out(), "tracker", "tracker@localhost") != 0)
    return {};
  git_oid commit{};
  if (git_commit_create_v(&commit, repository, nullptr, who.get(), who.get(), nullptr, message.c_str(),
                          written.get(), parent != nullptr ? std::size_t{1} : std::size_t{0}, parent) != 0)
    return {};
  return commit;
}

}  // namespace tracker
