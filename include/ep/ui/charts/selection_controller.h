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

// What the details pane shows of the thing that was clicked: a heading, rows of name and value
// (provenance and interval among them), and where it comes from.
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

// The one selection and the one time range of all charts of a run, with undo and redo. A chart
// reads it, changes it when the person clicks or drags, and repaints on its signals; charts never
// talk to each other. A signal is emitted only when its value changed. GUI thread only.
class SelectionController : public QObject {
    Q_OBJECT

public:
    using Change = viz::ViewHistory::Change;

    explicit SelectionController(QObject* parent = nullptr);

    // A new run: everything in view, nothing chosen, no history. Null: no run.
    void setRun(const RunPtr& run);
    const RunPtr& run() const { return m_run; }
    const viz::RunIndex& index() const { return m_index; }

    // --- what is chosen
    const viz::Selection& selection() const { return m_history.state().selection; }
    void select(const viz::Selection& selection, Change change = Change::Jump);
    // These keep the path into a layer and set time, tokens and phase together. An absent or empty
    // range chooses all.
    void selectTime(std::optional<TimeRange> time, Change change = Change::Jump);
    void selectTokens(std::optional<viz::TokenRange> tokens, Change change = Change::Jump);
    void selectToken(std::int32_t token) { selectTokens(viz::TokenRange{token, token + 1}); }
    void selectPhase(std::optional<Phase> phase);
    // Keeps the time. A component or operation without a layer is one of all layers together.
    void selectPart(std::optional<std::int32_t> layer,
                    std::optional<Component> component = std::nullopt,
                    std::optional<Operation> operation = std::nullopt);
    bool clearLevel(); // Esc: false when nothing was chosen
    void clear();

    // The time that figures refer to: what is chosen, else the whole run.
    TimeRange consideredTime() const;
    // The only token that is chosen, if it is only one.
    std::optional<std::int32_t> token() const;

    // --- what time axes show: at first the run and a little around it
    TimeRange full() const; // the run and the samples around it
    TimeRange visible() const { return m_history.state().visible; }
    void show(TimeRange visible, Change change = Change::Jump);
    void zoomAt(Nanoseconds anchor, double factor); // below 1: closer
    void panBy(double share); // of what is in view
    void zoomToSelection(); // F; all when nothing is chosen or when it is in view already
    void zoomToFit(); // 0

    // --- undo and redo of both
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }
    void undo();
    void redo();
    void finishChange() { m_history.finishChange(); } // a drag ended

    // --- what all charts share without history
    viz::HeatmapMetric metric() const { return m_metric; }
    void setMetric(viz::HeatmapMetric metric);
    std::optional<Nanoseconds> cursor() const { return m_cursor; } // crosshair of time axes
    void setCursor(std::optional<Nanoseconds> time);
    const QString& searchText() const { return m_search; }
    void setSearchText(const QString& text); // charts dim what does not match
    void pin(const ChartDetails& details); // into the details pane

Q_SIGNALS:
    void runChanged();
    void selectionChanged();
    void visibleChanged();
    void historyChanged(); // canUndo() or canRedo() may be different now
    void metricChanged();
    void cursorChanged();
    void searchChanged();
    void pinned(const ep::ui::ChartDetails& details);

private:
    void apply(const viz::ViewState& state, Change change);
    void announce(const viz::ViewState& before);

    RunPtr m_run;
    viz::RunIndex m_index;
    TimeRange m_full;
    viz::ViewHistory m_history;
    viz::HeatmapMetric m_metric = viz::HeatmapMetric::TimeMs;
    std::optional<Nanoseconds> m_cursor;
    QString m_search;
    QElapsedTimer m_clock;
};

} // namespace ep::ui
