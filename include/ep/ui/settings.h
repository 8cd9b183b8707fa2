// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/energy/figures.h"
#include "ep/session/events.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace ep::ui {

enum class ThemeChoice { System, Light, Dark };

session::RunRequest usualRun(); // for a new user: with the chat template of models that have one

// Persistent settings. The defaults are those of a new user. A plain value: workers receive copies,
// and no area below ui sees it.
struct Settings {
    ThemeChoice theme = ThemeChoice::System;

    // The form of the Live page.
    QString modelFolder; // empty: the first bundled model
    // Prompts of one batch are separated by lines with ---. A new user can press Start at once.
    QString prompt = QStringLiteral("The old man walked to the house and");
    bool isConversation = false; // use `conversation` instead of the prompt
    QString conversation; // JSON, one conversation per line
    QString templateVariables; // values for chat templates, a JSON object
    // All other settings of a run, including the preferences, but without model, prompts, tags and
    // place.
    session::RunRequest run = usualRun();
    bool moreExpanded = false; // Live's further choices
    bool samplingExpanded = false;
    bool measurementExpanded = false;
    QString tags; // as typed, separated by commas
    QStringList commands; // recorded commands, newest first
    bool recordsPython = true; // packages in a recorded command send their spans

    // Preferences.
    QStringList modelFolders; // additional folders to search for models
    bool apiEnabled = false; // the local API
    int apiPort = 8000;

    QString language; // "en", "de"; empty: the system's
    EnergyUnit energyUnit = EnergyUnit::Joules; // for all displayed energies
    bool okabeIto = false; // use Okabe and Ito's colours for the rails
    QString database; // empty: the default path
    bool keepBackups = true; // a daily copy of the database beside it
    int keepRuns = 0; // number of untagged runs to keep; 0: all
    int keepDays = 0; // days to keep untagged runs; 0: forever
    double usdPerKwh = 0.12;
    QString carbonRegion =
        QStringLiteral("US"); // region of a preset; empty: the custom value below
    double carbonGrams = 400.0; // custom value, CO2 per kWh
    QString carbonDate; // date of the custom value
    QString carbonSource; // source of the custom value

    // State that the program remembers.
    bool welcomeSeen = false;
    QStringList recentFiles; // run files, newest first
    QByteArray powerTables; // tables of power that the user described, as JSON

    // The window.
    QByteArray windowGeometry;
    QByteArray liveSplitter;
    bool navigationFolded = false;
    QByteArray historyHeader;
    QByteArray historyFilter; // current filter, as JSON
    // Empty: single runs; otherwise "repeats", or the ID of a grouping.
    QString historyGroupBy = QStringLiteral("repeats");
    QString historyFilterDatabase; // path of the database of the two above
    QByteArray savedFilters; // by name, as JSON
    bool historyTrend = false; // whether the trend is shown
    bool historyDetails = true; // whether the details are shown

    bool operator==(const Settings&) const = default;
};

// Price and emissions according to these settings.
energy::Tariff tariffFrom(const Settings& settings);
// The settings with this tariff. Emissions without a region are the user's custom value, which
// replaces the stored one only if it differs from the value in effect before.
Settings withTariff(Settings settings, const energy::Tariff& tariff);

} // namespace ep::ui
