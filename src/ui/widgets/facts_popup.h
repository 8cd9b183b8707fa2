// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace ep::ui {

// Everything known about a run, in a frame below the information mark. Escape or a click elsewhere
// closes it.
class FactsPopup : public QFrame {
    Q_OBJECT

public:
    explicit FactsPopup(QWidget* parent = nullptr);

    void showFacts(const QString& prompt, const QStringList& facts, const QString& reasons);
    void openBelow(const QWidget& mark);

private:
    QLabel* m_prompt;
    QLabel* m_facts;
    QLabel* m_reasons;
};

} // namespace ep::ui
