#include "tracker/history/profiles.hpp"

#include <algorithm>
#include <map>

#include "tracker/history/stored_document.hpp"

namespace tracker {
namespace {

// `newer` over what there is.
void lay_over(Profile& merged, const Profile& newer) {
  auto benchmarks = std::move(merged.benchmarks);
  merged = newer;
  merged.benchmarks.clear();
  for (auto& benchmark : benchmarks) {
    const auto* again = find_benchmark(newer, benchmark.name);
    if (again != nullptr) benchmark = *again;
    merged.benchmarks.push_back(std::move(benchmark));
  }
  for (const auto& benchmark : newer.benchmarks)
    if (find_benchmark(merged, benchmark.name) == nullptr) merged.benchmarks.push_back(benchmark);
}

}  // namespace

std::vector<Profile> profiles_of(const Store& store, const std::string& commit) {
  auto keys = store.profile_keys_of(commit);
  std::sort(keys.begin(), keys.end(), [](const StoredKey& a, const StoredKey& b) { return a.id > b.id; });
  std::vector<Profile> profiles;
  for (const auto& key : keys)
    if (auto profile = read_stored_profile(store, key)) profiles.push_back(std::move(*profile));
  return profiles;
}

std::vector<Profile> merge_profiles(const std::vector<Profile>& profiles) {
  std::map<std::string, Profile> clean;
  std::map<std::string, Profile> dirty;
  for (auto profile = profiles.rbegin(); profile != profiles.rend(); ++profile) {
    auto& by_device = profile->dirty ? dirty : clean;
    const auto [there, is_first] = by_device.try_emplace(device_key(profile->device), *profile);
    if (!is_first) lay_over(there->second, *profile);
  }
  clean.merge(dirty);  // takes over devices that have no clean one
  std::vector<Profile> merged;
  for (auto& [device, profile] : clean) merged.push_back(std::move(profile));
  return merged;
}

}  // namespace tracker
