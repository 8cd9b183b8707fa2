// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace ep::ui {

enum class ThemeChoice { System, Light, Dark };

// What the program remembers between starts. The defaults are what a new user gets.
// A plain value: workers receive copies, nobody below ui sees it.
struct Settings {
    ThemeChoice theme = ThemeChoice::System;

    // The form of the Live page.
    QString modelFolder; // empty: the first bundled model
    QString prompt;
    bool chatTemplate = true; // for models that have one
    int maxNewTokens = 64;
    Depth depth = Depth::Module;
    QString device = QStringLiteral("auto");
    QString dtype = QStringLiteral("auto");
    SamplingSettings sampling;
    int batchSize = 1; // copies of the prompt
    bool samplingExpanded = false;
    QString powerSource = QStringLiteral("auto");
    QString replayFile;
    double idleWatts = 5.0; // of the modelled source
    double fullWatts = 35.0;
    QString tags; // as typed: separated by commas

    // Preferences.
    QStringList modelFolders; // searched for models besides the usual places
    int intervalMs = 100; // asked of the power source
    int threads = 0; // of the engine; 0: all cores
    double sparsityThreshold = 0.01;

    // The window.
    QByteArray windowGeometry;
    QByteArray liveSplitter;
    QByteArray historyHeader;

    bool operator==(const Settings&) const = default;
};

} // namespace ep::ui
