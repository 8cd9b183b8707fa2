// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/design.h"

#include <QDialog>
#include <QEvent>
#include <QScreen>

#include <algorithm>

namespace ep::ui {

// Keeps dialogs within their screen, also in size: at a scale of 200 %, 1280 x 800 pixels become
// 640 x 400. Keeps them wide enough for their title. Installed on the application.
class FitDialogs : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        auto* dialog = event->type() == QEvent::Show ? qobject_cast<QDialog*>(watched) : nullptr;
        if (!dialog || !dialog->isWindow())
            return false;
        QRect room = dialog->screen()->availableGeometry();
        // The dialog's own frame is not known yet, so the window's frame stands for it.
        if (const QWidget* owner = dialog->parentWidget()) {
            const QSize frame = owner->window()->frameSize() - owner->window()->size();
            room.setSize((room.size() - frame).expandedTo({1, 1}));
        }
        fit(*dialog, room);
        return false;
    }

private:
    static constexpr int kMinWidth = 50 * kGrid; // for a title, the program's name and 3 buttons

    static void fit(QDialog& dialog, const QRect& room)
    {
        if (dialog.width() < kMinWidth)
            dialog.resize(kMinWidth, dialog.height());
        if (dialog.width() > room.width() || dialog.height() > room.height())
            dialog.resize(dialog.size().boundedTo(room.size()));
        const QPoint last(room.right() + 1 - dialog.width(), room.bottom() + 1 - dialog.height());
        const QPoint inside(std::max(room.left(), std::min(dialog.x(), last.x())),
                            std::max(room.top(), std::min(dialog.y(), last.y())));
        if (inside != dialog.pos())
            dialog.move(inside);
    }
};

} // namespace ep::ui
