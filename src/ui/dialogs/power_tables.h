// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/powerlog/read.h"
#include "ep/powerlog/recording.h"

#include <QByteArray>
#include <QTableWidget>

#include <filesystem>
#include <string>
#include <vector>

// The tables of a power recording that is to be imported: its rails and its columns. GUI thread.
namespace ep::ui {

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
    void changed(); // a column was described in another way

private:
    std::filesystem::path m_file;
    std::vector<std::string> m_headers; // empty: not a table
};

} // namespace ep::ui
