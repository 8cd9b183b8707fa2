// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace ep::ui {

// The answer to "why did this run use its energy": one sentence, at most three ranked bars that
// lead to their places in the charts, and what to do. GUI thread only.
class AnswerView : public QWidget {
    Q_OBJECT

public:
    explicit AnswerView(QWidget* parent = nullptr);

    void setExplanation(const ExplanationPtr& explanation); // null: still being read
    const ExplanationPtr& explanation() const { return m_explanation; }

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);
    void tryRequested(int remedy); // index in the explanation's remedies, of those a study can try

private:
    void clear();
    void addBars();
    void addHeading(const QString& text);
    void addCauses();
    void addRemedies();
    QLabel* addText(const QString& text);

    ExplanationPtr m_explanation;
    QLabel* m_answer;
    QVBoxLayout* m_rows;
    std::vector<QWidget*> m_widgets; // of the current explanation
};

} // namespace ep::ui
