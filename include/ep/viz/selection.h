// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"
#include "ep/core/trace_lookup.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// State shared by the charts of one run: the selection, the visible range, and the undo history.
// Plain values; the owner decides on the thread.
namespace ep::viz {

using ep::TokenRange;

// The selection; absent members mean everything. `time`, `tokens` and `phase` describe the same
// range in three ways and are kept consistent by RunIndex; the rest is a path into a layer.
struct Selection {
    std::optional<TimeRange> time;
    std::optional<TokenRange> tokens;
    std::optional<Phase> phase;
    std::optional<std::int32_t> layer;
    std::optional<Component> component;
    std::optional<Operation> operation;

    bool operator==(const Selection&) const = default;
    bool empty() const { return *this == Selection{}; }

    // Clears one level: first the operation, then the component, the layer, and finally time,
    // tokens and phase together. Returns false if nothing was selected.
    bool clearLevel();
    // The selection without the path into a layer, or without the time range.
    Selection withoutPart() const;
    Selection withoutTime() const;
};

// The times of a run's phases and tokens, which map a selection of one kind to the others.
class RunIndex {
public:
    RunIndex() = default;
    explicit RunIndex(const RunTrace& trace);

    TimeRange time() const { return m_time; } // time of the run; empty without a run
    std::int32_t tokens() const { return static_cast<std::int32_t>(m_tokens.size()); }
    std::optional<TimeRange> timeOf(Phase phase) const;
    std::optional<TimeRange> timeOf(TokenRange tokens) const; // absent if none of the tokens exists
    std::optional<TokenRange> tokensIn(TimeRange time) const; // tokens whose midpoint lies inside

    // The selection with time, tokens and phase set to match the argument. An empty range, or one
    // outside the run, selects nothing: all three become absent.
    Selection withTime(Selection selection, TimeRange time) const;
    Selection withTokens(Selection selection, TokenRange tokens) const;
    Selection withPhase(Selection selection, Phase phase) const;

private:
    TimeRange m_time;
    std::vector<PhaseSpan> m_phases;
    std::vector<TimeRange> m_tokens; // in order; a token without a time is an empty range
};

// "Decode · tokens 3 to 7 · layer 2 · q_proj"; empty if nothing is selected.
std::string describe(const Selection& selection);

// The state that undo restores.
struct ViewState {
    Selection selection;
    TimeRange visible; // visible range of all time axes

    bool operator==(const ViewState&) const = default;
};

// Zooming and panning of a time range, inside `full` and at least `kMinSpan` long.
inline constexpr Nanoseconds kMinSpan = 1'000; // 1 µs over a whole chart
TimeRange clampedInside(TimeRange range, TimeRange full, Nanoseconds least = kMinSpan);
// A larger factor shows more. The time at `anchor` keeps its position.
TimeRange zoomed(TimeRange range, Nanoseconds anchor, double factor, TimeRange full);
TimeRange panned(TimeRange range, Nanoseconds by, TimeRange full); // keeps the length
// The range between two times in either order.
TimeRange between(Nanoseconds a, Nanoseconds b);

// The undo history. Consecutive changes of one kind within kMergeNs (wheel steps, a drag) are one
// step.
class ViewHistory {
public:
    static constexpr std::size_t kDepth = 100;
    static constexpr Nanoseconds kMergeNs = 400'000'000;
    // Consecutive changes of one kind are merged, except for Jump.
    enum class Change : std::uint8_t { Jump, Zoom, Pan, Brush };

    void reset(const ViewState& state);
    const ViewState& state() const { return m_state; }
    // `now` is from any steady clock. Returns false if nothing changed.
    bool apply(const ViewState& state, Change change, Nanoseconds now);
    // Makes the next change a separate step, however soon it follows (a drag has ended).
    void finishChange() { m_last = Change::Jump; }

    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    bool undo();
    bool redo();

private:
    ViewState m_state;
    std::vector<ViewState> m_past; // oldest first
    std::vector<ViewState> m_future; // next last
    Change m_last = Change::Jump;
    Nanoseconds m_lastAt = 0;
};

} // namespace ep::viz
