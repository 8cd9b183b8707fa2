// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/app_style.h"

#include <QApplication>
#include <QFocusFrame>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QTableView>
#include <QTextBrowser>

namespace ep::ui {

// Draws a ring around focused widgets that do not show the focus themselves: scroll areas,
// read-only texts, tables without a current row and, if the style is not ours, the default button.
// Mouse users see no ring. Installed on the application.
class FocusMark : public QObject {
public:
    explicit FocusMark(QObject* parent)
        : QObject(parent)
    {
        connect(qApp, &QApplication::focusChanged, this,
                [this](QWidget*, QWidget* now) { mark(now); });
    }

private:
    static bool needsMark(const QWidget& widget)
    {
        const auto* button = qobject_cast<const QPushButton*>(&widget);
        return widget.window()->testAttribute(Qt::WA_KeyboardFocusChange)
            && (qobject_cast<const QScrollArea*>(&widget)
                || qobject_cast<const QTextBrowser*>(&widget)
                || qobject_cast<const QTableView*>(&widget)
                || (button && button->isDefault()
                    && QApplication::style()->objectName() != AppStyle::kName));
    }

    void mark(QWidget* widget)
    {
        if (!widget || !needsMark(*widget)) {
            delete m_frame;
            return;
        }
        if (!m_frame)
            m_frame = new QFocusFrame;
        m_frame->setWidget(widget);
    }

    QPointer<QFocusFrame> m_frame; // deleted with its window
};

} // namespace ep::ui
