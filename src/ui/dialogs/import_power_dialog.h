// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/session/import_power.h"

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

// Reads a power recording of another program and shows what would be imported: format, columns,
// rails with their joules, notes and verdict. Reading and storing happen on a thread. The user
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
    QTableWidget* m_rails;
    PowerColumnTable* m_columns;
    QPlainTextEdit* m_notes;
    QProgressBar* m_progress;
    QPushButton* m_read;
    QPushButton* m_import;
    QThread* m_thread = nullptr;
    bool m_again = false;
    CancelToken m_cancel;
    std::shared_ptr<Outcome> m_outcome; // result of the last reading
};

} // namespace ep::ui
