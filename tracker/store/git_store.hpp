// A store on a ref of the repository itself: a chain of commits, whose tree has the documents as files.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// A ref that does not exist yet is an empty store. `ref` must be a valid ref name below refs/tracker/ (kUsage
// otherwise). Its version is the id of its tree. The repository must outlive the store.
std::unique_ptr<Store> open_git_store(const Repository& repository, const std::string& ref);

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

// The id of the ref's commit; none where there is no such ref.
std::optional<std::string> tip_of_store(const Repository& repository, const std::string& ref);

}  // namespace tracker
