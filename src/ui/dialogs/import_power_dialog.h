// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/powerlog/read.h"
#include "ep/powerlog/recording.h"
#include "ep/session/import_power.h"
#include "ep/ui/charts/power_history.h"

#include <QByteArray>
#include <QDialog>
#include <QTableWidget>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QThread;

namespace ep::ui {

// The tables of a power recording that is to be imported: its rails and its columns. GUI thread.

// Prepares a read-only table without a selection.
void setUpTable(QTableWidget& table, const QString& name, const QStringList& titles);
void showRails(QTableWidget& table, const powerlog::Recording& recording);

// The columns of the file: how its format uses them, or what they mean according to the user.
// Descriptions are kept as JSON by the headers of their table (Settings::powerTables).
class PowerColumnTable : public QTableWidget {
    Q_OBJECT

public:
    PowerColumnTable(std::filesystem::path file, QWidget* parent);

    bool hasHeaders() const { return !m_headers.empty(); }
    bool isDescribedIn(const QByteArray& tables) const;
    // Whether a file of unknown format has a column of times and one of values.
    bool mayBeTable() const;
    void showUse(const std::vector<powerlog::ColumnUse>& columns);
    // Lets the user describe each column, starting with the description in `tables`, if there is
    // one.
    void describe(const QByteArray& tables);
    powerlog::Description description() const;
    QByteArray describedIn(const QByteArray& tables) const; // with this table's description

Q_SIGNALS:
    void changed(); // the description of a column changed

private:
    std::filesystem::path m_file;
    std::vector<std::string> m_headers; // empty: not a table
};

class PowerTimeline;
class SelectionController;

// Reads a power recording of another program, shows its curve and a verdict on it, and asks for
// facts that the file lacks. The rails with their joules, the requests, the clock and the notes are
// behind More. Reading and storing happen on a thread. The user describes a table of unknown format
// column by column, which is remembered by its headers.
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
    void read(); // starts reading, or repeats it if it is in progress
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
    QWidget* m_missing; // questions about facts that the file lacks
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
    LatestJob m_storing;
    PowerHistoryPtr m_history; // of the last reading
    std::shared_ptr<Outcome> m_outcome; // result of the last reading
};

} // namespace ep::ui
