// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/core/run.h"
#include "ep/ui/charts/waterfall_view.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace ep::ui {

class SelectionController;

// Shows where the run's answer was complete, by a rule that the user chooses. Without a rule,
// nothing is shown or marked unless an answer repeats itself. The rule is kept for the next run,
// and can be tried as a stop rule.
class AnswerEndBar : public QWidget {
    Q_OBJECT

public:
    explicit AnswerEndBar(SelectionController& controller, QWidget* parent = nullptr);

    // Selects the rule for repetition if the answer was found to repeat itself, as other pages say,
    // unless the user has chosen a rule.
    void suggestRepetition(bool found);

private:
    QString ruleText() const; // empty: none
    void choose(); // selects another kind of rule
    void search();
    void say(const QString& text);

    SelectionController& m_controller;
    QComboBox* m_kind;
    QLineEdit* m_pattern;
    QLabel* m_text;
    QPushButton* m_try;
    LatestJob m_job;
    bool m_suggested = false; // the rule is suggested, not the user's
};

class AnswerLine;
class CostSelector;
class HistogramView;
class TokenGridView;
class TrendView;

// Costs of the tokens: waterfall, context curve, distribution, the tokens on one side of a
// threshold, and tokens by layer.
class TokensTab : public QWidget {
    Q_OBJECT

public:
    explicit TokensTab(SelectionController& controller, QWidget* parent = nullptr);

    void setRun(const Run* run);
    void setCosts(const TokenCostsPtr& costs); // for the current metric
    void setEmptyText(const QString& text); // of all views but the grid
    CostSelector& selector() const { return *m_metric; }
    TokenGridView& grid() const { return *m_grid; }

private:
    QWidget* buildDistribution();
    void setThreshold(double value);
    void listTokens();

    SelectionController& m_controller;
    TokenCostsPtr m_costs;
    CostSelector* m_metric;
    AnswerLine* m_sections;
    WaterfallView* m_waterfall;
    TrendView* m_trend;
    HistogramView* m_histogram;
    TokenGridView* m_grid;
    QComboBox* m_side;
    QDoubleSpinBox* m_threshold;
    QTableWidget* m_list;
};

} // namespace ep::ui
