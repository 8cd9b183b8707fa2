// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/viz/metric.h"
#include "ep/viz/selection.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace ep::ui {

// Content of the details pane for the clicked item: a heading, rows of name and value (including
// provenance and interval), and its origin.
struct ChartDetails {
    struct Row {
        Row(QString rowName, QString rowValue, QString rowExplanation = {})
            : name(std::move(rowName))
            , value(std::move(rowValue))
            , explanation(std::move(rowExplanation))
        {
        }
        bool operator==(const Row&) const = default;

        QString name;
        QString value;
        QString explanation; // for the tool tip; may be empty
    };

    QString title;
    std::vector<Row> rows;

    bool operator==(const ChartDetails&) const = default;
};

// The selection and the visible time range that all charts of a run share, with undo and redo.
// Charts read it, change it on clicks and drags, and repaint on its signals; they never
// communicate with each other. A signal is emitted only if its value has changed. GUI thread only.
class SelectionController : public QObject {
    Q_OBJECT

public:
    using Change = viz::ViewHistory::Change;

    explicit SelectionController(QObject* parent = nullptr);

    // Starts with a new run: everything visible, nothing selected, no history. Null: no run.
    void setRun(const RunPtr& run);
    const RunPtr& run() const { return m_run; }
    const viz::RunIndex& index() const { return m_index; }

    // --- the selection
    const viz::Selection& selection() const { return m_history.state().selection; }
    void select(const viz::Selection& selection, Change change = Change::Jump)
    {
        apply({selection, visible()}, change);
    }
    // Both functions keep the path into a layer, and set time, tokens and phase together. An absent
    // or empty range selects everything.
    void selectTime(std::optional<TimeRange> time, Change change = Change::Jump);
    void selectTokens(std::optional<viz::TokenRange> tokens, Change change = Change::Jump);
    void selectToken(std::int32_t token) { selectTokens(viz::TokenRange{token, token + 1}); }
    void selectPhase(std::optional<Phase> phase);
    // Keeps the time. A component or operation without a layer stands for all layers.
    void selectPart(std::optional<std::int32_t> layer,
                    std::optional<Component> component = std::nullopt,
                    std::optional<Operation> operation = std::nullopt);
    bool clearLevel(); // Esc: false if nothing was selected
    void clear() { select({}); }

    // The time that figures refer to: the selected time, otherwise the whole run.
    TimeRange consideredTime() const { return selection().time.value_or(m_index.time()); }
    // The selected token, if exactly one is selected.
    std::optional<std::int32_t> token() const;

    // --- visible range of the time axes: initially the run with a margin
    TimeRange full() const { return m_full; } // the run with a margin of samples around it
    TimeRange visible() const { return m_history.state().visible; }
    void show(TimeRange visible, Change change = Change::Jump);
    void zoomAt(Nanoseconds anchor, double factor); // factor below 1: zooms in
    void panBy(double share); // fraction of the visible range
    void zoomToSelection(); // F; shows everything if nothing is selected or the selection is
                            // visible already
    void zoomToFit() { show(m_full); } // 0

    // --- undo and redo of selection and visible range
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }
    void undo();
    void redo();
    void finishChange() { m_history.finishChange(); } // call when a drag ended

    // --- shared state that undo does not cover
    viz::HeatmapMetric metric() const { return m_metric; }
    void setMetric(viz::HeatmapMetric metric);
    std::optional<Nanoseconds> cursor() const { return m_cursor; } // crosshair of the time axes
    void setCursor(std::optional<Nanoseconds> time);
    const QString& searchText() const { return m_search; }
    void setSearchText(const QString& text); // charts dim what does not match
    // Shows the details in the details pane.
    void pin(const ChartDetails& details) { Q_EMIT pinned(details); }
    // The first token after the answer; charts mark it and the later ones. Absent: none, or
    // unknown.
    std::optional<std::int32_t> answerEnd() const { return m_answerEnd; }
    void setAnswerEnd(std::optional<std::int32_t> token);
    // The run's annotations as currently stored; time axes show them.
    const std::vector<Annotation>& annotations() const { return m_annotations; }
    void setAnnotations(std::vector<Annotation> annotations);

Q_SIGNALS:
    void runChanged();
    void selectionChanged();
    void visibleChanged();
    void historyChanged(); // canUndo() or canRedo() may have changed
    void metricChanged();
    void cursorChanged();
    void searchChanged();
    void answerEndChanged();
    void annotationsChanged();
    void stopRuleWanted(const QString& stop); // for use as a stop text of a new run: "answer:json"
    void pinned(const ep::ui::ChartDetails& details);

private:
    void apply(const viz::ViewState& state, Change change);
    void announce(const viz::ViewState& before);

    RunPtr m_run;
    viz::RunIndex m_index;
    TimeRange m_full;
    viz::ViewHistory m_history;
    viz::HeatmapMetric m_metric = viz::HeatmapMetric::EnergyMj;
    std::optional<Nanoseconds> m_cursor;
    QString m_search;
    std::optional<std::int32_t> m_answerEnd;
    std::vector<Annotation> m_annotations;
    QElapsedTimer m_clock;
};

} // namespace ep::ui
