// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

#include <QDialog>
#include <QString>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace ep::ui {

// Shows how much disk space the runs use, and ways to free some: deleting by rule, which History
// can undo, and returning the space of deleted runs to the disk.
class StorageDialog : public QDialog {
    Q_OBJECT

public:
    StorageDialog(RunRepository& repository, RunList runs, QWidget* parent);

private:
    QWidget* buildRules();
    void show(const store::StoreSize& size);
    QString nameOf(const std::string& id) const;
    void cleanUp();
    void updateState();

    RunRepository& m_repository;
    RunList m_runs;
    QLabel* m_total;
    QTableWidget* m_sizes;
    QCheckBox* m_keepLast;
    QSpinBox* m_keepCount;
    QCheckBox* m_olderThan;
    QSpinBox* m_days;
    QCheckBox* m_untagged;
    QPushButton* m_cleanUp;
    QPushButton* m_vacuum;
    QProgressBar* m_progress;
};

// Edits title, experiment, tags and notes of a stored run. Saves the changes when accepted.
class RunEditDialog : public QDialog {
    Q_OBJECT

public:
    RunEditDialog(RunRepository& repository, const RunInfo& run, QWidget* parent);

    void editNotes(); // puts the cursor into the notes
    void accept() override;

private:
    RunRepository& m_repository;
    QString m_id;
    std::vector<std::string> m_machineTags; // neither shown nor changed
    QLineEdit* m_title;
    QLineEdit* m_experiment;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
};

// Asks for the destination with the platform's dialog, then lets the repository write the run.
// Returns immediately.
void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format);

// Asks for the file of a report, a web page or PDF.
void askForReportFile(QWidget& parent, const QString& name,
                      const std::function<void(const QString& path)>& save);

// Exports a report as a web page or PDF in the same way.
void saveReportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run);

QString suffixOf(RunRepository::Format format); // empty: the format writes a folder

struct ExportFile {
    QString run; // id of the run
    QString name;
};
// For several runs in one folder: names that differ on every file system.
std::vector<ExportFile> exportFiles(const std::vector<const RunSummary*>& runs,
                                    const QString& suffix);

} // namespace ep::ui
