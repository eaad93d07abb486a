#include "tracker/site/site.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/compare.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/series.hpp"

namespace tracker::commands {
namespace {

namespace fs = std::filesystem;

struct SiteOptions {
  fs::path out;
  std::vector<std::string> globs;
  std::string device;
  std::string from = "HEAD";
  std::string commit_url;
  std::string threshold;
};

void check_options(const SiteOptions& options) {
  if (!options.commit_url.empty() && !options.commit_url.starts_with("https://") &&
      !options.commit_url.starts_with("http://"))
    throw Error(ExitCode::kUsage, "--commit-url " + in_quotes(options.commit_url) + " is no address",
                "write what a commit's id follows: --commit-url https://github.com/OWNER/NAME/commit/");
  std::error_code error;
  const bool is_site = fs::exists(options.out / "data" / "index.js", error);
  if (fs::exists(options.out, error) && !is_site &&
      (!fs::is_directory(options.out, error) || !fs::is_empty(options.out, error)))
    throw Error(ExitCode::kUsage, in_quotes(options.out.string()) + " is neither empty nor a site",
                "name a new folder");
}

// The devices' lines, one after the other.
site::History gather(const app::Workspace& workspace, const SiteOptions& options) {
  const Config& config = workspace.config();
  const Policy policy = app::policy_at_threshold(config.policy, options.threshold);
  WaitingLine waiting("reading what is recorded");
  const auto known = history::devices_on_line(workspace.repository(), workspace.history(), options.from,
                                              history::kWholeLine);
  if (known.empty()) throw app::no_run_on_line(workspace, options.from, history::kWholeLine);
  const auto devices = app::matching_devices(known, options.device);
  if (devices.empty())
    throw Error(ExitCode::kUsage, "no device with runs matches " + in_quotes(options.device),
                "name one of these: " + join(known, ", "));
  site::History site;
  site.title = fs::absolute(workspace.root()).lexically_normal().filename().string();
  site.commit_url = options.commit_url;
  // Where the remote is known, commits are links without being told.
  if (const std::string known_url = commit_url(workspace.repository()); site.commit_url.empty())
    site.commit_url = known_url.substr(0, known_url.find("{commit}"));
  site.tracker = version_text();
  waiting.clear();
  print_gaps(std::cout, app::line_gaps(workspace, options.from));
  const auto acceptances = app::acceptances_on(workspace, options.from);
  for (const auto& device : devices) {
    std::cout << printable(device) << ": reading" << std::flush;
    history::LineQuestion question = site::site_question(options.globs);
    question.finish = [&](Series& series) { events::accept_steps(series, acceptances); };
    if (options.globs.empty() && !config.sweeps.empty())
      question.passed_over = [&](const std::string& name) {
        return history::is_in_sweep(name, config.sweeps);
      };
    auto line = history::load_line(workspace.repository(), workspace.history(), device, options.from,
                                   question, policy);
    const std::size_t commits = line ? line->commits.size() : 0;
    const std::size_t before = site.devices.size();
    if (line)
      site::add_device(site, device, std::move(*line),
                       [&](const auto& series, std::vector<ChangeEvent>& events) {
                         events::add_causes(workspace.repository(), workspace.history(), options.from, policy,
                                            series, events);
                         events::accept_changes(events, acceptances);
                       });
    const std::size_t count = site.devices.size() > before ? site.devices.back().series.size() : 0;
    std::cout << ": " << count_of(commits, "commit") << ", " << count_of(count, "benchmark") << "\n"
              << std::flush;
  }
  return site;
}

ExitCode write_site(const Globals& globals, const SiteOptions& options) {
  check_options(options);
  const app::Workspace workspace(globals);
  const site::History history = gather(workspace, options);
  if (history.devices.empty())
    throw Error(ExitCode::kUsage,
                options.globs.empty() ? "nothing but sweeps is recorded"
                                      : "no benchmark matches " + in_quotes(join(options.globs, "' or '")),
                "tracker log '*' lists what is recorded");
  const auto files = site::make(history);
  std::error_code error;
  fs::remove_all(options.out / "data", error);  // of an older site, which may have had more files
  std::size_t bytes = 0;
  for (const auto& file : files) {
    write_file(options.out / file.path, file.text);
    bytes += file.text.size();
  }
  print_line("wrote " + (options.out / "index.html").string() + ": " +
             count_of(history.devices.size(), "device") + ", " + count_of(history.commits.size(), "commit") +
             ", " + format_bytes(static_cast<double>(bytes)));
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_site(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<SiteOptions>();
  app.add_option("dir", options->out, "the folder for the pages: new, or an older site")->required();
  app.add_option("globs", options->globs, "benchmarks to show (default: all but sweeps)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--from", options->from, "the newest commit to show (default HEAD)");
  app.add_option("--commit-url", options->commit_url, "link commits: the address before their ids");
  app.add_option("--threshold", options->threshold, "the smallest change to show, for every benchmark: 1%");
  return [options, &globals] { return write_site(globals, *options); };
}

}  // namespace tracker::commands
