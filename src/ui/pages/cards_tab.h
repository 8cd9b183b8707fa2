// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/session/kept_cards.h"

#include <QWidget>

#include <filesystem>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace ep::ui {

// Kept results of pairs, by class of machine and by comparison; those of one question are pooled.
class CardsTab : public QWidget {
    Q_OBJECT

public:
    explicit CardsTab(std::filesystem::path database, QWidget* parent = nullptr);

    void reload(); // reads and checks the files again on another thread
    void add(const QStringList& files); // copies the valid files

Q_SIGNALS:
    void measureRequested(); // for a new pair of settings

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Read {
        session::KeptCards kept;
        session::MergedCards merged;
    };
    static Read readAll(const std::filesystem::path& database);
    void show(const Read& read);
    void askForFiles();
    void removeSelected(); // asks for confirmation first

    std::filesystem::path m_database;
    QTreeWidget* m_tree;
    QLabel* m_problems;
    QPushButton* m_remove;
    LatestJob m_reading;
};

} // namespace ep::ui
