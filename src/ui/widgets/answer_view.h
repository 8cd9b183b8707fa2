// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;
class QVBoxLayout;

namespace ep::ui {

class CollapsibleBox;

// The answer to "why did this run use its energy": where it went, with ranked bars that lead to
// their places in the charts, then at most three cards with a cause, its evidence, what to do
// about it and one button. The rest is folded below. GUI thread only.
class AnswerView : public QWidget {
    Q_OBJECT

public:
    explicit AnswerView(QWidget* parent = nullptr);

    // null: still being read. baseline: whether recording the run again could add one.
    void setExplanation(const ExplanationPtr& explanation, bool baseline = false);
    const ExplanationPtr& explanation() const { return m_explanation; }

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);
    void tryRequested(int remedy); // index in the explanation's remedies, if a study can try it
    void limitsRequested(); // measure the machine's limits
    void baselineRequested(); // record the run again with an idle baseline

private:
    void clear();
    void addBars();
    void addCards();
    std::optional<std::size_t> addCause(const energy::Finding& finding); // returns its remedy
    // Adds what a remedy saves, and its button. titled: the card has the remedy's title.
    void addTrial(std::size_t remedy, QBoxLayout& card, bool titled = false);
    void addMissingLimits();
    void addMissingBaseline();
    void addButton(const QString& id, const QString& text, void (AnswerView::*request)(),
                   QBoxLayout& card);
    void addRest();
    QBoxLayout* addCard(const QString& title);
    QLabel* addText(const QString& text, QBoxLayout& layout);
    std::optional<std::size_t> bestRemedy(energy::Cause cause) const;

    ExplanationPtr m_explanation;
    bool m_baseline = false; // whether a baseline could be added
    QLabel* m_answer;
    QVBoxLayout* m_rows;
    CollapsibleBox* m_rest;
    std::vector<QWidget*> m_widgets; // widgets of the current explanation
};

} // namespace ep::ui
