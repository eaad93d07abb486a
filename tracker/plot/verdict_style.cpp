#include "tracker/plot/verdict_style.hpp"

#include <algorithm>
#include <iterator>

namespace tracker {
namespace {

struct VerdictStyle {
  Verdict verdict;
  MarkStyle mark;
};

constexpr int kFirstFilled = 5;  // from here on odd types are filled, and hollow in the type before

// Discs, squares, crosses, diamonds, circles and triangles, as gnuplot numbers them.
const VerdictStyle kStyles[] = {{Verdict::kRegressed, {11, 1.7, colour::kVermilion}},
                                {Verdict::kBelowFloor, {5, 1.3, colour::kVermilion}},
                                {Verdict::kFailed, {2, 1.2, colour::kVermilion}},
                                {Verdict::kMissing, {2, 1.2, colour::kVermilion}},
                                {Verdict::kSameCode, {13, 1.7, colour::kInk}},
                                {Verdict::kNotComparable, {6, 1.2, colour::kInk}},
                                {Verdict::kInconclusive, {6, 1.2, colour::kGrey}},
                                {Verdict::kImproved, {9, 1.7, colour::kGreen}},
                                {Verdict::kNew, {1, 1.2, colour::kBlue}},
                                {Verdict::kUnchanged, {7, 0.9, colour::kMidGrey}}};

}  // namespace

MarkStyle verdict_mark(Verdict verdict, bool excused) {
  const auto found = std::find_if(std::begin(kStyles), std::end(kStyles),
                                  [&](const VerdictStyle& look) { return look.verdict == verdict; });
  MarkStyle mark = found == std::end(kStyles) ? MarkStyle{} : found->mark;
  const bool can_be_hollow = mark.type >= kFirstFilled && mark.type % 2 == 1;
  if (excused && can_be_hollow) --mark.type;
  return mark;
}

bool is_decided(Verdict verdict) {
  return verdict != Verdict::kUnchanged && verdict != Verdict::kInconclusive;
}

}  // namespace tracker
