// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/run_repository.h"

#include <QDialog>

class QCheckBox;
class QLabel;
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

} // namespace ep::ui
