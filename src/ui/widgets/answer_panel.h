// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_tree.h"
#include "ep/energy/diagnosis.h"
#include "ep/session/explain.h"
#include "ep/ui/run_repository.h"

#include <QAbstractButton>
#include <QStringList>
#include <QWidget>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;

namespace ep::ui {

// A ranked part of the answer as a bar with title and figures; a click requests its place in the
// charts.
class AnswerBar : public QAbstractButton {
    Q_OBJECT

public:
    explicit AnswerBar(QWidget* parent = nullptr);

    void showBar(const session::AnswerBar& bar);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int widthNeeded() const; // width at which neither title nor value is truncated

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    session::AnswerBar m_bar;
    QString m_value; // "8.80 J · 71.0 %"
};

// How the bars below the answer divide the run.
enum class AnswerBy { Part, Phase, Layer, Token };

// A bar, and what a click on it selects: a layer, a token, or the bar's own place.
struct RankedBar {
    session::AnswerBar bar;
    std::optional<std::int32_t> layer{};
    std::optional<std::int32_t> token{};
};

// At most five bars, largest first: joules, or seconds if the energy of some part is unknown.
// Titles of phases are terms; those of layers and tokens are in the window's language. Parts
// without a share of the run are left out.
std::vector<RankedBar> rankedBars(const session::Explanation& explanation, const Run& run,
                                  const std::vector<ComponentTotal>& totals, AnswerBy by);

class ElidedLabel;

// The answer at the top of Overview, as its title: where the energy went, why, the main figures,
// and up to five ranked bars, by part, phase, layer or token. GUI thread only.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    // totals: the sums of the run's layers and components.
    void setRun(const RunPtr& run, std::vector<ComponentTotal> totals);
    void setExplanation(const ExplanationPtr& explanation); // null: none yet
    // Shows the main figures of the selection in one line.
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
