// A store on a ref of the repository itself: a chain of commits, whose tree has the documents as files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/model/store_stats.hpp"
#include "tracker/repo/libgit2.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker::store {

// A ref that does not exist yet is an empty store. `ref` must be a valid ref name below refs/tracker/ (kUsage
// otherwise). Its version is the id of its tree. The repository must outlive the store.
std::unique_ptr<Store> open_git(const repo::Repository& repository, const std::string& ref);

// While one lives, the whole process hashes each object that it reads and holds it against its id, as `git
// fsck` does: for what checks a store. Else git's own checksum of the compressed bytes has to do, which
// hashing would double the time of reading for.
class HashedReads {
 public:
  HashedReads();
  ~HashedReads();
  HashedReads(const HashedReads&) = delete;
  HashedReads& operator=(const HashedReads&) = delete;
};

// What a store on a git ref takes, without reading its documents.

struct GitDocumentSizes {
  DocumentSizes sizes;
  std::set<std::string> not_here;  // paths of documents that this clone has left out
};

// Nothing is fetched. kEnvironment where folders are missing or cannot be read. A ref that does not exist has
// no documents.
GitDocumentSizes git_document_sizes(const repo::Repository& repository, const std::string& ref);

// As `git count-objects -v` says it; kEnvironment where it fails.
GitDisk git_disk(const repo::Repository& repository);

// What the bytes come to as git packs them: zlib at its default level. Nothing is written to disk.
// kEnvironment where zlib fails.
std::uint64_t compressed_bytes(std::string_view bytes);

// Contents of the store's objects, read and written without its ref.

// kEnvironment, naming `where`, for what is missing, damaged, or larger than any document.
std::string read_blob(git_repository* repository, const git_oid& id, const std::string& where);

// A commit of `tree` (null: an empty one) with these files, by their paths, on top of `parent` (null: none).
// None where git cannot write it: libgit2's last error says why.
std::optional<git_oid> commit_files(git_repository* repository, git_tree* tree, const git_commit* parent,
                                    const std::vector<std::pair<std::string, git_oid>>& files,
                                    const std::string& message);

}  // namespace tracker::store
