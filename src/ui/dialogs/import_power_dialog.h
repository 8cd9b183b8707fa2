// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/session/import_power.h"
#include "ep/ui/charts/power_history.h"

#include <QByteArray>
#include <QDialog>

#include <filesystem>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QThread;

namespace ep::ui {

class PowerColumnTable;
class PowerTimeline;
class SelectionController;

// Reads a power recording of another program and shows its curve and a verdict on it; where
// something is missing in the file, it asks for that. The rails with their joules, the requests,
// the clock and the notes are behind More. Reading and storing happen on a thread. The user
// describes a table of unknown format column by column, which is remembered by its headers.
class ImportPowerDialog : public QDialog {
    Q_OBJECT

public:
    // tables: earlier descriptions, as JSON (Settings::powerTables).
    ImportPowerDialog(std::filesystem::path power, std::filesystem::path database,
                      QByteArray tables, QWidget* parent);
    ~ImportPowerDialog() override; // cancels and waits

Q_SIGNALS:
    void imported(const QString& run); // id of the new run
    void described(const QByteArray& tables);

private:
    using Outcome = Result<session::PowerImport>;

    void buildFields();
    void layOut();
    void browseRequests();
    Result<session::PowerImportOptions> options() const;
    void read(); // starts the thread, or repeats it if it is running
    void finishReading();
    void show(const session::PowerImport& preview);
    void showProblem(const Error& problem);
    void showColumns();
    void store();
    void setBusy(bool busy);
    void showWhatIsNeeded();

    std::filesystem::path m_power;
    std::filesystem::path m_database;
    QByteArray m_tables;
    QLineEdit* m_requests;
    QComboBox* m_unit;
    QLineEdit* m_period;
    QLineEdit* m_zone;
    QLineEdit* m_offset;
    QCheckBox* m_align;
    QCheckBox* m_describe;
    QLabel* m_summary;
    SelectionController* m_controller; // of the chart
    PowerTimeline* m_chart;
    QWidget* m_missing; // what a file may not say
    QWidget* m_details;
    QTableWidget* m_rails;
    PowerColumnTable* m_columns;
    QPlainTextEdit* m_notes;
    QProgressBar* m_progress;
    QPushButton* m_more;
    QPushButton* m_read;
    QPushButton* m_import;
    QThread* m_thread = nullptr;
    bool m_again = false;
    CancelToken m_cancel;
    PowerHistoryPtr m_history; // of the last reading
    std::shared_ptr<Outcome> m_outcome; // result of the last reading
};

} // namespace ep::ui
