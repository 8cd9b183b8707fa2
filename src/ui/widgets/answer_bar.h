// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"

#include <QAbstractButton>

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

} // namespace ep::ui
