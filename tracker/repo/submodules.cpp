#include "tracker/repo/submodules.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr int kWordsLinesMax = 5;  // of what git says, in a message

struct Submodule {
  std::string name;
  std::string path;
};

// A checkout, which need not be there, and the git folder that knows its submodules.
struct Owner {
  fs::path checkout;
  fs::path git_folder;
};

// What .gitmodules names in a checkout. Git refuses names that lead out of its folder; so they are left out.
std::vector<Submodule> submodules_in(const fs::path& checkout) {
  constexpr std::string_view kBefore = "submodule.";
  constexpr std::string_view kAfter = ".path";
  const auto listed = run_git(
      checkout, {"config", "--file", ".gitmodules", "--null", "--get-regexp", R"(^submodule\..*\.path$)"},
      true);
  std::vector<Submodule> submodules;
  for (const auto& entry : split(listed.output, '\0')) {
    const auto line_end = entry.find('\n');
    if (line_end == std::string::npos) continue;
    const std::string key = entry.substr(0, line_end);
    const std::string name = key.substr(kBefore.size(), key.size() - kBefore.size() - kAfter.size());
    const auto parts = split(name, '/');
    if (!name.empty() && std::find(parts.begin(), parts.end(), "..") == parts.end())
      submodules.push_back({name, entry.substr(line_end + 1)});
  }
  return submodules;
}

// Where the git folder of a checkout is, by its .git. None where there is no checkout.
std::optional<fs::path> git_folder_of(const fs::path& checkout) {
  constexpr std::string_view kKey = "gitdir: ";
  std::error_code failed;
  if (fs::is_directory(checkout / ".git", failed)) return checkout / ".git";
  std::string line;
  std::getline(std::ifstream(checkout / ".git"), line);
  if (!line.starts_with(kKey)) return {};
  return checkout / line.substr(kKey.size());  // an absolute path stays itself
}

// The submodule as the owner has it; none where it is not initialised there. One that the checkout had, and
// that the commit which is checked out now has no more, is kept by git below `modules`.
std::optional<Owner> initialised(const Owner& owner, const Submodule& submodule) {
  const auto url = run_git(owner.checkout, {"config", "--file", (owner.git_folder / "config").string(),
                                            "--get", "submodule." + submodule.name + ".url"});
  if (!url.ok()) return {};
  const auto checkout = owner.checkout / submodule.path;
  if (const auto folder = git_folder_of(checkout)) return Owner{checkout, *folder};
  const auto kept = owner.git_folder / "modules" / submodule.name;
  std::error_code failed;
  if (fs::is_directory(kept, failed)) return Owner{owner.checkout, kept};
  return {};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto way = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(folder));
  return !way.empty() && way != "." && *way.begin() != "..";
}

// Removes what is there of a submodule. False where nothing is, or where its git folder is another's.
bool forget(const fs::path& checkout, const fs::path& root) {
  const auto own = git_folder_of(root);
  const auto of_checkout = git_folder_of(checkout);
  if (!own || !of_checkout || !is_below(*own, *of_checkout)) return false;
  std::error_code failed;
  fs::remove_all(*own, failed);
  for (fs::directory_iterator at(root, failed), end; !failed && at != end; at.increment(failed))
    fs::remove_all(at->path(), failed);
  return true;
}

// Once more from nothing where it fails, as a kept one may be damaged or have moved to another address.
void update(const fs::path& checkout, const Submodule& submodule) {
  const auto call = [&] {
    return run_git(checkout, {"submodule", "--quiet", "update", "--init", "--force", "--", submodule.path},
                   true);
  };
  auto result = call();
  const auto root = checkout / submodule.path;
  if (!result.ok() && forget(checkout, root)) result = call();
  if (!result.ok())
    throw Error(
        ExitCode::kEnvironment,
        "submodule '" + printable(submodule.path) + "' cannot be checked out beside yours: git " +
            describe_end(result) + ": " + last_lines(result, kWordsLinesMax),
        "see that its address can be reached from here; if the benchmarks do not need it: git submodule "
        "deinit " +
            printable(submodule.path));
  run_git(root, {"clean", "--quiet", "-d", "--force", "--force"}, true);
}

void bring(const Owner& owner, const fs::path& checkout, const fs::path& shown,
           std::vector<std::string>& left_out) {
  for (const auto& submodule : submodules_in(checkout)) {
    const auto path = shown / submodule.path;
    const auto inner = initialised(owner, submodule);
    if (!inner) {
      forget(checkout, checkout / submodule.path);
      left_out.push_back(path.string());
      continue;
    }
    update(checkout, submodule);
    bring(*inner, checkout / submodule.path, path, left_out);
  }
}

}  // namespace

std::vector<std::string> bring_submodules(const Repository& repository, const fs::path& root) {
  std::vector<std::string> left_out;
  if (fs::exists(root / ".gitmodules"))
    bring({repository.root(), repository.common_dir()}, root, {}, left_out);
  return left_out;
}

}  // namespace tracker
