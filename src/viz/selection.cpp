// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/selection.h"

#include "ep/viz/metric.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

bool Selection::clearLevel()
{
    if (operation) {
        operation.reset();
    } else if (component) {
        component.reset();
    } else if (layer) {
        layer.reset();
    } else if (time || tokens || phase) {
        *this = withoutTime();
    } else {
        return false;
    }
    return true;
}

Selection Selection::withoutPart() const
{
    Selection result = *this;
    result.layer.reset();
    result.component.reset();
    result.operation.reset();
    return result;
}

Selection Selection::withoutTime() const
{
    Selection result = *this;
    result.time.reset();
    result.tokens.reset();
    result.phase.reset();
    return result;
}

RunIndex::RunIndex(const RunTrace& trace)
    : m_time(trace.time)
    , m_phases(trace.phases)
{
    m_tokens.reserve(trace.tokens.size());
    for (const TokenSpan& token : trace.tokens) {
        const auto index = static_cast<std::size_t>(std::max(0, token.index));
        if (m_tokens.size() <= index)
            m_tokens.resize(index + 1);
        m_tokens[index] = token.time;
    }
}

std::optional<TimeRange> RunIndex::timeOf(Phase phase) const
{
    std::optional<TimeRange> result;
    for (const PhaseSpan& span : m_phases) {
        if (span.phase != phase)
            continue;
        if (!result)
            result = span.time;
        result->begin_ns = std::min(result->begin_ns, span.time.begin_ns);
        result->end_ns = std::max(result->end_ns, span.time.end_ns);
    }
    return result;
}

std::optional<TimeRange> RunIndex::timeOf(TokenRange range) const
{
    std::optional<TimeRange> result;
    for (std::int32_t i = std::max(0, range.first); i < std::min(range.last, tokens()); ++i) {
        const TimeRange& time = m_tokens[static_cast<std::size_t>(i)];
        if (time.empty())
            continue;
        if (!result)
            result = time;
        result->end_ns = std::max(result->end_ns, time.end_ns);
    }
    return result;
}

std::optional<TokenRange> RunIndex::tokensIn(TimeRange time) const
{
    const auto middle = [](const TimeRange& t) { return t.begin_ns + t.duration_ns() / 2; };
    std::optional<TokenRange> result;
    for (std::int32_t i = 0; i < tokens(); ++i) {
        const TimeRange& token = m_tokens[static_cast<std::size_t>(i)];
        if (token.empty() || !time.contains(middle(token)))
            continue;
        if (!result)
            result = TokenRange{i, i};
        result->last = i + 1;
    }
    return result;
}

Selection RunIndex::withTime(Selection selection, TimeRange time) const
{
    selection = selection.withoutTime();
    const TimeRange inside = m_time.empty() ? time : intersection(time, m_time);
    if (inside.empty())
        return selection;
    selection.time = inside;
    selection.tokens = tokensIn(inside);
    return selection;
}

Selection RunIndex::withTokens(Selection selection, TokenRange range) const
{
    selection = selection.withoutTime();
    const TokenRange inside{std::max(0, range.first), std::min(range.last, tokens())};
    if (inside.empty())
        return selection;
    selection.tokens = inside;
    selection.time = timeOf(inside);
    return selection;
}

Selection RunIndex::withPhase(Selection selection, Phase phase) const
{
    selection = selection.withoutTime();
    const auto time = timeOf(phase);
    if (!time)
        return selection;
    selection.phase = phase;
    selection.time = time;
    selection.tokens = tokensIn(*time);
    return selection;
}

std::string describe(const Selection& selection)
{
    std::string text;
    const auto add = [&text](std::string_view part) {
        if (!text.empty())
            text += " · ";
        text += part;
    };
    if (selection.phase)
        add(title(*selection.phase));
    if (selection.tokens && !selection.phase) {
        const auto [first, last] = *selection.tokens;
        if (last - first == 1)
            add("token " + std::to_string(first));
        else
            add("tokens " + std::to_string(first) + " to " + std::to_string(last - 1));
    } else if (selection.time && !selection.phase) {
        add("a time range");
    }
    if (selection.layer)
        add("layer " + std::to_string(*selection.layer));
    if (selection.component)
        add(name(*selection.component));
    if (selection.operation)
        add(name(*selection.operation));
    return text;
}

TimeRange clampedInside(TimeRange range, TimeRange full, Nanoseconds least)
{
    const Nanoseconds whole = full.duration_ns();
    const Nanoseconds length = std::min(whole, std::max(least, range.duration_ns()));
    const Nanoseconds begin =
        std::clamp(range.begin_ns, full.begin_ns, full.begin_ns + whole - length);
    return {begin, begin + length};
}

TimeRange zoomed(TimeRange range, Nanoseconds anchor, double factor, TimeRange full)
{
    const auto before = static_cast<double>(range.duration_ns());
    const double most = static_cast<double>(full.duration_ns());
    const double after = std::clamp(before * factor, std::min<double>(kMinSpan, most), most);
    const double share = before > 0.0
        ? std::clamp(static_cast<double>(anchor - range.begin_ns) / before, 0.0, 1.0)
        : 0.5;
    const Nanoseconds begin = anchor - std::llround(share * after);
    return clampedInside({begin, begin + std::llround(after)}, full);
}

TimeRange panned(TimeRange range, Nanoseconds by, TimeRange full)
{
    return clampedInside({range.begin_ns + by, range.end_ns + by}, full, range.duration_ns());
}

TimeRange between(Nanoseconds a, Nanoseconds b)
{
    return {std::min(a, b), std::max(a, b)};
}

void ViewHistory::reset(const ViewState& state)
{
    *this = ViewHistory();
    m_state = state;
}

bool ViewHistory::apply(const ViewState& state, Change change, Nanoseconds now)
{
    if (state == m_state)
        return false;
    const bool merge = change != Change::Jump && change == m_last && now - m_lastAt <= kMergeNs;
    if (!merge) {
        m_past.push_back(m_state);
        if (m_past.size() > kDepth)
            m_past.erase(m_past.begin());
    }
    m_future.clear();
    m_state = state;
    m_last = change;
    m_lastAt = now;
    return true;
}

bool ViewHistory::undo()
{
    if (m_past.empty())
        return false;
    m_future.push_back(m_state);
    m_state = m_past.back();
    m_past.pop_back();
    m_last = Change::Jump;
    return true;
}

bool ViewHistory::redo()
{
    if (m_future.empty())
        return false;
    m_past.push_back(m_state);
    m_state = m_future.back();
    m_future.pop_back();
    m_last = Change::Jump;
    return true;
}

} // namespace ep::viz
