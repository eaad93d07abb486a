#include "tracker/summary/run_columns.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "tracker/summary/summary_file.hpp"

namespace tracker {

RunColumns::RunColumns(SummaryFile& file, std::vector<const SummaryEntry*> entries)
    : file_(file), entries_(std::move(entries)) {
  if (entries_.empty()) return;
  const auto [first, last] = std::minmax_element(
      entries_.begin(), entries_.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  low_ = (*first)->number;
  runs_.assign(static_cast<std::size_t>((*last)->number - low_ + 1), -1);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    runs_[static_cast<std::size_t>(entries_[i]->number - low_)] = static_cast<std::int32_t>(i);
}

void RunColumns::for_each_frame(const VisitFrame& visit) const {
  Run run;
  std::optional<std::int64_t> environment;
  file_.for_frames(entries_, [&](std::size_t i, const PackedFrame& frame) {
    if (environment != frame.environment) {
      run = file_.environment(frame.environment);
      environment = frame.environment;
    }
    unpack_frame(frame.bytes, run);
    visit(i, run, frame.layout);
  });
}

Run RunColumns::frame_of(std::size_t run) const {
  Run frame;
  file_.for_frames({entries_.at(run)}, [&](std::size_t, const PackedFrame& packed) {
    frame = file_.environment(packed.environment);
    unpack_frame(packed.bytes, frame);
  });
  return frame;
}

std::vector<std::int64_t> RunColumns::series_in(std::int64_t layout) const {
  return file_.series_in(layout);
}

const std::string& RunColumns::name_of(std::int64_t series) const {
  return file_.name_of(series);
}

std::vector<std::string> RunColumns::chunks_of(std::int64_t series) const {
  if (runs_.empty()) return {};
  const std::lock_guard lock(mutex_);
  return file_.chunks_of(series, low_, low_ + static_cast<std::int64_t>(runs_.size()) - 1);
}

std::int32_t RunColumns::run_of(const Chunk::Row& row) const {
  if (row.number < low_ || row.number >= low_ + static_cast<std::int64_t>(runs_.size())) return -1;
  return runs_[static_cast<std::size_t>(row.number - low_)];
}

std::shared_ptr<const BenchmarkText> RunColumns::text_of(const Chunk::Row& row) const {
  const std::lock_guard lock(mutex_);
  auto& text = texts_[row.text];
  if (!text) text = std::make_shared<const BenchmarkText>(file_.text(row.text));
  return text;
}

}  // namespace tracker
