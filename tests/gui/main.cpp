// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include <QApplication>

#include <gmock/gmock.h>

int main(int argc, char** argv)
{
    testing::InitGoogleMock(&argc, argv);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // Qt's dialogs store the folders that they showed in the user's settings and show them again:
    // two programs would look into each other's folders.
    const ep::test::TempFolder settings;
    qputenv("XDG_CONFIG_HOME", settings.path().c_str());
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setAttribute(Qt::AA_DontUseNativeMenuBar);
    const QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
