// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/measuring_job.h"

#include "ep/core/result.h"
#include "ep/session/quality.h"

#include <QDialog>

#include <filesystem>
#include <vector>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ep::ui {

// Asks for a text and measures on a separate thread how well each of the models predicts it. The
// results are stored in the database.
class QualityDialog : public QDialog {
    Q_OBJECT

public:
    // requests: the dialog adds their text.
    QualityDialog(std::vector<session::QualityRequest> requests, std::filesystem::path database,
                  QWidget* parent);

Q_SIGNALS:
    void measured(); // something was stored

private:
    void browse();
    void start();
    void finish(const Status& status);

    std::vector<session::QualityRequest> m_requests;
    std::filesystem::path m_database;
    QLineEdit* m_text;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_start;
    QPushButton* m_close;
    MeasuringJob<void> m_job;
};

} // namespace ep::ui
