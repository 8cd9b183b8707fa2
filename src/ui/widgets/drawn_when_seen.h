// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ep::ui {

// A page that costs nothing while it cannot be seen.
class DrawnWhenSeen : public QWidget {
protected:
    using QWidget::QWidget;

    virtual void draw() = 0;
    // Draws now, or as soon as the page is shown.
    void contentChanged()
    {
        m_stale = true;
        if (isVisible())
            drawIfStale();
    }
    void showEvent(QShowEvent* event) override
    {
        QWidget::showEvent(event);
        drawIfStale();
    }

private:
    void drawIfStale()
    {
        if (m_stale) {
            m_stale = false;
            draw();
        }
    }

    bool m_stale = true;
};

} // namespace ep::ui
