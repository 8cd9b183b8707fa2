// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/viz/geometry.h"
#include "ep/viz/metric.h"

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
    double row_height = 24.0; // at least 24: a row is a target to click
    double margin = 8.0;
    double strip_height = 32.0;
    double axis_height = 22.0; // ticks below the strip
};

// One row: a phase, a section of an expanded phase (all tokens together), or a remainder: what the
// sections of an expanded phase leave over, or the phases of the run (phase is Idle then).
struct PipelineRow {
    enum class Kind { PhaseRow, SectionRow, Remainder };

    Kind kind = Kind::PhaseRow;
    Phase phase = Phase::Idle;
    std::optional<Section> section;
    bool expandable = false;
    bool expanded = false;
    int occurrences = 0; // spans that were added up
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj;
    Provenance provenance = Provenance::Missing; // of the metric's value
    bool partial = false; // some spans of this row lack energy: the value is a lower bound
    std::optional<double> share; // of the run in the metric; absent when the metric is missing
    std::string share_text; // "12.3 %", "0 %" or an em dash
    std::string value_text; // "1.23 s"
    std::string title;
    Rect row; // the whole row, which takes clicks
    Rect label;
    Rect track; // where the bar can go
    Rect bar; // at least 1 px wide when the value is above zero; width 0 for zero and for missing
    Rect text; // share and value, right of track

    bool missing() const { return !share.has_value(); }
};

// A phase in the strip, to scale in the order of time.
struct PipelineSegment {
    Phase phase = Phase::Idle;
    std::size_t row = 0; // index of the phase's row
    Rect rect;
    bool label_fits = false; // the title has room
};

struct PipelineGeometry {
    std::vector<PipelineRow> rows;
    std::vector<PipelineSegment> strip; // empty when the metric is missing for the whole run
    Rect strip_rect;
    Rect axis_rect; // empty for energy
    double height = 0.0; // all that was laid out
    bool metric_missing = false; // no phase has a value
    Provenance provenance = Provenance::Missing; // worst of the rows that have a value

    std::optional<std::size_t> hit(Point point) const; // index into rows, through row or strip
};

// Every phase of the run but idle, which is no part of it, becomes a row in order of time; spans of
// one phase are added up. Shares refer to the run's own time or energy.
PipelineGeometry layoutPipeline(const Run& run, NodeMetric metric, double width,
                                const ExpandedPhases& expanded, const PipelineStyle& style);

// Sentence for assistive technology.
std::string summarize(const PipelineGeometry& geometry, NodeMetric metric);

} // namespace ep::viz
