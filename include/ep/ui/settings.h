// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/core/run.h"
#include "ep/energy/figures.h"

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
    QString prompt; // several of one batch are separated by lines with ---
    QString systemMessage; // of the chat template
    bool chatTemplate = true; // for models that have one
    int maxNewTokens = 64;
    Depth depth = Depth::Module;
    QString device = QStringLiteral("auto");
    QString dtype = QStringLiteral("auto");
    SamplingSettings sampling;
    int batchSize = 1; // copies of the prompt
    bool samplingExpanded = false;
    double baselineSeconds = 0.0; // of idle power before the run; 0: none
    int warmupTokens = 0; // 0: none
    int repeat = 1; // runs, one after the other
    double coolDownSeconds = 0.0; // of rest between two of them
    bool measurementExpanded = false;
    QString powerSource = QStringLiteral("auto");
    QString replayFile;
    double idleWatts = 5.0; // of the modelled source
    double fullWatts = 35.0;
    QString tags; // as typed: separated by commas
    QString experiment;

    // Preferences.
    QStringList modelFolders; // searched for models besides the usual places
    int intervalMs = 100; // asked of the power source
    int threads = 0; // of the engine; 0: all cores
    double sparsityThreshold = 0.01;
    bool apiEnabled = false; // the local API
    int apiPort = 8000;

    QString language; // "en", "de"; empty: the system's
    EnergyUnit energyUnit = EnergyUnit::Joules; // of all energies shown
    bool okabeIto = false; // its colours for the rails instead of the program's own
    QString database; // empty: the default place
    bool storeTexts = true; // else only hashes of prompts and answers are kept, here none
    int keepRuns = 0; // so many of the untagged ones; 0: all
    int keepDays = 0; // untagged ones no longer than that; 0: for ever
    double usdPerKwh = 0.12;
    QString carbonRegion = QStringLiteral("US"); // of a preset; empty: the own value below
    double carbonGrams = 400.0; // own value, CO2 by kWh
    QString carbonDate; // of the own value
    QString carbonSource; // of the own value

    // What has happened.
    bool welcomeSeen = false;
    QStringList recentFiles; // run files, the newest first

    // The window.
    QByteArray windowGeometry;
    QByteArray liveSplitter;
    QByteArray historyHeader;
    QByteArray historyFilter; // the one in use, as JSON
    QByteArray savedFilters; // by name, as JSON
    bool historyTrend = false; // shown
    bool historyDetails = true; // shown

    bool operator==(const Settings&) const = default;
};

// Price and emissions that these settings ask for.
energy::Tariff tariffFrom(const Settings& settings);
// The settings that ask for this tariff. Emissions without a region are the person's own value: it
// replaces the one that was kept only if it differs from what counted before.
Settings withTariff(Settings settings, const energy::Tariff& tariff);

} // namespace ep::ui
