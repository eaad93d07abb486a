// Series of the kinds that public statistics have: few years, months with seasons, populations, prices,
// counts.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/changepoints/made_up.hpp"
#include "tests/stats/simulate.hpp"

namespace tracker::changepoints {
namespace {

constexpr unsigned kOfEachPublicKind = 5;

struct PublicKind {
  const char* name;
  std::size_t count;  // of the first series; the others have `more` more each
  std::size_t more;
  Places labels;  // of the first one; the others' are `later` later each
  std::size_t later;
  // The value at place x, where the first label is `a`, the second `b`; `state` is kept from value to value.
  double (*at)(stats::Simulation& noise, double x, double a, double b, double& state);
};

double year(double x) {
  return std::cos(2 * std::numbers::pi * x / 12);
}

double since(double x, double place) {
  return std::max(0.0, x - place);
}

using Noise = stats::Simulation;

const PublicKind kPublicKinds[] = {
    {"few years, a fall",
     15,
     2,
     {8},
     1,
     [](Noise& noise, double x, double a, double, double&) {
       return 20 + 2500 / (1 + std::exp((x - a) / 1.2)) + noise.normal(12);
     }},
    {"few years, a rise",
     21,
     1,
     {13},
     0,
     [](Noise& noise, double x, double a, double, double&) {
       return 40 + 0.7 * x + 12 * since(x, a) + noise.normal(1.2);
     }},
    {"growth, a crisis",
     24,
     9,
     {12},
     5,
     [](Noise& noise, double x, double a, double, double& log) {
       log += (x == a || x == a + 1 ? -0.07 : 0.03) + noise.normal(0.015);
       return std::exp(5 + log);
     }},
    {"a slow curve",
     104,
     40,
     {},
     0,
     [](Noise& noise, double x, double, double, double&) {
       return 280 + 0.15 * x + 0.004 * x * x + noise.normal(0.4);
     }},
    {"passengers",
     468,
     0,
     {290},
     0,
     [](Noise& noise, double x, double a, double, double&) {
       return std::exp(7 + 0.0025 * x + 0.12 * year(x) + 0.05 * year(2 * x) -
                       (x < a ? 0 : 0.35 * std::exp((a - x) / 18) + 0.03) + noise.normal(0.03));
     }},
    {"accidents by month",
     192,
     0,
     {72, 170},
     0,
     [](Noise& noise, double x, double a, double b, double&) {
       return std::exp(7.4 + 0.13 * year(x) + 0.06 * year(2 * x) - (x < a ? 0 : 0.15) - (x < b ? 0 : 0.25) +
                       noise.normal(0.06));
     }},
    {"tourists",
     199,
     0,
     {110},
     5,
     [](Noise& noise, double x, double a, double, double&) {
       return std::exp(10 + 0.004 * x + 0.018 * since(x, a) + 0.6 * year(x) + noise.normal(0.05));
     }},
    {"sales by month, a dip",
     330,
     0,
     {200, 210},
     5,
     [](Noise& noise, double x, double a, double b, double& log) {
       log += x >= a && x < b ? -0.012 : 0.0035;
       return std::exp(13 + log + 0.025 * year(x) + noise.normal(0.004));
     }},
    {"three paces",
     214,
     0,
     {60, 110},
     4,
     [](Noise& noise, double x, double a, double b, double& level) {
       level += x < a ? -0.01 : x < b ? 0.06 : -0.04;
       return 4 + level + noise.normal(0.05);
     }},
    {"a population",
     300,
     120,
     {},
     0,
     [](Noise& noise, double x, double, double, double&) {
       return 150e6 + 18e4 * x + 20 * x * x + 1e5 * year(x) + noise.normal(2e4);
     }},
    {"prices",
     250,
     130,
     {},
     0,
     [](Noise& noise, double, double, double, double& log) {
       return std::exp(4 + (log += noise.normal(0.02)));
     }},
    {"prices, a crash",
     600,
     0,
     {350},
     20,
     [](Noise& noise, double x, double a, double, double& log) {
       log += noise.normal(0.02) - (x >= a && x < a + 6 ? 0.2 : 0);
       return std::exp(5 + log);
     }},
    {"a river",
     100,
     0,
     {28},
     8,
     [](Noise& noise, double x, double a, double, double&) {
       return x < a ? 1100 + noise.normal(135) : 850 + noise.normal(125);
     }},
    {"counts, three rates that last",
     118,
     0,
     {20, 48},
     2,
     [](Noise& noise, double x, double a, double b, double& state) {
       state = 0.5 * state + noise.normal(10);
       return std::round(std::max(5.0, (x < a ? 35 : x < b ? 95 : 150) + state));
     }},
    {"quality",
     330,
     0,
     {150},
     30,
     [](Noise& noise, double x, double a, double, double&) {
       return 100 + (x < a ? 0 : 2) + noise.normal(1);
     }},
    {"quality, outliers",
     330,
     0,
     {},
     0,
     [](Noise& noise, double x, double, double, double&) {
       return noise.normal(1) + (std::fmod(x, 97) == 50 ? 8 : 0);
     }},
    {"licences, a trend with jumps",
     205,
     0,
     {80, 130},
     5,
     [](Noise& noise, double x, double a, double b, double&) {
       return 12000 + 250 * x - (x < a ? 0 : 14000) + (x < b ? 0 : 20000) + noise.normal(1500);
     }},
    {"whole numbers",
     80,
     20,
     {},
     0,
     [](Noise& noise, double, double, double, double&) { return std::round(20 + noise.normal(0.35)); }},
    {"whole numbers, a step",
     80,
     20,
     {40},
     10,
     [](Noise& noise, double x, double a, double, double&) {
       return std::round((x < a ? 20 : 23) + noise.normal(0.35));
     }},
    {"mostly zero",
     80,
     20,
     {},
     0,
     [](Noise& noise, double, double, double, double&) {
       return std::max(0.0, std::round(noise.normal(1) - 0.8));
     }},
    {"quarters",
     60,
     12,
     {},
     0,
     [](Noise& noise, double x, double, double, double&) {
       constexpr double kQuarters[] = {-6, 2, 8, -4};
       return 100 + 0.4 * x + kQuarters[static_cast<std::size_t>(x) % 4] + noise.normal(1);
     }},
};

}  // namespace

Group made_up_public() {
  Group group{"made_up_public", {}};
  for (const auto& kind : kPublicKinds)
    for (unsigned seed = 0; seed < kOfEachPublicKind; ++seed) {
      stats::Simulation noise(seed);
      LabelledSeries series;
      series.name = kind.name;
      Places labels = kind.labels;
      for (auto& label : labels) label += kind.later * seed;
      const auto label = [&](std::size_t which) {
        return which < labels.size() ? static_cast<double>(labels[which]) : 0;
      };
      double state = 0;
      for (std::size_t i = 0; i < kind.count + kind.more * seed; ++i)
        series.values.push_back(kind.at(noise, static_cast<double>(i), label(0), label(1), state));
      series.labels = {labels};
      group.series.push_back(series);
    }
  return group;
}

}  // namespace tracker::changepoints
