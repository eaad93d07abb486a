// Which GPUs a job measures on, and the right to do so alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/lease.hpp"
#include "tracker/measure/local_environment.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::measure {

// What holds this board's clock down although nothing runs on it ("hw_thermal"), or empty. Heat slows a board
// under load; an idle one that it holds down is ill.
std::string illness_of(const devices::Reading& reading);
// By two readings a second apart.
std::string illness_of(const Device& board, const LocalEnvironment& environment);

// The same of a board while it measured: "480 of 1980 MHz, hw_thermal", where its clock never came near its
// limit and something held it. Empty where it did, or nothing is known.
std::string illness_of(const Conditions& conditions, const Device& board);

// Boards that were seen to disturb one another, and how: "on 2026-11-26 … a pair's noise was 2.1 times …". It
// holds for all jobs of this machine, until it is noted again, with an empty text, that they do not.
void note_disturbing_boards(const std::vector<std::string>& uuids, const std::string& how);
// What was noted of two or more of these; empty where nothing was.
std::string how_disturbing(const std::vector<Device>& boards);

struct BoardRequest {
  std::string gpus;              // as `--gpus` takes it; empty: what the benchmarks choose themselves
  std::vector<Binary> binaries;  // to be measured
  bool together = false;         // also boards that disturb one another
  double wait_max_s = 3600;      // for other jobs to end
  std::string holder;            // who asks, for those who wait
  std::function<void(const std::string&)> tell;  // what it waits for, and what is left out
};

struct LeasedBoards {
  Lease host;  // for benchmarks of the CPU
  Lease boards;
  // To measure on, those of one model in a group; a single empty group where the benchmarks choose.
  std::vector<std::vector<Device>> groups;
  // Where the benchmarks choose, their CUDA_VISIBLE_DEVICES; empty: as it is here.
  std::string visible_gpus;
};

// Waits for the boards, and leaves out those that are ill. Of boards that disturb one another one is used,
// which is told. Without a choice all GPUs that the benchmarks could use are leased, and for benchmarks of
// the CPU the host. kUsage where a board that is named is not here, or there are not so many; kEnvironment
// where all are ill, or the wait is over.
LeasedBoards lease_boards(const BoardRequest& request, const LocalEnvironment& environment);

}  // namespace tracker::measure
