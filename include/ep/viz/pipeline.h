// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/geometry.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

// Which phases show their sections.
using ExpandedPhases = std::array<bool, kPhaseCount>;

struct PipelineStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double row_height = 24.0; // at least 24, as rows are click targets
    double margin = 8.0;
    double strip_height = 32.0;
    double axis_height = 22.0; // ticks below the strip
};

// One row: a phase, a section of an expanded phase (summed over its tokens), or the remainder of
// an expanded phase outside its sections, or of the run outside its phases (phase is then Idle).
struct PipelineRow {
    enum class Kind { PhaseRow, SectionRow, Remainder };

    Kind kind = Kind::PhaseRow;
    Phase phase = Phase::Idle;
    std::optional<Section> section;
    bool expandable = false;
    bool expanded = false;
    int occurrences = 0; // number of spans in this sum
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj;
    Provenance provenance = Provenance::Missing; // of the value
    bool partial = false; // some spans of this row have no energy, so the value is a lower bound
    std::optional<double> share; // share of the run; absent if the metric is missing
    std::string share_text; // "12.3 %", "0 %" or an em dash
    std::string value_text; // "1.23 s"
    std::string title;
    Rect row; // the whole row, clickable
    Rect label;
    Rect track; // maximum extent of the bar
    Rect bar; // at least 1 px wide for positive values; width 0 for zero and for missing
    Rect text; // share and value, right of track

    bool missing() const { return !share.has_value(); }
};

// A phase in the strip, to scale and in chronological order.
struct PipelineSegment {
    Phase phase = Phase::Idle;
    std::size_t row = 0; // index of the phase's row
    Rect rect;
    bool label_fits = false; // there is room for the title
};

struct PipelineGeometry {
    std::vector<PipelineRow> rows;
    std::vector<PipelineSegment> strip; // empty if the metric is missing for the whole run
    Rect strip_rect;
    Rect axis_rect; // empty for energy
    double height = 0.0; // total height of the layout
    bool metric_missing = false; // no phase has a value
    Provenance provenance = Provenance::Missing; // the worst of the rows that have a value

    std::optional<std::size_t> hit(Point point) const; // index into rows, through row or strip
};

// Every phase except idle, which is not part of the run, becomes a row, in chronological order;
// spans of one phase are summed. metric: time or energy; shares refer to that of the run.
PipelineGeometry layoutPipeline(const Run& run, CostMetric metric, double width,
                                const ExpandedPhases& expanded, const PipelineStyle& style);

// A sentence for assistive technology.
Message summarize(const PipelineGeometry& geometry, CostMetric metric);

} // namespace ep::viz
