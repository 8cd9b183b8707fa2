// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/rich_text.h"

#include <QLabel>
#include <QPainter>
#include <QStyle>

namespace ep::ui {

// One line of plain text that is elided if it does not fit; the tool tip has all of it unless
// another one was set.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    QSize minimumSizeHint() const override
    {
        return {3 * fontMetrics().averageCharWidth(), QLabel::minimumSizeHint().height()};
    }

    bool cut() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (toolTip().isEmpty() && cut())
            setToolTip(richText(text().toStdString()));
        QPainter painter(this);
        style()->drawItemText(
            &painter, contentsRect(), Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
            palette(), isEnabled(),
            fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()),
            foregroundRole());
    }
};

} // namespace ep::ui
