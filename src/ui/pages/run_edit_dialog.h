// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

#include <QDialog>

#include <string>
#include <vector>

class QLineEdit;
class QPlainTextEdit;

namespace ep::ui {

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

} // namespace ep::ui
