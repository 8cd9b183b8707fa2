// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/qt_warning_guard.h"
#include "support/wait_until.h"

#include "ep/ui/theme.h"
#include "ep/viz/geometry.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWidget>

#include <gtest/gtest.h>

#include <ostream>

// Without these, a failure prints code units.
inline void PrintTo(const QString& text, std::ostream* out)
{
    *out << '"' << text.toStdString() << '"';
}
inline void PrintTo(const QColor& colour, std::ostream* out)
{
    *out << colour.name().toStdString();
}

namespace ep::test {

inline QPoint pixel(const viz::Point& point)
{
    return {static_cast<int>(point.x), static_cast<int>(point.y)};
}

inline QPalette paletteOf(bool dark)
{
    QPalette palette;
    palette.setColor(QPalette::Window, dark ? QColor(45, 45, 45) : QColor(240, 240, 240));
    palette.setColor(QPalette::WindowText, dark ? QColor(230, 230, 230) : QColor(20, 20, 20));
    return palette;
}

// Shows widgets so that they get real events; a Qt warning fails the test.
class WidgetTest : public testing::Test {
protected:
    static void show(QWidget& widget, QSize size)
    {
        widget.resize(size);
        widget.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&widget));
        widget.activateWindow();
        widget.setFocus();
    }

    // The tool tip shown when the mouse rests at this position.
    static QString toolTipAt(QWidget& widget, QPoint position)
    {
        QToolTip::hideText(); // takes effect a moment later
        EXPECT_TRUE(waitUntil([] { return !QToolTip::isVisible(); }));
        QHelpEvent event(QEvent::ToolTip, position, widget.mapToGlobal(position));
        QApplication::sendEvent(&widget, &event);
        return QToolTip::text();
    }

    static bool contains(const QImage& image, const QColor& colour)
    {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == colour)
                    return true;
        return false;
    }

private:
    QtWarningGuard m_guard;
};

} // namespace ep::test
