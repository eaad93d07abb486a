// Reading runs out of the file of summaries: their frames, and the rows of the chunks that have their values.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/summary/packed.hpp"
#include "tracker/summary/summary_file.hpp"

namespace tracker::summary {
namespace {

// Of chunks that are unpacked together.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20U;
constexpr std::size_t kRunsLeast = 4;  // fewer are no work for another core
constexpr std::size_t kChunksLeast = 16;

// Leaves the text without the machine code, if it is not wanted, without all other counters, and without what
// noise is not learned from, if it is for that: the binary, the attributes and the hash of its own code.
void keep_wanted(BenchmarkText& text, const Wanted& wanted) {
  if (!wanted.code) text.benchmark.code.reset();
  if (wanted.times_apart) {
    text.benchmark.binary.clear();
    text.benchmark.attributes.clear();
    text.benchmark.host_code.clear();
  }
  if (!wanted.counters) return;
  std::size_t place = 0;
  text.places.clear();
  std::erase_if(text.benchmark.counters, [&](const auto& counter) {
    const bool is_kept = wanted.counters->contains(counter.first);
    if (is_kept) text.places.push_back(place);
    ++place;
    return !is_kept;
  });
}

const std::string& id_of(const Entry* entry) {
  return entry->key.id;
}

}  // namespace

File::Layout& File::layout(std::int64_t id, const Wanted& wanted) {
  const auto [known, is_new] = layouts_.try_emplace(id);
  Layout& layout = known->second;
  if (!is_new) return layout;
  layout.places.assign(series_names_.size(), -1);
  layout.series = series_in(id);
  for (const std::int64_t series : layout.series) {
    const auto place = static_cast<std::size_t>(series);
    if (!wanted.names || wanted.names(series_names_[place])) layout.places[place] = layout.wanted++;
  }
  return layout;
}

void File::fill_values(std::vector<Reading>& readings, Filled& filled, const Wanted& wanted) {
  RunPlaces places;
  places.low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = 0;
  for (const auto& reading : readings) {
    places.low = std::min(places.low, reading.entry->number);
    high = std::max(high, reading.entry->number);
  }
  places.runs.resize(static_cast<std::size_t>(high - places.low + 1));
  std::set<std::pair<std::string, std::int64_t>> series;  // samples lie by name
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Layout& own = layout(readings[i].layout_id, wanted);
    readings[i].layout = &own;
    auto& place = places.runs[static_cast<std::size_t>(readings[i].entry->number - places.low)];
    (readings[i].is_whole ? place.whole : place.some) = static_cast<std::int32_t>(i);
    if (readings[i].is_whole || !wanted.times_apart)
      filled.runs[i].benchmarks.resize(static_cast<std::size_t>(own.wanted));
    if (!seen.insert(readings[i].layout_id).second) continue;
    for (const std::int64_t id : own.series)
      if (own.places[static_cast<std::size_t>(id)] >= 0)
        series.emplace(series_names_[static_cast<std::size_t>(id)], id);
  }
  auto next_series = series.begin();
  const auto read_batch = [&] {
    std::vector<ReadChunk> batch;
    for (std::size_t bytes = 0; bytes < kBatchBytes && next_series != series.end(); ++next_series)
      for_chunks(next_series->second, places.low, high, [&](std::string_view chunk) {
        batch.push_back({next_series->second, std::string(chunk), nullptr});
        bytes += chunk.size();
      });
    return batch;
  };
  for (auto batch = read_batch(); !batch.empty();) {
    std::vector<ReadChunk> next;
    for_each_in_parallel(2, [&](std::size_t task) {
      if (task == 0)
        next = read_batch();
      else
        unpack(batch, places, wanted);
    });
    put_chunks(batch, readings, places, filled, wanted);
    batch = std::move(next);
  }
  in_parts(readings.size(), kRunsLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (readings[i].filled != readings[i].layout->wanted) throw Damaged{"values are missing"};
      index_benchmarks(filled.runs[i]);
    }
  });
}

void File::unpack(std::vector<ReadChunk>& chunks, const RunPlaces& places, const Wanted& wanted) {
  in_parts(chunks.size(), kChunksLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      auto& chunk = chunks[i].chunk;
      chunk = std::make_unique<UnpackedChunk>(std::move(chunks[i].bytes), wanted.counters, places.low);
      const auto is_whole = [&](const Chunk::Row& row) { return places.of(row.number).whole >= 0; };
      if (!wanted.counters || !wanted.counters->empty() || std::ranges::any_of(chunk->rows(), is_whole))
        chunk->unpack_constants();
    }
  });
}

// The texts of some chunks' rows, each read once; without what is not wanted, where that is said.
class File::Texts {
 public:
  Texts(File& file, const Wanted* wanted) : file_(file), wanted_(wanted) {}

  const BenchmarkText& find(std::int64_t id) {
    if (last_ != nullptr && id == last_id_) return *last_;  // the rows of a chunk mostly have the same one
    const auto [place, is_new] = texts_.try_emplace(id);
    if (is_new) {
      place->second = file_.text(id);
      if (wanted_ != nullptr) keep_wanted(place->second, *wanted_);
    }
    last_id_ = id;
    last_ = &place->second;
    return *last_;
  }

 private:
  File& file_;
  const Wanted* wanted_;
  std::unordered_map<std::int64_t, BenchmarkText> texts_;
  std::int64_t last_id_ = 0;
  const BenchmarkText* last_ = nullptr;
};

void File::put_chunks(const std::vector<ReadChunk>& chunks, std::vector<Reading>& readings,
                      const RunPlaces& places, Filled& filled, const Wanted& wanted) {
  struct Put {
    const ReadChunk* from = nullptr;
    std::size_t row = 0;
    const BenchmarkText* text = nullptr;
    std::int32_t place = 0;
  };
  struct PutApart {  // rows of one text
    const UnpackedChunk* from = nullptr;
    const BenchmarkText* text = nullptr;
    std::vector<UnpackedChunk::RowOfRun> rows;
  };
  std::vector<std::vector<Put>> by_run(readings.size());
  std::vector<PutApart> apart;
  Texts whole_texts(*this, nullptr);
  Texts wanted_texts(*this, &wanted);
  for (const auto& one : chunks) {
    const auto place_in = [&](std::int32_t run) {
      Reading& reading = readings[static_cast<std::size_t>(run)];
      const std::int32_t place = reading.layout->places[static_cast<std::size_t>(one.series)];
      if (place < 0) throw Damaged{"values of no benchmark"};
      ++reading.filled;
      return place;
    };
    const auto put = [&](std::int32_t run, std::size_t row, const BenchmarkText& text) {
      by_run[static_cast<std::size_t>(run)].push_back({&one, row, &text, place_in(run)});
    };
    const auto put_apart = [&](std::int32_t run, std::size_t row, const BenchmarkText& text) {
      place_in(run);
      const bool is_next =
          !apart.empty() && apart.back().from == one.chunk.get() && apart.back().text == &text;
      auto& rows = (is_next ? apart.back() : apart.emplace_back(PutApart{one.chunk.get(), &text, {}})).rows;
      rows.push_back({row, static_cast<std::uint32_t>(run)});
    };
    for (std::size_t row = 0; row < one.chunk->rows().size(); ++row) {
      const Chunk::Row& of_run = one.chunk->rows()[row];
      const auto [some, whole] = places.of(of_run.number);
      if (whole >= 0) put(whole, row, whole_texts.find(of_run.text));
      if (some < 0) continue;
      const BenchmarkText& own = wanted_texts.find(of_run.text);
      const bool is_apart =
          wanted.times_apart && one.chunk->has_times_alone() && own.benchmark.counters.empty();
      is_apart ? put_apart(some, row, own) : put(some, row, own);
    }
  }
  in_parts(filled.runs.size(), kRunsLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      auto& benchmarks = filled.runs[i].benchmarks;
      const bool by_place = readings[i].is_whole || !wanted.times_apart;
      for (const auto& [chunk, row, text, place] : by_run[i])
        chunk->chunk->put(row, *text, filled.runs[i],
                          by_place ? benchmarks[static_cast<std::size_t>(place)] : benchmarks.emplace_back());
    }
  });
  const std::size_t before = filled.times.size();
  filled.times.resize(before + apart.size());
  in_parts(apart.size(), kChunksLeast, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      filled.times[before + i] = apart[i].from->times_of(apart[i].rows, *apart[i].text, filled.runs);
  });
}

File::Filled File::fill(std::vector<Reading>& readings, const Wanted& wanted) {
  layouts_.clear();
  Filled filled;
  filled.runs.resize(readings.size());
  if (readings.empty()) return filled;
  std::vector<const Entry*> entries;
  for (const auto& reading : readings) entries.push_back(reading.entry);
  for_frames(entries,
             [&](std::size_t i, const Run& environment, std::string_view bytes, std::int64_t layout) {
               readings[i].layout_id = layout;
               filled.runs[i] = environment;
               unpack_frame(bytes, filled.runs[i]);
             });
  fill_values(readings, filled, wanted);
  return filled;
}

// With the documents of those that have no summary. The others are the readings that have no place yet; each
// gets its place in the list.
std::vector<Run> File::in_order_of(const std::vector<const Entry*>& entries,
                                   const std::vector<Reading>& readings, std::vector<Run>& packed,
                                   bool with_empty, std::vector<std::uint32_t>& places) {
  std::vector<Run> runs;
  runs.reserve(entries.size());
  for (const Entry* entry : entries) {
    if (!entry->why_refused.empty()) {
      store_.leave_out(entry->key, entry->why_refused);
      continue;
    }
    if (entry->by_document) {
      if (auto run = hooks_.read(entry->key);
          run && (with_empty || !(run->benchmarks.empty() && run->same_program)))
        runs.push_back(std::move(*run));
      continue;
    }
    const std::size_t next = places.size();
    places.push_back(static_cast<std::uint32_t>(runs.size()));
    const bool is_empty = readings[next].layout->series.empty();
    if (with_empty || !is_empty || !packed[next].same_program) runs.push_back(std::move(packed[next]));
  }
  return runs;
}

File::TwoLists File::read(std::vector<const Entry*> whole, std::vector<const Entry*> some,
                          const Wanted& wanted) {
  std::vector<Reading> readings;
  for (auto* list : {&whole, &some}) {
    std::ranges::sort(*list, {}, id_of);
    for (const Entry* entry : *list)
      if (!entry->by_document) readings.push_back({entry, list == &whole, 0, nullptr, 0});
  }
  Filled filled = fill(readings, wanted);
  TwoLists lists;
  std::vector<std::uint32_t> places;  // of the readings, in their lists
  lists.whole = in_order_of(whole, readings, filled.runs, true, places);
  lists.some.runs = in_order_of(some, readings, filled.runs, false, places);
  lists.some.times = std::move(filled.times);
  for (auto& times : lists.some.times)
    for (auto& one : times.in_runs) one.run = places[one.run];
  return lists;
}

}  // namespace tracker::summary
