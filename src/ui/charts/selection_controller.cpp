// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/selection_controller.h"

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kMarginShare = 0.1; // fraction of the run's time

// The run plus a margin of samples before and after: with several seconds of baseline, a short run
// would be squeezed.
TimeRange aroundRun(TimeRange run, TimeRange full)
{
    const auto margin =
        static_cast<Nanoseconds>(kMarginShare * static_cast<double>(run.duration_ns()));
    return {std::max(full.begin_ns, run.begin_ns - margin),
            std::min(full.end_ns, run.end_ns + margin)};
}

} // namespace

SelectionController::SelectionController(QObject* parent)
    : QObject(parent)
{
    m_clock.start();
}

void SelectionController::setRun(const RunPtr& run)
{
    const viz::ViewState before = m_history.state();
    m_run = run;
    m_index = run ? viz::RunIndex(run->trace) : viz::RunIndex();
    m_full = m_index.time();
    if (run && !run->trace.samples.empty()) {
        m_full.begin_ns = std::min(m_full.begin_ns, run->trace.samples.front().window.begin_ns);
        m_full.end_ns = std::max(m_full.end_ns, run->trace.samples.back().window.end_ns);
    }
    m_history.reset({{}, aroundRun(m_index.time(), m_full)});
    setCursor(std::nullopt);
    setAnswerEnd(std::nullopt);
    setAnnotations(run ? run->info.annotations : std::vector<Annotation>());
    Q_EMIT runChanged();
    announce(before);
}

void SelectionController::selectTime(std::optional<TimeRange> time, Change change)
{
    select(time ? m_index.withTime(selection(), *time) : selection().withoutTime(), change);
}

void SelectionController::selectTokens(std::optional<viz::TokenRange> tokens, Change change)
{
    select(tokens ? m_index.withTokens(selection(), *tokens) : selection().withoutTime(), change);
}

void SelectionController::selectPhase(std::optional<Phase> phase)
{
    // A whole phase was meant, not a part of the layers that happened to be selected before.
    select(phase ? m_index.withPhase({}, *phase) : selection().withoutTime());
}

void SelectionController::selectPart(std::optional<std::int32_t> layer,
                                     std::optional<Component> component,
                                     std::optional<Operation> operation)
{
    viz::Selection next = selection();
    next.layer = layer;
    next.component = component;
    next.operation = operation;
    select(next);
}

bool SelectionController::clearLevel()
{
    viz::Selection next = selection();
    if (!next.clearLevel())
        return false;
    select(next);
    return true;
}

std::optional<std::int32_t> SelectionController::token() const
{
    const auto& tokens = selection().tokens;
    return tokens && tokens->size() == 1 ? std::optional(tokens->first) : std::nullopt;
}

void SelectionController::show(TimeRange visible, Change change)
{
    if (!m_full.empty())
        apply({selection(), viz::clampedInside(visible, m_full)}, change);
}

void SelectionController::zoomAt(Nanoseconds anchor, double factor)
{
    if (!m_full.empty())
        show(viz::zoomed(visible(), anchor, factor, m_full), Change::Zoom);
}

void SelectionController::panBy(double share)
{
    if (m_full.empty())
        return;
    const auto by = std::llround(share * static_cast<double>(visible().duration_ns()));
    show(viz::panned(visible(), by, m_full), Change::Pan);
}

void SelectionController::zoomToSelection()
{
    const TimeRange wanted =
        selection().time ? viz::clampedInside(*selection().time, m_full) : m_full;
    show(wanted == visible() ? m_full : wanted);
}

void SelectionController::undo()
{
    const viz::ViewState before = m_history.state();
    if (m_history.undo())
        announce(before);
}

void SelectionController::redo()
{
    const viz::ViewState before = m_history.state();
    if (m_history.redo())
        announce(before);
}

void SelectionController::setMetric(viz::HeatmapMetric metric)
{
    if (metric == m_metric)
        return;
    m_metric = metric;
    Q_EMIT metricChanged();
}

void SelectionController::setCursor(std::optional<Nanoseconds> time)
{
    if (time == m_cursor)
        return;
    m_cursor = time;
    Q_EMIT cursorChanged();
}

void SelectionController::setSearchText(const QString& text)
{
    if (text == m_search)
        return;
    m_search = text;
    Q_EMIT searchChanged();
}

void SelectionController::setAnswerEnd(std::optional<std::int32_t> token)
{
    if (token == m_answerEnd)
        return;
    m_answerEnd = token;
    Q_EMIT answerEndChanged();
}

void SelectionController::setAnnotations(std::vector<Annotation> annotations)
{
    if (annotations == m_annotations)
        return;
    m_annotations = std::move(annotations);
    Q_EMIT annotationsChanged();
}

void SelectionController::apply(const viz::ViewState& state, Change change)
{
    const viz::ViewState before = m_history.state();
    if (m_history.apply(state, change, m_clock.nsecsElapsed()))
        announce(before);
}

void SelectionController::announce(const viz::ViewState& before)
{
    const viz::ViewState now = m_history.state(); // a copy, because a slot may change it
    Q_EMIT historyChanged();
    if (now.visible != before.visible)
        Q_EMIT visibleChanged();
    if (now.selection != before.selection)
        Q_EMIT selectionChanged();
}

} // namespace ep::ui
