#include "tracker/report/markdown_footer.hpp"

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/markdown_text.hpp"
#include "tracker/report/visible_text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kDevicesMax = 6;
constexpr std::size_t kWordsColumnsMax = 100;

std::string short_text(const std::string& text) {
  return markdown_text(visible_text(text, kWordsColumnsMax));
}

// "1980 MHz", "1755–1980 MHz"
std::string range_in_words(const Interval& mhz) {
  const std::string low = format_plain(mhz.low);
  const std::string high = format_plain(mhz.high);
  return (low == high ? high : low + "–" + high) + " MHz";
}

// "SM clock 1980 MHz"; "SM clock 1755 MHz → 1980 MHz" where the sides differ.
void add_clock(const std::string& name, const std::optional<Interval>& base,
               const std::optional<Interval>& candidate, std::vector<std::string>& facts) {
  if (!base && !candidate) return;
  const std::string of_base = base ? range_in_words(*base) : "unknown";
  const std::string of_candidate = candidate ? range_in_words(*candidate) : "unknown";
  facts.push_back(name + " " + (of_base == of_candidate ? of_candidate : of_base + " → " + of_candidate));
}

std::string machine_line(const ComparisonReport& report) {
  std::vector<std::string> facts{"**" + short_text(device_in_words(report)) + "**"};
  const Software& software = report.software;
  if (software.driver) facts.push_back("driver " + short_text(*software.driver));
  if (software.cuda_runtime) facts.push_back("CUDA " + short_text(*software.cuda_runtime));
  const bool is_gpu = report.details.kind == DeviceKind::kGpu;
  add_clock(is_gpu ? "SM clock" : "clock", report.base.clocks.core_mhz, report.candidate.clocks.core_mhz,
            facts);
  add_clock("memory clock", report.base.clocks.memory_mhz, report.candidate.clocks.memory_mhz, facts);
  if (report.details.power_limit_w)
    facts.push_back("power limit " + format_plain(*report.details.power_limit_w) + " W");
  return join(facts, ", ");
}

// "3f9a0c1e Pad the tile (HEAD~1)"; GitHub makes a link of the id by itself.
std::string side_in_markdown(const Side& side) {
  std::vector<std::string> words = side_in_words(side);
  if (!side.commit.empty() && words.size() > 1 && words.front() == printable(side.label)) {
    words.push_back("(" + words.front() + ")");
    words.erase(words.begin());
  }
  for (auto& word : words) word = short_text(word);
  return words.empty() ? "unnamed" : join(words, " ");
}

std::string report_lines(const ComparisonReport& report) {
  std::string lines = machine_line(report) + "<br>";
  lines += "base " + side_in_markdown(report.base) + " → head " + side_in_markdown(report.candidate) + "<br>";
  lines += markdown_text(measuring_in_words(report)) + confidence_in_words(report);
  for (const auto& words : {effort_in_words(report), not_measured_in_words(report)})
    if (!words.empty()) lines += "<br>" + words;
  return lines;
}

}  // namespace

std::string footer_of(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  std::vector<std::string> blocks;
  for (const auto& report : reports) {
    if (blocks.size() == kDevicesMax) {
      blocks.push_back("and " + count_of(reports.size() - kDevicesMax, "more device"));
      break;
    }
    blocks.push_back(report_lines(report));
  }
  if (!options.explain.empty()) blocks.push_back("Explain: " + markdown_code(options.explain));
  if (!options.reproduce.empty()) blocks.push_back("Reproduce: " + markdown_code(options.reproduce));
  if (blocks.empty()) return "";
  return "---\n\n<sub>" + join(blocks, "<br>") + "</sub>\n";
}

}  // namespace tracker
