// What the store keeps ↔ JSON: runs, profiles, and what stands beside dropped ones. docs/documents.md
// describes it for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tracker/formats/json_text.hpp"
#include "tracker/model/run.hpp"

namespace tracker::formats {

// The id under which the run's document lies: its own, or of a compacted one that with "-compact" behind it,
// as the whole document keeps its place.
std::string document_id(const Run& run);

// The ids under which a run's document may be stored: its own, and its compacted form.
std::vector<std::string> document_ids_beside(const std::string& id);

// The document's text: "tracker.run/1", or "tracker.run/2" of a compacted run.
std::string write_run(const Run& run);

// kUsage, naming `source` and the field, for what is no such document. Fields that are not known are
// left aside: a newer tracker of the same schema may have written them.
Run read_run(std::string_view text, const std::string& source);

// The same on parsed JSON, for documents that hold runs.
nlohmann::ordered_json run_to_json(const Run& run);
Run run_from_json(const nlohmann::json& document, const std::string& source);

// What makes a document one that can be used, beyond the types of its fields. A commit is part of a path:
// nothing else may come in by it.
bool is_recorded_commit(const std::string& text);
// What older documents say in words ("300 benchmarks") becomes a number. False where there is no such
// selection.
bool settle_selection(RunSelection& selection);

// Profiles, "tracker.profile/1".

// kUsage, naming `source` and the field, for what is no such document. Fields that are not known are left
// aside.
Profile read_profile(std::string_view text, const std::string& source);

// The same on parsed JSON.
nlohmann::ordered_json profile_to_json(const Profile& profile);
Profile profile_from_json(const nlohmann::json& document, const std::string& source);

// What stands beside a document that was dropped from the store: "tracker.dropped/1".

// The text of such a document. `dropped_at`: UTC, ISO 8601.
std::string write_tombstone(const std::string& reason, const std::string& dropped_at);

// The reason; empty where there is none to be read. A document is dropped by the tombstone's place, whatever
// it says.
std::string reason_of_tombstone(std::string_view text);

// The fields of the records that a run is made of, each with its name, once: what reads or writes a run walks
// these lists, whatever the form it has. Each calls visit(name, member) in the order of documents; units are
// what the names end with. A record may be const.

// All of a Device except its kind.
template <typename Record, typename Visit>
void device_fields(Record& d, Visit&& visit) {
  visit("model", d.model);
  visit("uuid", d.uuid);
  visit("compute_capability", d.compute_capability);
  visit("mig_profile", d.mig_profile);
  visit("memory_bytes", d.memory_bytes);
  visit("l2_bytes", d.l2_bytes);
  visit("core_count", d.core_count);
  visit("ecc", d.ecc);
  visit("power_limit_w", d.power_limit_w);
  visit("memory_clock_mhz", d.memory_clock_mhz);
  visit("core_clock_mhz", d.core_clock_mhz);
  visit("peak_bytes_per_second", d.peak_bytes_per_second);
  visit("peak_flops", d.peak_flops);
}

// All of a Software.
template <typename Record, typename Visit>
void software_fields(Record& s, Visit&& visit) {
  visit("driver", s.driver);
  visit("cuda_driver", s.cuda_driver);
  visit("cuda_runtime", s.cuda_runtime);
  visit("cublas", s.cublas);
  visit("compiler", s.compiler);
  visit("flags", s.flags);
  visit("build_type", s.build_type);
  visit("library", s.library);
  visit("build", s.build);
}

// All of a Host.
template <typename Record, typename Visit>
void host_fields(Record& h, Visit&& visit) {
  visit("name", h.name);
  visit("cpu", h.cpu);
  visit("cpu_count", h.cpu_count);
  visit("os", h.os);
  visit("cpu_mhz", h.cpu_mhz);
  visit("caches", h.caches);
  visit("cpu_scaling", h.cpu_scaling);
}

// All of Conditions.
template <typename Record, typename Visit>
void conditions_fields(Record& c, Visit&& visit) {
  visit("core_clock_mhz_min", c.core_clock_mhz_min);
  visit("core_clock_mhz_max", c.core_clock_mhz_max);
  visit("memory_clock_mhz", c.memory_clock_mhz);
  visit("temperature_c_max", c.temperature_c_max);
  visit("throttled_s", c.throttled_s);
  visit("throttle_reasons", c.throttle_reasons);
  visit("other_processes", c.other_processes);
  visit("load_average", c.load_average);
}

// All of a Benchmark except its code.
template <typename Record, typename Visit>
void benchmark_fields(Record& b, Visit&& visit) {
  visit("name", b.name);
  visit("binary", b.binary);
  visit("attributes", b.attributes);
  visit("unit", b.unit);
  visit("better", b.better);
  visit("instance", b.instance);
  visit("bytes_per_iteration", b.bytes_per_iteration);
  visit("flops_per_iteration", b.flops_per_iteration);
  visit("items_per_iteration", b.items_per_iteration);
  visit("counters", b.counters);
  visit("error", b.error);
  visit("skipped", b.skipped);
  visit("host_code", b.host_code);
}

// All of a Code except its launches.
template <typename Record, typename Visit>
void code_fields(Record& c, Visit&& visit) {
  visit("hash", c.hash);
  visit("why_no_hash", c.why_no_hash);
  visit("bytes", c.bytes);
  visit("instructions", c.instructions);
}

// All of a KernelLaunch.
template <typename Record, typename Visit>
void launch_fields(Record& l, Visit&& visit) {
  visit("kernel", l.kernel);
  visit("grid", l.grid);
  visit("block", l.block);
  visit("cluster", l.cluster);
  visit("shared_bytes", l.shared_bytes);
}

// All of a SameProgramAs.
template <typename Record, typename Visit>
void same_program_fields(Record& s, Visit&& visit) {
  visit("commit", s.commit);
  visit("benchmarks", s.benchmarks);
  visit("saved_s", s.saved_s);
}

// All of a Program.
template <typename Record, typename Visit>
void program_fields(Record& p, Visit&& visit) {
  visit("whole", p.whole);
  visit("around", p.around);
}

// All but the conditions and the samples.
template <typename Record, typename Visit>
void invocation_fields(Record& i, Visit&& visit) {
  visit("binary", i.binary);
  visit("started_at", i.started_at);
  visit("length_s", i.length_s);
  visit("round", i.round);
  visit("left_out", i.excluded);
  visit("executions", i.executions);
  visit("build", i.build);
  visit("board", i.board);
}

// All of a BinaryFailure.
template <typename Record, typename Visit>
void failure_fields(Record& f, Visit&& visit) {
  visit("binary", f.binary);
  visit("what", f.what);
}

// All but the records in it.
template <typename Record, typename Visit>
void run_fields(Record& r, Visit&& visit) {
  visit("id", r.id);
  visit("job", r.job);
  visit("commit", r.commit);
  visit("dirty", r.dirty);
  visit("filter", r.selection.expression);
  visit("selected", r.selection.named);
  visit("isolated", r.isolated);
  visit("sentinel", r.sentinel);
  visit("looks", r.interim_analyses);
  visit("started_at", r.started_at);
  visit("length_s", r.length_s);
  visit("aggregates_only", r.aggregates_only);
}

}  // namespace tracker::formats
