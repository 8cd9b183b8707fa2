// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/settings.h"

#include <filesystem>
#include <memory>

class QSettings;

namespace ep::ui {

// Stores a Settings value in the platform's preferences; the only user of QSettings. GUI thread, or
// the thread of a command. Invalid values in the file are replaced by the defaults.
class SettingsStore {
public:
    SettingsStore(); // the platform's preferences
    explicit SettingsStore(const QString& file); // an INI file, for tests and portable use
    ~SettingsStore();

    // The run database of window and terminal: from $EP_DB, from the settings, or the usual one.
    static std::filesystem::path database();

    const Settings& settings() const { return m_settings; }
    void save(const Settings& settings); // writes only what has changed
    // Why the last changes were not saved; empty: they were.
    const QString& problem() const { return m_problem; }

private:
    void read();

    std::unique_ptr<QSettings> m_file;
    Settings m_settings;
    QString m_problem;
};

} // namespace ep::ui
