#include "tracker/store/quarantine.hpp"

#include <cstdlib>
#include <fstream>
#include <system_error>

#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include "tracker/base/error.hpp"
#include "tracker/repo/git_failure.hpp"
#include "tracker/repo/git_handle.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

using GitOdbObject = GitHandle<git_odb_object, git_odb_object_free>;

constexpr int kBeforeAllOthers = 100;  // libgit2's own have 1 and 2

Error quarantine_failure(const Repository& repository, const std::string& why = {}) {
  const std::string what = "cannot write to '" + (repository.common_dir() / "objects").string() + "'" +
                           (why.empty() ? "" : ": " + why);
  const char* hint = "see that this user may write to that folder and that the disk has room";
  return why.empty() ? git_failure(what, hint) : Error(ExitCode::kEnvironment, what, hint);
}

fs::path make_folder(const Repository& repository) {
  const fs::path objects = repository.common_dir() / "objects";
  std::string name = (objects / "tmp_objdir-tracker-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw quarantine_failure(repository, std::generic_category().message(errno));
  std::error_code failure;
  fs::create_directory(fs::path(name) / "info", failure);
  std::ofstream alternates(fs::path(name) / "info" / "alternates", std::ios::binary);
  alternates << objects.string() << "\n";
  alternates.close();
  if (alternates) return name;
  fs::remove_all(name, failure);
  throw quarantine_failure(repository, "no space, or no right to write");
}

// Only what lies in the folder itself. A negative level of compression is zlib's own default.
int open_loose(git_odb_backend** backend, const fs::path& folder) {
  return git_odb_backend_loose(backend, folder.c_str(), -1, 0, 0, 0);
}

// Of what belongs to a commit: what lies in the folder.
struct Copy {
  git_repository* inside = nullptr;
  git_odb* from = nullptr;
  git_odb* to = nullptr;

  bool copy(const git_oid& id) const {
    if (git_odb_exists(from, &id) == 0) return true;
    GitOdbObject object;
    git_oid written{};
    return git_odb_read(object.out(), from, &id) == 0 && copy_what_it_names(object.get()) &&
           git_odb_write(&written, to, git_odb_object_data(object.get()), git_odb_object_size(object.get()),
                         git_odb_object_type(object.get())) == 0;
  }

 private:
  bool copy_what_it_names(git_odb_object* object) const {
    const git_oid* id = git_odb_object_id(object);
    if (git_odb_object_type(object) == GIT_OBJECT_COMMIT) {
      GitCommit commit;
      if (git_commit_lookup(commit.out(), inside, id) != 0) return false;
      for (unsigned parent = 0; parent < git_commit_parentcount(commit.get()); ++parent)
        if (!copy(*git_commit_parent_id(commit.get(), parent))) return false;
      return copy(*git_commit_tree_id(commit.get()));
    }
    if (git_odb_object_type(object) != GIT_OBJECT_TREE) return true;
    GitTree tree;
    if (git_tree_lookup(tree.out(), inside, id) != 0) return false;
    for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i)
      if (!copy(*git_tree_entry_id(git_tree_entry_byindex(tree.get(), i)))) return false;
    return true;
  }
};

}  // namespace

Quarantine::Quarantine(const Repository& repository)
    : outside_(repository), folder_(make_folder(repository)), inside_(Repository::open(repository.root())) {
  GitOdb objects;
  git_odb_backend* backend = nullptr;
  if (git_repository_odb(objects.out(), inside_.handle()) != 0 || open_loose(&backend, folder_) != 0 ||
      git_odb_add_backend(objects.get(), backend, kBeforeAllOthers) != 0) {
    const Error failure = quarantine_failure(repository);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw failure;
  }
}

Quarantine::~Quarantine() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Quarantine::keep(const git_oid& commit) const {
  GitOdb from;
  GitOdb to;
  git_odb_backend* backend = nullptr;
  if (git_odb_new(from.out()) != 0 || open_loose(&backend, folder_) != 0 ||
      git_odb_add_backend(from.get(), backend, kBeforeAllOthers) != 0 ||
      git_repository_odb(to.out(), outside_.handle()) != 0 ||
      !Copy{inside_.handle(), from.get(), to.get()}.copy(commit))
    throw quarantine_failure(outside_);
}

}  // namespace tracker
