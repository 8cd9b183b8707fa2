// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/token_range.h"
#include "ep/core/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the charts of one run have in common: what is chosen, what is in view, and the way back.
// Plain values; whoever owns them decides on the thread.
namespace ep::viz {

using ep::TokenRange;

// What the person has chosen; absent means all of it. `time`, `tokens` and `phase` say the same
// thing in three ways and are kept together by RunIndex; the rest is a path into a layer.
struct Selection {
    std::optional<TimeRange> time;
    std::optional<TokenRange> tokens;
    std::optional<Phase> phase;
    std::optional<std::int32_t> layer;
    std::optional<Component> component;
    std::optional<Operation> operation;

    bool operator==(const Selection&) const = default;
    bool empty() const { return *this == Selection{}; }

    // One level up: the operation goes first, then component, layer, and time with tokens and phase
    // at once. False when there was nothing.
    bool clearLevel();
    // The same without the path into a layer, or without the time.
    Selection withoutPart() const;
    Selection withoutTime() const;
};

// Times of a run's phases and tokens, and how a choice of one becomes a choice of the others.
class RunIndex {
public:
    RunIndex() = default;
    explicit RunIndex(const RunTrace& trace);

    TimeRange time() const { return m_time; } // of the run; empty without one
    std::int32_t tokens() const { return static_cast<std::int32_t>(m_tokens.size()); }
    std::optional<TimeRange> timeOf(Phase phase) const;
    std::optional<TimeRange> timeOf(TokenRange tokens) const; // absent when none of them is there
    std::optional<TokenRange> tokensIn(TimeRange time) const; // whose middle lies inside
    std::optional<std::int32_t> tokenAt(Nanoseconds time) const; // whose time contains it

    // The selection with time, tokens and phase set to fit the argument. An empty range, or one
    // outside the run, chooses nothing: all three become absent.
    Selection withTime(Selection selection, TimeRange time) const;
    Selection withTokens(Selection selection, TokenRange tokens) const;
    Selection withPhase(Selection selection, Phase phase) const;

private:
    TimeRange m_time;
    std::vector<PhaseSpan> m_phases;
    std::vector<TimeRange> m_tokens; // in order; a token without time is an empty range
};

// "Decode · tokens 3 to 7 · layer 2 · q_proj"; empty when nothing is chosen.
std::string describe(const Selection& selection);

// What undo brings back.
struct ViewState {
    Selection selection;
    TimeRange visible; // of all time axes

    bool operator==(const ViewState&) const = default;
};

// A stretch of time moved about: inside `full`, at least `kLeastSpan` long.
inline constexpr Nanoseconds kLeastSpan = 1'000; // 1 µs over a whole chart
TimeRange clampedInside(TimeRange range, TimeRange full, Nanoseconds least = kLeastSpan);
// Larger factor: more in view. The time at `anchor` stays where it is.
TimeRange zoomed(TimeRange range, Nanoseconds anchor, double factor, TimeRange full);
TimeRange panned(TimeRange range, Nanoseconds by, TimeRange full); // keeps its length
// Begin and end in whichever order they were dragged.
TimeRange between(Nanoseconds a, Nanoseconds b);

// The states a person went through. Changes of the same kind that follow each other within
// kMergeNs (turns of a wheel, a drag) are one step.
class ViewHistory {
public:
    static constexpr std::size_t kDepth = 100;
    static constexpr Nanoseconds kMergeNs = 400'000'000;
    // Kinds above Jump are merged while they follow each other.
    enum class Change : std::uint8_t { Jump, Zoom, Pan, Brush };

    void reset(const ViewState& state);
    const ViewState& state() const { return m_state; }
    // `now` on any steady clock. False when nothing changed.
    bool apply(const ViewState& state, Change change, Nanoseconds now);
    // What follows is a step of its own, however soon it comes (a drag ended).
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
