// From measured files to stored runs.
#pragma once

#include "tracker/app/workspace.hpp"
#include "tracker/base/lease.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/measure/boards.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker::app {

// What `run` and `compare --measure` let a user say over tracker.toml; 0 and empty leave it as it is.
struct MeasureRequest {
  int invocations = 0;
  int repetitions = 0;
  std::string filter;
  std::string gpus;                  // as --gpus has it
  bool boards_together = false;      // also where they disturb one another
  std::optional<TimeBudget> budget;  // of measuring, building aside: what tells most is measured first
  // With a budget: whether a benchmark of this name is likely changed, and so comes first.
  std::function<bool(const std::string&)> is_likely_changed;
  int first_round = 1;            // where a job goes on that has had rounds before
  std::vector<std::string> only;  // names of benchmarks; empty: all that match the filter
  bool isolate = false;
  int build = 0;          // of several builds of the same commits, counted from 1; 0: there is one
  bool keep = false;      // after Ctrl-C, what is complete
  bool was_told = false;  // what to expect, and what else is busy: of another commit measured like this one
};

// The folder that keeps the binaries' own JSON of one job until the store has it. It is locked as long as the
// job lives, so that another one knows what was left behind, and says so, unless this command `was_told`.
class Spool {
 public:
  // Below the git folder, else in the folder for temporary files. kEnvironment where neither can be written.
  explicit Spool(const Workspace& workspace, bool was_told = false);
  ~Spool();  // removes it, unless kept
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  const std::string& job() const { return job_; }  // the id of the job
  const std::filesystem::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::string job_;
  std::filesystem::path path_;
  std::optional<AdvisoryLock> lock_;
  bool kept_ = false;
};

// The binaries that these words name, by paths relative to where the command was typed, each with arguments
// behind it; those of tracker.toml where there are no words. A word that starts with '-' is an argument of
// the binary before it. So is one behind such an argument, unless it is the path of a program. What
// tracker.toml says of a binary holds, except when it is to run: it was asked for; the arguments go behind
// those in tracker.toml. kUsage for an argument before any binary, and for a binary named twice.
std::vector<Binary> named_binaries(const std::vector<std::string>& words, const Config& config,
                                   const std::filesystem::path& root);

// An id for a job that starts now.
std::string new_job_id();

// Waits for the boards and the host that these targets are to be measured on (measure/boards.hpp), as long as
// tracker.toml allows. Building comes before it.
measure::LeasedBoards lease_for(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                const MeasureRequest& measuring);

// Measures the targets, with progress, in an order drawn anew each time; notes what failed, and what was left
// out and made again. Boards of different models measure all rounds each. kInterrupted after Ctrl-C, unless
// what is complete is to be kept.
measure::Measured measure_targets(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                  const MeasureRequest& measuring, const Spool& spool);
// The same, where the progress of a job goes on over several calls, on the same boards. kInterrupted as
// above.
measure::Measured measure_targets(const Workspace& workspace, const std::vector<measure::Target>& targets,
                                  const MeasureRequest& measuring, const measure::LeasedBoards& boards,
                                  const Spool& spool, measure::Progress& progress);

// Notes which counters and benchmarks of these files are left out, and why.
void note_left_aside(const Workspace& workspace, const std::vector<const formats::BenchmarkFile*>& files);

// What `record` was asked for.
struct RecordRequest {
  std::vector<std::string> files;  // files, and folders of them
  std::string commit;              // empty: what the files say, else HEAD
  std::optional<Device> device;    // of all files, whatever they say
  std::string prefix;              // before the names of all benchmarks
  std::string better;              // the direction of values that do not state it: "lower", "higher"
  std::string job;  // all files are of this job, and its n-th invocations are pairs; empty: not known
};

// Runs of what these files hold: one for each commit and each machine that they name, and one more where more
// than 12 hours lie between the starts of two files. The same files give the same ids. kUsage for files of
// different devices or without one, and for a commit that is not in this repository. Notes what is left out,
// and where a file names another commit than the request does.
std::vector<Run> runs_to_record(const Workspace& workspace, const RecordRequest& request);

// Stores runs, all or none. On failure the spool stays, and the Error (the store's own code) says where it is
// and how to record it.
void store_runs(const Workspace& workspace, const std::vector<Run>& runs, Spool* spool);

// kInterrupted where measuring was: to be called when what is complete has been stored.
void throw_if_interrupted(const measure::Measured& measured);

// Folders of results whose jobs were ended before they could record them or clean up (kill -9, a power cut).

// The file that a job locks in its folder.
inline constexpr char kSpoolLockName[] = "lock";

// Removes those folders in `spools` that no job uses and that hold no results. What to tell of the others:
// where they are and how to record them; empty where there are none.
std::string look_after_old_spools(const std::filesystem::path& spools);

// Why a program of strangers got slower: what its benchmarks launch, found by a library that CUDA's driver
// loads.

enum class InjectedFor {
  kReports,  // what an iteration launches
  // Whether it has to be measured at all: only of benchmarks that set their time themselves, and only where
  // all that they do is known. The hash is of all of it, and is compared with such hashes alone.
  kSparing
};

// Fills in the code and the counters of benchmarks that ran on an NVIDIA GPU and state no code, in a pass of
// its own: once for each build of a program, as it is kept below the git folder. Notes how long that took, or
// why nothing is known. To be called while the job's boards are leased.
void add_injected_code(const Workspace& workspace, const measure::Target& target,
                       std::vector<formats::BenchmarkFile>& files,
                       InjectedFor purpose = InjectedFor::kReports);

// The injected library, which lies beside this program or where it is installed; empty where it is missing.
std::filesystem::path injected_library();

// The module that a benchmark's kernels were in when their code had this hash (Code::hash), where it was
// kept. It is for the disassembler.
std::optional<std::filesystem::path> kept_cubin(const Workspace& workspace, const std::string& hash);

}  // namespace tracker::app
