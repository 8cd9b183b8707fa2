// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/model_search.h"
#include "repository/latest_job.h"

#include <QDialog>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QSortFilterProxyModel;
class QStandardItemModel;
class QTableWidget;
class QTreeView;

namespace ep::ui {

// A list of folders that users can edit.
class FolderList : public QWidget {
    Q_OBJECT

public:
    FolderList(const QStringList& folders, QWidget* parent = nullptr);

    QStringList folders() const;

Q_SIGNALS:
    void changed();

private:
    void browse();

    QListWidget* m_list;
};

// All models in the bundled, the usual and the user's folders, with their properties. One can be
// selected for the next run, and the user's folders can be changed.
class ModelLibraryDialog : public QDialog {
    Q_OBJECT

public:
    ModelLibraryDialog(std::vector<std::filesystem::path> bundledFolders,
                       const QStringList& folders, const QString& chosenFolder,
                       QWidget* parent = nullptr);

    QStringList folders() const;

Q_SIGNALS:
    void foldersChanged(const QStringList& folders);
    void modelChosen(const std::filesystem::path& folder);

private:
    QWidget* buildModels();
    QWidget* buildFacts();
    void search();
    void fill(std::vector<ModelChoice> choices);
    const ModelChoice* current() const;
    void showCurrent();
    void choose();

    std::vector<std::filesystem::path> m_bundledFolders;
    std::filesystem::path m_chosen; // model to select once it is found
    std::vector<ModelChoice> m_choices;
    FolderList* m_folders;
    QStandardItemModel* m_table;
    QSortFilterProxyModel* m_sorted;
    QTreeView* m_view;
    QLabel* m_state; // progress, or why the list is empty
    QLabel* m_problem;
    QTableWidget* m_facts;
    QPushButton* m_use;
    LatestJob m_search;
};

} // namespace ep::ui
