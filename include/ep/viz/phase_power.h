// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/viz/axis.h"
#include "ep/viz/geometry.h"
#include "ep/viz/token_cost.h"
#include "ep/viz/waterfall.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace ep::viz {

// Selects samples.
struct PhasePowerFilter {
    std::array<bool, kPhaseCount> phases{true, true, true, true, true, true, true};
    double least_confidence = 0.0; // share of a sample's window inside its phase, 0..1
    std::optional<Rail> rail; // absent: the total

    bool operator==(const PhasePowerFilter&) const = default;
};

struct PhasePoint {
    std::size_t sample = 0; // index in the trace
    Nanoseconds at_ns = 0; // middle of its window
    double mw = 0.0;
    Phase phase = Phase::Idle;
    double confidence = 0.0;
    double z = 0.0; // robust z-score within its phase
    bool anomalous = false;
};

// Statistics of the points of one phase.
struct PhaseBox {
    Phase phase = Phase::Idle;
    std::size_t samples = 0;
    double least = 0.0;
    double low_whisker = 0.0; // the lowest value within 1.5 interquartile ranges of the box
    double q1 = 0.0;
    double median = 0.0;
    double q3 = 0.0;
    double high_whisker = 0.0;
    double most = 0.0;
    double mean = 0.0;
    std::size_t anomalies = 0;
};

struct PhasePower {
    std::vector<PhasePoint> points; // in order of time
    std::vector<PhaseBox> boxes; // for phases with points, in order of the enum
    std::size_t hidden = 0; // number of samples hidden by the filter
    std::size_t without_value = 0; // number of samples without the rail
    bool modelled = false;
    TimeRange time; // time range of all samples
};
PhasePower buildPhasePower(const RunTrace& trace, const PhasePowerFilter& filter);

struct PhasePowerGeometry {
    Rect scatter;
    Rect boxes;
    std::vector<Point> points; // positions of PhasePower::points
    struct Box {
        Rect column; // clickable area
        Rect body; // q1 to q3
        double median_y = 0.0;
        double low_y = 0.0;
        double high_y = 0.0;
    };
    std::vector<Box> box_shapes;
    std::vector<Tick> values;
    std::vector<Tick> times;
    double ceiling = 1.0;

    bool empty() const { return points.empty(); }
    std::optional<std::size_t> hitPoint(Point point) const; // the nearest one within 8 pixels
    std::optional<std::size_t> hitBox(Point point) const;
};
PhasePowerGeometry layoutPhasePower(const PhasePower& data, TimeRange visible, Nanoseconds origin,
                                    const Rect& area, const WaterfallStyle& style);
Message summarize(const PhasePower& data);

// Energy of each phase, stacked by rail.
struct RailBars {
    struct Segment {
        std::optional<Rail> rail; // absent: outside of the rails (system without them)
        double mj = 0.0;
        Rect rect;
    };
    struct Row {
        Phase phase = Phase::Idle;
        std::vector<Segment> segments;
        std::vector<Rail> missing; // rails that the source has only in other phases
        std::optional<double> total_mj; // sum of all segments; absent: no energy
        Provenance provenance = Provenance::Missing;
        Rect row; // clickable area
        Rect label;
        Rect track;
        Rect text; // value, right of the track
    };
    std::vector<Row> rows;
    std::vector<Tick> values; // under the tracks
    double height = 0.0;
    bool all_missing = true;

    std::optional<std::size_t> hit(Point point) const; // a row
};
// net: subtracts the energy of the idle machine, for rails in the baseline. textWidth: of the
// widest text beside a bar, in pixels.
RailBars layoutRailBars(const Run& run, bool net, double width, const WaterfallStyle& style,
                        double textWidth = 0.0);

} // namespace ep::viz
