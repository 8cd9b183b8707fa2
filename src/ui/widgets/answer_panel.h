// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/answer.h"

#include <QAbstractButton>
#include <QWidget>

#include <array>

namespace ep::ui {

class ElidedLabel;

// A ranked part as a bar with its title and figures; a button where it can be selected.
class AnswerBar : public QAbstractButton {
    Q_OBJECT

public:
    explicit AnswerBar(QWidget* parent = nullptr);

    void showBar(const Answer::Bar& bar, const QString& basis);
    const Answer::Bar& bar() const { return m_bar; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Answer::Bar m_bar;
};

// The answer on top of Overview: a sentence and up to three ranked bars.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer); // hidden while there is none

Q_SIGNALS:
    void chosen(const ep::ui::Answer::Bar& bar);

private:
    ElidedLabel* m_sentence;
    std::array<AnswerBar*, 3> m_bars{};
};

} // namespace ep::ui
