// tracker.toml ↔ Config. Read strictly: an unknown key is an error with a suggestion. Written: a first one,
// with what each line is for, and what is accepted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/policy.hpp"

namespace tracker::formats {

// kUsage, naming file, line and column, for what is no TOML, an unknown key, another type, or a value
// out of its range.
Config parse_config(std::string_view text, const std::string& source);

// Reads and parses a file. Gives the defaults where there is no such file, or it is empty.
Config read_config(const std::filesystem::path& path);

// "2%", "2 %", "0.5%" → a share. Empty for what is none, or not above 0 and below 1000 %.
std::optional<double> parse_share(std::string_view text);

// What a policy's floor says: "3.2 TB/s", "450 GFLOP/s", "2 M1/s", "2.5 ms", "12" (a counter), or a share of
// another benchmark, "90% of copy/{2}". SI prefixes that the unit is used with: n, µ (or u), m of seconds; k,
// M, G, T, P of rates. Empty for what is none of these, or not above 0.
std::optional<Floor> parse_floor(std::string_view text);

// "2%", or an amount in the metric's unit: "5 ns", "50ms". False for what is neither, or not above 0.
bool parse_threshold(std::string_view text, PolicyRule& rule);

struct FirstConfig {
  struct Binary {
    std::string path;
    std::vector<std::string> names;  // of its benchmarks; none: it cannot list them, or did not
    std::string directory;           // where it runs; empty: at the root
    bool is_google_bench = true;     // which repeats as it is told; nvbench repeats as it likes
    bool needs_gpu = false;
    bool has_cpu_time = false;  // it states the time that the CPU took
  };
  std::vector<Binary> binaries;
  std::vector<std::vector<std::string>> build;  // none: it is left to the reader
  std::string build_from;                       // "build/CMakeCache.txt"
  std::string threshold = "5%";
};

// Text that parse_config() takes. Binaries with one file name, or with a benchmark of one name, get a prefix
// each.
std::string first_config_text(const FirstConfig& config);

// A workflow for GitHub Actions that compares pull requests with their base on a runner of one's own.
std::string first_workflow_text();

// Writing what is accepted into the text of tracker.toml.

// The text with an [[accepted]] table at its end; all else stays as it is, comments and order included. The
// ceiling is written with two decimals of a per cent, rounded up. kUsage where the text with it is no
// tracker.toml any more; `source` names it.
std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source);

}  // namespace tracker::formats
