#include "tracker/measure/selection.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::measure {
namespace {

using Names = std::vector<std::string>;

// Only what both POSIX and ECMAScript read alike: '\' before a special character, and never before another.
std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = R"(.[\()*+?{|^$)";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Likewise, with what the wildcards of a glob stand for.
std::string expression_for_glob(std::string_view glob) {
  std::string out;
  for (const char c : glob) out += c == '*' ? ".*" : c == '?' ? "." : escaped(std::string_view(&c, 1));
  return out;
}

// Any number of method suffixes.
std::string suffix_expression() {
  Names words;
  for (const std::string_view suffix : method_suffixes())
    words.push_back(std::string(suffix) + (suffix.ends_with(':') ? "[^/]*" : ""));
  return "(/(" + join(words, "|") + "))*";
}

// The names a binary may have for what tracker calls `name`, without method suffixes: "x#2" is a second "x",
// or really called so.
Names names_behind(const std::string& name) {
  Names names{split_method_suffixes(name).name};
  const std::size_t hash = name.rfind('#');
  if (hash != std::string::npos && hash > 0 && hash + 1 < name.size() &&
      name.find_first_not_of("0123456789", hash + 1) == std::string::npos)
    names.push_back(split_method_suffixes(name.substr(0, hash)).name);
  return names;
}

// "free: 78.12 GiB" → "free: # GiB"; how many spaces keep columns in line depends on the numbers. What is a
// single word, as most names are, stays as it is.
std::string without_numbers(std::string_view line) {
  if (line.find(' ') == std::string_view::npos) return std::string(line);
  std::string out;
  for (const char c : line) {
    const bool is_of_number = c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0;
    const char kept = is_of_number ? '#' : c;
    const bool repeats = !out.empty() && out.back() == kept && (kept == '#' || kept == ' ');
    if (!repeats) out += kept;
  }
  return out;
}

std::string at_label(const Selection& selection, std::size_t target) {
  const bool named = target < selection.labels.size() && !selection.labels[target].empty();
  return named ? " at " + selection.labels[target] : "";
}

// What is asked for of a listing, and what of it all have or one has alone.
struct Shared {
  std::vector<std::size_t> targets;
  std::vector<Names> wanted;  // by place in `targets`
  Names common;
  std::vector<Names> own;  // by place in `targets`
};

Shared share(const std::vector<Listing>& listings, const Selection& selection) {
  std::set<std::string> only;
  for (const auto& name : selection.only)
    for (const auto& behind : names_behind(name)) only.insert(behind);
  Shared shared;
  std::map<std::string, std::size_t> owners;
  for (const auto& listing : listings) {
    Names names = listing.names.value_or(Names{});
    if (!only.empty()) std::erase_if(names, [&](const std::string& name) { return only.count(name) == 0; });
    for (const auto& name : names) ++owners[name];
    shared.targets.push_back(listing.target);
    shared.wanted.push_back(std::move(names));
  }
  for (std::size_t i = 0; i < listings.size(); ++i) {
    shared.own.emplace_back();
    for (const auto& name : shared.wanted[i])
      if (owners[name] < listings.size())
        shared.own.back().push_back(name);
      else if (i == 0)
        shared.common.push_back(name);
  }
  return shared;
}

bool same_order(const Shared& shared) {
  const std::set<std::string> common(shared.common.begin(), shared.common.end());
  return std::ranges::all_of(shared.wanted, [&](Names names) {
    std::erase_if(names, [&](const std::string& name) { return common.count(name) == 0; });
    return names == shared.common;
  });
}

// All that is asked for, in one process.
Parts as_it_is(const Binary& binary, const std::vector<std::size_t>& targets, const Selection& selection) {
  Parts result;
  std::optional<std::string> filter = selection.filter;
  if (!selection.only.empty()) filter = filter_for(binary, selection.only);
  if (!filter)
    result.notes.push_back("the names of the " + std::to_string(selection.only.size()) +
                           " benchmarks asked for are too long for one filter: all of " +
                           in_quotes(label_of(binary)) + " are measured");
  result.parts.push_back({binary, targets, filter.value_or(""), "", {}});
  return result;
}

Parts one_by_one(const Binary& binary, const Shared& shared) {
  Parts result;
  const auto add = [&](const std::string& name, const std::vector<std::size_t>& targets) {
    if (const auto filter = filter_for(binary, {name}))
      result.parts.push_back({binary, targets, *filter, name, {name}});
    else
      result.notes.push_back("a benchmark of " + in_quotes(label_of(binary)) +
                             " is not measured: its name is too long for a filter");
  };
  for (const auto& name : shared.common) add(name, shared.targets);
  for (std::size_t i = 0; i < shared.wanted.size(); ++i)
    for (const auto& name : shared.own[i]) add(name, {shared.targets[i]});
  return result;
}

// The sets differ: what all have, and then what single ones have.
Parts apart(const Binary& binary, const Shared& shared, const Selection& selection) {
  Parts result;
  std::vector<std::string> counts;
  const auto add = [&](const Names& names, const std::vector<std::size_t>& targets, const char* what) {
    if (names.empty()) return true;
    const auto filter = filter_for(binary, names);
    if (filter) result.parts.push_back({binary, targets, *filter, what, names});
    return filter.has_value();
  };
  bool fits = add(shared.common, shared.targets, "the common ones");
  for (std::size_t i = 0; i < shared.wanted.size(); ++i) {
    fits = add(shared.own[i], {shared.targets[i]}, "its own ones") && fits;
    if (!shared.own[i].empty())
      counts.push_back(std::to_string(shared.own[i].size()) + " only" +
                       at_label(selection, shared.targets[i]));
  }
  const std::string note =
      in_quotes(label_of(binary)) + " has other benchmarks on the two sides (" + join(counts, ", ") + "): ";
  if (!fits) {
    result = as_it_is(binary, shared.targets, selection);
    result.notes.push_back(note +
                           "their names are too long for a filter, so that both were measured with "
                           "all they have, and neighbours may move one another");
    return result;
  }
  const std::string common = shared.common.empty() ? "no benchmark is on both"
                                                   : "the " + std::to_string(shared.common.size()) +
                                                         " common ones are measured with the same neighbours";
  result.notes.push_back(note + "these are measured in processes of their own, and " + common);
  return result;
}

}  // namespace

std::string filter_for_globs(const std::vector<std::string>& globs) {
  const std::string suffixes = suffix_expression();
  Names parts;
  for (const auto& glob : globs)
    for (const auto& behind : names_behind(glob)) {
      const std::size_t threads = std::min(behind.rfind("/threads:"), behind.size());
      const std::string_view name(behind);
      parts.push_back(
          expression_for_glob(name.substr(0, threads)) + suffixes +
          (threads < name.size() ? expression_for_glob(name.substr(threads)) : "(/threads:[0-9]+)?"));
    }
  return "^(" + join(parts, "|") + ")" + suffixes + "$";
}

std::optional<std::string> exact_filter(const std::vector<std::string>& names) {
  // Google Benchmark puts the number of threads behind the method suffixes.
  std::map<std::string, std::set<std::string>> by_threads;
  for (const auto& name : names)
    for (const auto& behind : names_behind(name)) {
      const std::size_t slash = behind.rfind('/');
      const bool threads = slash != std::string::npos && behind.compare(slash + 1, 8, "threads:") == 0;
      by_threads[threads ? behind.substr(slash) : ""].insert(
          escaped(threads ? behind.substr(0, slash) : behind));
    }
  const std::string suffixes = suffix_expression();
  Names groups;
  for (const auto& [threads, bases] : by_threads)
    groups.push_back("(" + join({bases.begin(), bases.end()}, "|") + ")" + suffixes +
                     (threads.empty() ? "" : escaped(threads) + suffixes));
  std::string filter = "^(" + join(groups, "|") + ")$";
  if (filter.size() > kFilterBytesMax) return {};
  return filter;
}

std::optional<std::string> filter_for(const Binary& binary, const std::vector<std::string>& names) {
  if (binary.prefix.empty()) return exact_filter(names);
  Names bare;
  for (const auto& name : names)
    if (name.starts_with(binary.prefix)) bare.push_back(name.substr(binary.prefix.size()));
  if (bare.empty()) return {};
  return exact_filter(bare);
}

std::optional<std::vector<std::string>> parse_list(std::string_view output) {
  Names names;
  std::set<std::string> seen;
  bool has_rule = false;
  bool has_head = false;
  for (std::string line : split(output, '\n')) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("[==========] Running ")) return {};  // Google Test
    has_rule = has_rule || line.starts_with("----------");
    has_head = has_head || (line.starts_with("Benchmark ") && line.find(" Time") != std::string::npos);
    if (line.empty()) continue;
    const std::string name = split_method_suffixes(line).name;
    if (seen.insert(name).second) names.push_back(name);
  }
  if (has_rule && has_head) return {};
  return names;
}

std::string without_banner(std::string_view list, std::string_view printed) {
  std::set<std::string> banner;
  for (const auto& line : split(std::string(printed), '\n')) banner.insert(without_numbers(line));
  std::string kept;
  for (const auto& line : split(std::string(list), '\n'))
    if (!line.empty() && banner.count(without_numbers(line)) == 0) kept += line + "\n";
  return kept;
}

std::string family_in_stages(const std::string& name) {
  return name.substr(0, name.rfind('/'));
}

std::vector<std::string> next_stage(const std::vector<std::string>& names, const std::set<std::string>& taken,
                                    const StageHints& hints) {
  constexpr std::size_t kFirstStage = 8;
  const auto is_likely = [&](std::size_t i) { return hints.likely_changed.contains(names[i]); };
  const auto telling = [&](std::size_t i) {
    const auto found = hints.telling.find(names[i]);
    return found == hints.telling.end() ? 0.0 : found->second;
  };
  std::map<std::string, std::vector<std::size_t>> families;
  for (std::size_t i = names.size(); i-- > 0;) families[family_in_stages(names[i])].push_back(i);
  std::vector<std::pair<std::array<std::size_t, 3>, std::string>> ranked;
  for (auto& [family, members] : families) {
    std::ranges::stable_sort(members, [&](std::size_t a, std::size_t b) {
      return std::pair(is_likely(a), telling(a)) > std::pair(is_likely(b), telling(b));
    });
    const bool is_seen =
        std::ranges::any_of(members, [&](std::size_t i) { return taken.contains(names[i]); });
    for (std::size_t later = 0; later < members.size(); ++later) {
      const std::size_t i = members[later];
      // The bits of the place from last to first: neighbours in the list are far apart.
      std::size_t spread = 0;
      for (std::size_t bit = 0, place = i; bit < 32; ++bit, place >>= 1) spread = spread << 1 | (place & 1);
      const std::size_t turn = later == 0 && !is_seen              ? 0
                               : hints.suspicious.contains(family) ? 1
                               : is_likely(i)                      ? 2
                                                                   : 3;
      if (!taken.contains(names[i])) ranked.push_back({{turn, later, spread}, names[i]});
    }
  }
  std::ranges::sort(ranked);
  std::vector<std::string> stage;
  for (const auto& [rank, name] : ranked)
    if (stage.size() < std::max(kFirstStage, taken.size())) stage.push_back(name);
  return stage;
}

// Fewer runs tell nothing.
constexpr std::size_t kTellingRunsMin = 5;

std::map<std::string, double> how_telling(const std::vector<Run>& runs) {
  std::map<std::string, std::map<std::size_t, double>> logs;  // by run
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& benchmark : runs[i].benchmarks) {
      const auto values = metric_values(find_metric("real_time"), benchmark, runs[i]);
      if (const double value = values.empty() ? 0 : stats::median(values); value > 0)
        logs[benchmark.name][i] = std::log(value);
    }
  std::erase_if(logs, [](const auto& one) { return one.second.size() < kTellingRunsMin; });
  std::map<std::string, std::map<std::size_t, double>> moves;  // since the run before that has it
  std::map<std::string, std::map<std::size_t, std::pair<double, int>>> sums;  // of families
  for (const auto& [name, values] : logs)
    for (auto at = std::next(values.begin()); at != values.end(); ++at) {
      moves[name][at->first] = at->second - std::prev(at)->second;
      auto& [sum, count] = sums[family_in_stages(name)][at->first];
      sum += moves[name][at->first];
      ++count;
    }
  std::map<std::string, double> telling;
  for (const auto& [name, own] : moves) {
    double both = 0;
    double squares = 0;
    double squares_of_others = 0;
    for (const auto& [run, move] : own) {
      const auto& [sum, count] = sums.at(family_in_stages(name)).at(run);
      if (count < 2) continue;
      const double others = (sum - move) / (count - 1);
      both += move * others;
      squares += move * move;
      squares_of_others += others * others;
    }
    if (squares > 0 && squares_of_others > 0) telling[name] = both / std::sqrt(squares * squares_of_others);
  }
  return telling;
}

Parts choose_parts(const Binary& binary, const std::vector<Listing>& listings, const Selection& selection) {
  const Shared shared = share(listings, selection);
  for (const auto& listing : listings) {
    if (listing.names) continue;
    Parts result = as_it_is(binary, shared.targets, selection);
    if (selection.isolate || listings.size() > 1)
      result.notes.push_back(in_quotes(label_of(binary)) + at_label(selection, listing.target) +
                             " cannot list its benchmarks: they are measured together, as they are");
    return result;
  }
  const auto has_none = [](const Names& names) { return names.empty(); };
  if (std::ranges::all_of(shared.wanted, has_none)) return {};
  if (selection.isolate) return one_by_one(binary, shared);
  Parts result;
  if (!std::ranges::all_of(shared.own, has_none)) {
    result = apart(binary, shared, selection);
  } else {
    // Of the names asked for, those that this binary has make the shorter filter.
    Selection here = selection;
    // A binary does not know its prefix, so that a filter would mean other names to it.
    const bool by_names = !binary.prefix.empty() && !selection.filter.empty();
    if (by_names || !selection.only.empty()) here.only = shared.common;
    result = as_it_is(binary, shared.targets, here);
    for (auto& part : result.parts) part.names = shared.common;
  }
  if (!same_order(shared))
    result.notes.push_back(
        in_quotes(label_of(binary)) +
        " lists its benchmarks in another order on the two sides; their repetitions run in "
        "random order on both");
  return result;
}

void NameClaims::claim(std::size_t target, const Binary& binary, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const auto [known, is_new] = owners_.try_emplace({target, name}, binary);
    if (is_new || is_same_binary(known->second, binary)) continue;
    throw Error(ExitCode::kUsage,
                "two binaries have a benchmark " + in_quotes(name) + ": " +
                    in_quotes(describe(known->second)) + " and " + in_quotes(describe(binary)),
                "tell them apart in tracker.toml: prefix = \"" +
                    std::filesystem::path(binary.path).stem().string() +
                    "/\" in the [[binary]] of one of them goes before the names of all its benchmarks");
  }
}

}  // namespace tracker::measure
