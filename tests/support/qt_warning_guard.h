// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

#include <gtest/gtest.h>

// While it exists, a Qt warning, critical or fatal message fails the running test. One at a time.
// The fixture of a widget test has one:
//     class HeatmapViewTest : public testing::Test { QtWarningGuard m_guard; };
class QtWarningGuard {
public:
    QtWarningGuard()
        : m_previous(qInstallMessageHandler(&QtWarningGuard::handle))
    {
    }
    ~QtWarningGuard() { qInstallMessageHandler(m_previous); }
    QtWarningGuard(const QtWarningGuard&) = delete;
    QtWarningGuard& operator=(const QtWarningGuard&) = delete;

private:
    static void handle(QtMsgType type, const QMessageLogContext& context, const QString& message)
    {
        if (type == QtDebugMsg || type == QtInfoMsg)
            return;
        // The offscreen platform has no theme and warns about every query.
        if (message.startsWith(QLatin1String("This plugin does not support")))
            return;
        // macOS reports how long building the font cache of a new machine took.
        if (message.startsWith(QLatin1String("Populating font family aliases took")))
            return;
        ADD_FAILURE() << "Qt warning: " << message.toStdString() << " ("
                      << (context.category ? context.category : "") << ")";
    }

    QtMessageHandler m_previous;
};
