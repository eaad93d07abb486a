#include "tracker/plot/samples_words.hpp"

#include "tracker/base/text.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {

std::string interval_words(const Comparison& comparison) {
  if (!comparison.interval || !drawable(comparison.interval->low) || !drawable(comparison.interval->high) ||
      noise_hides_everything(comparison))
    return "";
  const auto bare = [](double share) {
    const std::string text = format_percent(share);
    return text.substr(0, text.find(' '));
  };
  return "[" + bare(comparison.interval->low) + ", " + bare(comparison.interval->high) + "]";
}

std::string change_words(const Comparison& comparison) {
  if (!comparison.change) return verdict_name(comparison.verdict);
  const std::string interval = interval_words(comparison);
  return format_percent(*comparison.change) + (interval.empty() ? "" : " " + interval);
}

std::vector<std::string> notes_of(const SamplesView& view) {
  std::vector<std::string> notes;
  if (!view.cut.empty()) notes.push_back(view.cut);
  if (view.left_out > 0)
    notes.push_back("○ excluded: " + count_of(view.left_out, "invocation") + " that " +
                    (view.left_out == 1 ? "does" : "do") + " not count");
  if (view.beyond > 0) {
    const std::string farthest = reference_text({"", view.farthest_beyond}, view.scale);
    notes.push_back(view.beyond == 1
                        ? "1 sample off the axis, at" + farthest
                        : std::to_string(view.beyond) + " samples off the axis, the farthest at" + farthest);
  }
  if (view.threshold) notes.emplace_back("shaded: within the threshold");
  if (view.parts.size() > 1) notes.emplace_back("≈ what lies between the sides is cut out");
  return notes;
}

}  // namespace tracker
