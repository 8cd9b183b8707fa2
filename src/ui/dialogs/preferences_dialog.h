// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/setting_range.h"

#include "ep/ui/settings.h"

#include <QDialog>
#include <QWidget>

#include <filesystem>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QListWidget;
class QSpinBox;
class QStackedWidget;

namespace ep::ui {

// A page of settings: each row has a label, a control, and below it a sentence that explains it.
class SettingsPage : public QWidget {
    Q_OBJECT

public:
    explicit SettingsPage(QWidget* parent = nullptr);

    // The explanation also becomes the control's description for screen readers.
    void addRow(const QString& label, QWidget* control, const QString& explanation);

private:
    QGridLayout* m_grid;
    int m_rows = 0;
};

// Settings that are rarely changed. They take effect immediately: changed() is emitted after every
// change, and there is nothing to confirm.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    // `tokenFile`: of the local API, shown next to its switch.
    PreferencesDialog(const Settings& settings, const std::filesystem::path& tokenFile,
                      QWidget* parent);

    // Writes only the settings shown here; the rest of `settings` is unchanged.
    void writeSettings(Settings& settings) const;

    void done(int result) override; // takes over unfinished input

Q_SIGNALS:
    void changed();

private:
    void addPage(const QString& title, SettingsPage* page);
    SettingsPage* buildView(const Settings& settings);
    SettingsPage* buildRuns(const Settings& settings);
    SettingsPage* buildCost(const Settings& settings);
    SettingsPage* buildStorage(const Settings& settings);
    SettingsPage* buildApi(const Settings& settings, const std::filesystem::path& tokenFile);
    void showTariff();
    void browseDatabase();

    QListWidget* m_titles;
    QStackedWidget* m_pages;

    QComboBox* m_theme;
    QComboBox* m_colours;
    QComboBox* m_energyUnit;
    QComboBox* m_language;
    SettingBoxes m_boxes; // of the numbers of a run
    QSpinBox* m_interval;
    QSpinBox* m_threads;
    DecimalBox* m_sparsity;
    QDoubleSpinBox* m_price;
    QComboBox* m_region;
    QDoubleSpinBox* m_grams;
    QLineEdit* m_date;
    QLineEdit* m_source;
    Settings m_own; // the user's carbon values while a preset is shown
    QLineEdit* m_database;
    QCheckBox* m_hashesOnly;
    QCheckBox* m_keepBackups;
    QSpinBox* m_keepRuns;
    QSpinBox* m_keepDays;
    QCheckBox* m_api;
    QSpinBox* m_apiPort;
    bool m_showing = false; // whether the dialog itself is changing a control
};

} // namespace ep::ui
