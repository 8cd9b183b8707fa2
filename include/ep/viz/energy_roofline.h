// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/charts.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// The roofline of energy (Choi et al. 2013): FLOPs per joule, or per second, against FLOPs per
// byte. Memory is the limit to the left of the ridge, arithmetic to the right. A pure function
// from data to shapes.
namespace ep::viz {

// Constants of one machine and number format, in J, W, s, FLOPs and bytes.
struct RooflineMachine {
    std::string label;
    double joules_per_flop = 0.0;
    double joules_per_byte = 0.0;
    double static_watts = 0.0;
    double seconds_per_flop = 0.0;
    double seconds_per_byte = 0.0;

    // Minimum cost of a FLOP at an intensity: J, or s.
    double energyAt(double intensity) const;
    double timeAt(double intensity) const;
    double ridge() const; // FLOPs per byte
};

// One component in one phase of a run.
struct RooflineDot {
    double flops = 0.0;
    double bytes = 0.0;
    double cost = 0.0; // total J, or s; also determines the size of the dot
    std::string text; // "decode q_proj"
    std::string link{}; // where a click leads
    std::size_t series = 0; // index of the run
};

struct RooflineChart {
    ChartFrame frame;
    bool of_time = false; // the cost is time
    std::vector<RooflineMachine> machines; // one line each, at most four
    std::vector<RooflineDot> dots; // a dot without work is not shown
    std::vector<std::string> series{}; // labels of the runs
    // Only dots in this range of FLOPs per byte are shown, and the axes fit them.
    std::optional<std::pair<double, double>> brushed{};
};
Scene layoutRoofline(const RooflineChart& chart);

} // namespace ep::viz
