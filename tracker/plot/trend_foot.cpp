#include "tracker/plot/trend_foot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/side_name.hpp"
#include "tracker/plot/trend_panel.hpp"

namespace tracker {
namespace {

using namespace trend;

constexpr double kFootRowPx = 21;
constexpr double kFootGapPx = 14;        // between two names
constexpr double kNearEndPx = 14;        // from a commit to the nearer end of its words
constexpr double kOrdinaryPx = 84;       // a name or a date
constexpr double kNewestWidthMax = 230;  // with its subject
constexpr std::size_t kSubjectLines = 2;
constexpr std::array<double, 4> kStepWidthsPx{230, 170, 120, kOrdinaryPx};

// A span of the foot that a commit's words take.
struct Span {
  double left = 0;
  double right = 0;
};

double name_width(const FootCommit& commit) {
  const std::string name = short_id(commit.point->commit) + "  " + commit.change;
  return text_width_px(name, kTextPx, true) + 2;
}

// As much as its longest row needs.
double width_of(const FootCommit& commit, double width_max) {
  const double subject = text_width_px(printable(commit.point->subject), kSmallPx) + 2;
  return std::min(std::max({kOrdinaryPx, subject, name_width(commit)}), width_max);
}

class Foot {
 public:
  Foot(double bottom, double left, double right, Canvas& canvas)
      : bottom_(bottom), left_(left), right_(right), canvas_(canvas) {}

  // Whether there was room for so wide a name.
  bool put(const FootCommit& commit, double width) {
    const auto span = find(commit, width);
    if (!span) return false;
    taken_.push_back(*span);
    write(commit, *span);
    return true;
  }

  // All of them, with names of one greatest width; or none where one does not fit.
  bool put_all(const std::vector<const FootCommit*>& commits, double width_max) {
    const auto before = taken_;
    std::vector<Span> spans;
    for (const auto* commit : commits) {
      const auto span = find(*commit, width_of(*commit, width_max));
      if (!span) {
        taken_ = before;
        return false;
      }
      taken_.push_back(*span);
      spans.push_back(*span);
    }
    for (std::size_t i = 0; i < commits.size(); ++i) write(*commits[i], spans[i]);
    return true;
  }
  void keep_apart(const std::vector<const FootCommit*>& steps) { steps_ = steps; }

 private:
  // Where the nearest of the steps is too near for both to stand around their commits.
  std::optional<double> away_from_neighbour(const FootCommit& commit, double width) const {
    const FootCommit* nearest = nullptr;
    for (const auto* step : steps_)
      if (step->x != commit.x &&
          (nearest == nullptr || std::abs(step->x - commit.x) < std::abs(nearest->x - commit.x)))
        nearest = step;
    if (!has_subject(commit) || nearest == nullptr) return {};
    const double distance = std::abs(nearest->x - commit.x);
    if (distance >= width + kFootGapPx) return {};
    const double towards = std::clamp((distance - kFootGapPx) / 2, 0.0, width / 2);
    return nearest->x > commit.x ? commit.x + towards - width : commit.x - towards;
  }

  static bool has_subject(const FootCommit& commit) { return commit.is_step || commit.is_newest; }
  // Away from another step that is near, else around the commit where that is free, else with the commit near
  // the span's end.
  std::optional<Span> find(const FootCommit& commit, double width) const {
    const double x = commit.x;
    const bool beside = has_subject(commit);
    std::vector<double> lefts;
    if (const auto away = away_from_neighbour(commit, width)) lefts.push_back(*away);
    lefts.push_back(x - width / 2);
    if (beside)
      for (const double near : {kOrdinaryPx / 2, kNearEndPx, 0.0}) {
        lefts.push_back(x + near - width);
        lefts.push_back(x - near);
      }
    for (double left : lefts) {
      left = std::clamp(left, left_, std::max(right_ - width, left_));
      const Span span{left, left + width};
      const bool is_free = std::none_of(taken_.begin(), taken_.end(), [&](const Span& other) {
        return span.left < other.right + kFootGapPx && other.left < span.right + kFootGapPx;
      });
      if (is_free && span.left <= x + 1 && x <= span.right + 1) return span;
    }
    return {};
  }

  void write(const FootCommit& commit, const Span& span) {
    const double width = span.right - span.left;
    const SeriesPoint& point = *commit.point;
    std::string name = short_id(point.commit);
    if (!commit.change.empty()) name += "  " + commit.change;
    const auto row = [&](int index, const std::string& words, TextStyle style, double block = 0) {
      const std::string fitted = fit_text(words, width, style.size_px, style.bold);
      const double own = std::max(block, text_width_px(fitted, style.size_px, style.bold));
      const double middle =
          std::clamp(commit.x, span.left + own / 2, std::max(span.right - own / 2, span.left + own / 2));
      style.align = Align::kCenter;
      canvas_.text(middle, bottom_ + 24 + kFootRowPx * index, fitted, style);
    };
    row(0, name, {kTextPx, commit.colour, Align::kCenter, has_subject(commit)});
    row(1, point.date.substr(0, 10), {kSmallPx, colour::kGrey});
    if (!has_subject(commit) || width <= kOrdinaryPx) return;
    const auto lines = wrap_text(point.subject, width, kSmallPx, kSubjectLines);
    double widest = 0;
    for (const auto& line : lines) widest = std::max(widest, text_width_px(line, kSmallPx));
    int index = 2;
    for (const auto& line : lines) row(index++, line, {kSmallPx, colour::kInk}, widest);
  }

  double bottom_;
  double left_;
  double right_;
  Canvas& canvas_;
  std::vector<Span> taken_;
  std::vector<const FootCommit*> steps_;
};

}  // namespace

std::vector<int> draw_foot(const std::vector<FootCommit>& commits, double bottom, double left, double right,
                           Canvas& canvas) {
  Foot foot(bottom, left, right, canvas);
  std::vector<int> named;
  const auto put = [&](const FootCommit& commit, double width) {
    const bool has_room = foot.put(commit, width);
    if (has_room) named.push_back(commit.point->position);
    return has_room;
  };
  for (const auto& commit : commits) {
    if (!commit.is_newest) continue;
    double free_from = left;  // a step beside it needs a name as well
    for (const auto& step : commits)
      if (step.is_step && !step.is_newest) free_from = std::max(free_from, step.x + kStepWidthsPx.back() / 2);
    const double room = right - free_from - 2 * kFootGapPx;
    put(commit, width_of(commit, std::min(std::max(room, name_width(commit)), kNewestWidthMax)));
  }
  std::vector<const FootCommit*> steps;
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    if (commit->is_step && !commit->is_newest) steps.push_back(&*commit);
  foot.keep_apart(steps);
  const bool all_fit = std::any_of(kStepWidthsPx.begin(), kStepWidthsPx.end(),
                                   [&](double width_max) { return foot.put_all(steps, width_max); });
  if (all_fit) {
    for (const auto* step : steps) named.push_back(step->point->position);
  } else {
    foot.keep_apart({});
    std::stable_partition(steps.begin(), steps.end(), [](const auto* step) { return step->is_worse; });
    for (const auto* step : steps)
      for (const double width_max : kStepWidthsPx)
        if (put(*step, width_of(*step, width_max))) break;
  }
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit)
    if (!commit->is_step && !commit->is_newest) put(*commit, kOrdinaryPx);
  std::sort(named.begin(), named.end());
  return named;
}

}  // namespace tracker
