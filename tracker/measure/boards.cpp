#include "tracker/measure/boards.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <thread>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::measure {
namespace {

std::string uuid_of(const Device& board) {
  return board.uuid.value_or("");
}

std::string uuids_of(const std::vector<Device>& boards) {
  std::vector<std::string> uuids;
  for (const auto& board : boards) uuids.push_back(uuid_of(board));
  return join(uuids, ", ");
}

// Those that are named; all where the choice is "all", a number or empty.
std::vector<Device> named_boards(const std::string& choice, const std::vector<Device>& all) {
  if (choice.empty() || choice == kAllGpusWord || gpu_count_of(choice) > 0) return all;
  std::vector<Device> named;
  for (const auto& part : split(choice, ',')) {
    const auto found =
        std::ranges::find_if(all, [&](const Device& board) { return uuid_of(board).starts_with(part); });
    if (found == all.end())
      throw Error(ExitCode::kUsage, "--gpus: there is no GPU " + in_quotes(part) + " here",
                  all.empty() ? "this machine has none" : "those of this machine: " + uuids_of(all));
    if (std::ranges::none_of(named, [&](const Device& board) { return board.uuid == found->uuid; }))
      named.push_back(*found);
  }
  return named;
}

// The boards without those that are ill.
std::vector<Device> healthy_boards(const std::vector<Device>& boards, const BoardRequest& request,
                                   const LocalEnvironment& environment) {
  std::vector<Device> healthy;
  std::vector<std::string> ill;
  for (const auto& board : boards) {
    const std::string illness = illness_of(board, environment);
    if (illness.empty())
      healthy.push_back(board);
    else
      ill.push_back(uuid_of(board) + " (" + board.model + ": " + illness + ")");
  }
  const std::string what = "the clock is held down although nothing runs: " + join(ill, ", ");
  if (!boards.empty() && healthy.empty())
    throw Error(ExitCode::kEnvironment, "no GPU is fit to measure: " + what,
                "check its cooling and its power, or measure on another machine");
  if (!ill.empty() && request.tell) request.tell("a GPU is left out, as it is ill: " + what);
  return healthy;
}

constexpr char kDisturbingBoards[] = "boards-that-disturb";

std::vector<std::vector<Device>> by_model(const std::vector<Device>& boards) {
  std::map<std::string, std::vector<Device>> models;
  for (const auto& board : boards) models[device_key(board)].push_back(board);
  std::vector<std::vector<Device>> groups;
  for (auto& [key, group] : models) groups.push_back(std::move(group));
  return groups;
}

// The boards to lease `count` of: of the model that this machine has most of.
std::vector<Device> of_one_model(const std::vector<Device>& boards, std::size_t count) {
  auto groups = by_model(boards);
  const auto largest =
      std::ranges::max_element(groups, [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const std::size_t here = largest == groups.end() ? 0 : largest->size();
  if (here < count)
    throw Error(ExitCode::kUsage,
                "--gpus " + std::to_string(count) + ": this machine has " +
                    (here == 0 ? "no GPU" : count_of(here, "such GPU")),
                "ask for as many, or for --gpus all");
  return *largest;
}

}  // namespace

std::string illness_of(const devices::Reading& reading) {
  if (reading.processes.value_or(1) > 0) return "";
  auto reasons = reading.throttle_reasons;
  // Idle boards of laptops state the power cap, and work all the same.
  std::erase_if(reasons, [](const auto& reason) { return reason == "sync_boost" || reason == "power_cap"; });
  return join(reasons, ", ");
}

std::string illness_of(const Device& board, const LocalEnvironment& environment) {
  constexpr auto kPause = std::chrono::seconds(1);  // a board that has just worked may still be hot
  std::string illness;
  for (int i = 0; i < 2; ++i) {
    if (i > 0) std::this_thread::sleep_for(kPause);
    const auto reading = environment.read(board);
    illness = reading ? illness_of(*reading) : "";
    if (illness.empty()) break;
  }
  return illness;
}

std::string illness_of(const Conditions& conditions, const Device& board) {
  constexpr double kFarBelow = 0.5;  // the power cap alone takes a GEMM to 80 % of the top clock
  auto reasons = conditions.throttle_reasons;
  std::erase(reasons, "sync_boost");
  if (reasons.empty() || !conditions.core_clock_mhz_max || !board.core_clock_mhz ||
      *conditions.core_clock_mhz_max > kFarBelow * *board.core_clock_mhz)
    return "";
  return std::to_string(std::lround(*conditions.core_clock_mhz_max)) + " of " +
         std::to_string(std::lround(*board.core_clock_mhz)) + " MHz, " + join(reasons, ", ");
}

void note_disturbing_boards(const std::vector<std::string>& uuids, const std::string& how) {
  if (how.empty() && read_beside_locks(kDisturbingBoards).empty()) return;
  write_beside_locks(kDisturbingBoards, how.empty() ? "" : join(uuids, ",") + "\n" + how);
}

std::string how_disturbing(const std::vector<Device>& boards) {
  const std::string noted = read_beside_locks(kDisturbingBoards);
  const std::size_t end = noted.find('\n');
  if (end == std::string::npos) return "";
  const auto uuids = split(noted.substr(0, end), ',');
  const auto here = std::ranges::count_if(
      boards, [&](const Device& board) { return std::ranges::find(uuids, uuid_of(board)) != uuids.end(); });
  return here < 2 ? "" : printable(noted.substr(end + 1));
}

LeasedBoards lease_boards(const BoardRequest& request, const LocalEnvironment& environment) {
  const auto& binaries = request.binaries;
  const bool on_gpu =
      std::ranges::any_of(binaries, [&](const Binary& one) { return environment.uses_gpu(one.device); });
  const bool on_cpu =
      std::ranges::any_of(binaries, [&](const Binary& one) { return !environment.uses_gpu(one.device); });
  const bool chooses = !request.gpus.empty();
  auto all = on_gpu || chooses ? environment.devices(DeviceKind::kGpu) : std::vector<Device>();
  std::erase_if(all, [](const Device& board) { return !board.uuid; });
  const auto named = named_boards(request.gpus, all);
  auto boards = healthy_boards(named, request, environment);
  std::size_t count = gpu_count_of(request.gpus);
  const std::string disturbing = request.together || !chooses ? "" : how_disturbing(boards);
  if (!disturbing.empty() && count != 1 && boards.size() > 1) {
    if (request.tell)
      request.tell("one GPU is used, as they disturb one another: " + disturbing +
                   " (tracker calibrate --measure --gpus all looks again)");
    count = 1;
  }
  if (count > 0) boards = of_one_model(boards, count);
  if (chooses && boards.empty())
    throw Error(ExitCode::kUsage,
                "--gpus " + request.gpus + ": there is no GPU here: " + environment.why_no_gpu(),
                "leave it out to measure on the CPU");

  LeaseRequest wanted;
  wanted.holder = request.holder;
  wanted.wait_max = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * request.wait_max_s));
  wanted.tell = request.tell;
  for (const auto& board : boards) wanted.names.push_back(uuid_of(board));
  if (count > 0 || request.gpus == kAllGpusWord) {
    wanted.least = count > 0 ? count : 1;
    wanted.most = count > 0 ? count : boards.size();
  }
  LeasedBoards leased;
  // Always the host before the boards, so that no two jobs wait for each other.
  if (on_cpu) {
    LeaseRequest host = wanted;
    host.names = {kCpuLease};
    host.least = host.most = 0;
    leased.host = Lease(host);
  }
  leased.boards = Lease(wanted);
  const auto held = leased.boards.names();
  std::erase_if(boards,
                [&](const Device& board) { return std::ranges::find(held, uuid_of(board)) == held.end(); });
  leased.groups = chooses ? by_model(boards) : std::vector<std::vector<Device>>{{}};
  // Numbers were taken for NVML's: so that this is what the benchmarks see, they get the UUIDs.
  const char* said = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::string numbers = said == nullptr ? "" : said;
  const bool is_numbers = !numbers.empty() && numbers.find_first_not_of("0123456789,") == std::string::npos &&
                          split(numbers, ',').size() == named.size();
  if (!chooses && !boards.empty() && (is_numbers || boards.size() < named.size()))
    leased.visible_gpus = join(held, ",");
  return leased;
}

}  // namespace tracker::measure
