// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QTabBar>

namespace ep::ui {

// The wheel scrolls and never edits: over a field, it scrolls the area around the field. Installed
// on the application, so that no page can forget it.
class CalmWheel : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel || !edits(watched))
            return false;
        event->ignore();
        return true;
    }

private:
    static bool edits(QObject* watched)
    {
        return qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched)
            || qobject_cast<QTabBar*>(watched)
            || (qobject_cast<QAbstractSlider*>(watched) && !qobject_cast<QScrollBar*>(watched));
    }
};

} // namespace ep::ui
