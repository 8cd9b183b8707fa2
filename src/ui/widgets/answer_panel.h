// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/answer_bars.h"

#include "ep/energy/diagnosis.h"
#include "ep/ui/run_repository.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <cstddef>
#include <vector>

class QComboBox;

namespace ep::ui {

class AnswerBar;
class ElidedLabel;

// The answer at the top of Overview, as its title: where the energy went, why, the main figures,
// and up to five ranked bars, by part, phase, layer or token. GUI thread only.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    // totals: those of the run's layers and components.
    void setRun(const RunPtr& run, std::vector<ComponentTotal> totals);
    void setExplanation(const ExplanationPtr& explanation); // of that run; null: none so far
    // The main figures of what is selected, in one line.
    void showFigures(const RunInfo& info, const RunMetrics& metrics);
    void setFiguresShown(bool shown);
    void showFigures(const Run& run); // with a lower bound if samples miss a part of it

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);
    void layerRequested(int layer);
    void tokenRequested(int token);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillSentences();
    void showLine(const QString& energy, const RunInfo& info, const RunMetrics& metrics);
    void showBars();
    void showWhatFits();
    void follow(std::size_t bar);

    ElidedLabel* m_sentence;
    ElidedLabel* m_figures;
    ElidedLabel* m_reason;
    QComboBox* m_by;
    std::array<AnswerBar*, 5> m_bars{};
    std::vector<RankedBar> m_shown;
    QStringList m_sentences; // longest first
    RunPtr m_run;
    std::vector<ComponentTotal> m_totals;
    ExplanationPtr m_explanation;
};

} // namespace ep::ui
