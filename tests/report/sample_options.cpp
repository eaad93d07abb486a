// What stands around the sample reports: pictures, devices without a verdict, the line that reproduces it.
#include "tests/report/sample_reports.hpp"

namespace tracker::test {

report::Options comment_options(const std::vector<ComparisonReport>& reports, std::size_t bytes_max) {
  report::Options options;
  options.marker = "<!-- tracker-report -->";
  options.bytes_max = bytes_max;
  options.reproduce = "tracker compare 3f9a0c1e5b 77ab01c92e --measure";
  for (const auto& report : reports) {
    int number = 0;
    for (const auto& row : report.comparisons) {
      if (!fails_gate(row) && row.verdict != Verdict::kSameCode) continue;
      const std::string file = "charts/trend-" + std::to_string(number++);
      options.pictures.push_back({report::Picture::Kind::kTrend,
                                  report.device,
                                  row.benchmark,
                                  file + ".png",
                                  file + "-dark.png",
                                  "trend of " + row.benchmark,
                                  {{"Trend of " + row.benchmark,
                                    {"commit", "value", "change", "subject"},
                                    {{"77ab01c", "3.115 TB/s", "▼ −8.00 %", "Drop the padding | of the tile"},
                                     {"3f9a0c1", "3.386 TB/s", "", "Pad the tile"}},
                                    "298 older values"}}});
    }
    const std::string first = report.comparisons.empty() ? "" : report.comparisons.front().benchmark;
    options.pictures.push_back({report::Picture::Kind::kSamples, report.device, first, "charts/samples.png",
                                "", "samples of " + first});
    options.pictures.push_back({report::Picture::Kind::kComparison, report.device, "", "charts/changes.png",
                                "charts/changes-dark.png", "all changes"});
  }
  return options;
}

report::Unjudged unjudged_device() {
  return {"nvidia-a100-80gib-400w",
          "no run is stored for the base HEAD~1 (3f9a0c1) on nvidia-a100-80gib-400w",
          "measure both side by side: tracker compare HEAD~1 --measure"};
}

report::Options unjudged_options() {
  report::Options options = comment_options({});
  options.unjudged = {{"", "no run is stored for the base HEAD~1 (3f9a0c1) on nvidia-h200-140gib-700w",
                       "measure both side by side: tracker compare HEAD~1 --measure"}};
  options.reproduce = "tracker compare HEAD~1 HEAD";
  return options;
}

report::Options hostile_options() {
  report::Options options = comment_options({hostile_report()});
  options.unjudged = {
      {"x\n::error::y", "--> </details> @everyone\n::set-output name=a::b", "`rm -rf` | [x](y)"}};
  options.reproduce = "tracker compare '`x`' 'HEAD@{1}' #1 <b>";
  options.pictures.push_back({report::Picture::Kind::kSamples, "\"<x>", "a",
                              "javascript:alert(1)\" onerror=\"x", "a b,c.png 2x", "\"><script>x</script>"});
  return options;
}

}  // namespace tracker::test
