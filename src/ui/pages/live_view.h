// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/heatmap_scene.h"

#include "ep/session/events.h"
#include "ep/ui/models/live_counters.h"
#include "ep/viz/heatmap.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QProgressBar;

namespace ep::ui {

class AnswerLine;
class ElidedLabel;
class FigureCards;
class HeatmapView;
class MetricSelector;
class PowerChart;
class SequenceView;
class TokenStreamView;

// A run in progress: figures, power, heatmap, tokens and the current operation.
class LiveView : public QWidget {
    Q_OBJECT

public:
    explicit LiveView(QWidget* parent = nullptr);

    // Prepares for the next run. repeats: the run is one of several that the power chart shows
    // together; further: an earlier one of these has run already.
    void clear(bool repeats = false, bool further = false);
    void begin(const session::RunStarted& started);
    void enterPhase(Phase phase, Nanoseconds begin);
    PowerChart* power() const { return m_power; } // takes the samples
    void addTokens(const std::vector<session::TokenComplete>& tokens);
    void showCounters(const LiveCounters& counters, Nanoseconds now);
    void showOperation(const session::CurrentOperation& operation);
    void showFinished(const RunPtr& run); // final energies replace the preliminary ones
    // How the run ended, and the fraction of its time spent in recording it, 0..1.
    void showEnd(RunStatus status, std::optional<double> recordingShare); // absent: unknown
    void showIdle();
    QWidget* operation() const; // the current operation in one line; the page places it

private:
    void drawHeatmap();
    void forget(); // the run shown so far
    std::optional<double> scaleOf(const viz::HeatmapData& shown);
    void label(const RunInfo& info, Provenance energy); // texts for saved charts

    ElidedLabel* m_run; // model, format and prompt of the run
    FigureCards* m_cards;
    QProgressBar* m_progress; // counts tokens during a run
    PowerChart* m_power;
    HeatmapView* m_heatmap;
    MetricSelector* m_metric;
    QComboBox* m_reduction;
    TokenStreamView* m_tokens;
    SequenceView* m_sequences;
    AnswerLine* m_answer;
    ElidedLabel* m_operation;
    viz::HeatmapAccumulator m_accumulator;
    GrowingScale m_scale; // for the heatmap during a run
    Phase m_phase = Phase::Idle;
    bool m_repeats = false;
    bool m_further = false;
    bool m_kept = false; // the views still show the repeat before
};

} // namespace ep::ui
