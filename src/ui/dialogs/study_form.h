// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/setting_range.h"

#include "ep/core/result.h"
#include "ep/model/library.h"
#include "ep/session/study.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QSpinBox;

namespace ep::ui {

// The fields of a study: its configurations, and how each is measured. GUI thread.
class StudyForm : public QWidget {
    Q_OBJECT

public:
    StudyForm(std::vector<model::ModelListing> models, QWidget* parent);

    // Shows a study; spec() keeps settings that have no field here, such as sampling.
    void setSpec(const session::StudySpec& spec);
    // The input as a spec; an error says what is missing.
    Result<session::StudySpec> spec() const;
    QString power() const; // the chosen power source, "auto"
    void setPower(const QString& source);

Q_SIGNALS:
    void changed();

private:
    void buildCells();
    void showFormats();
    void buildMeasurement();

    std::vector<model::ModelListing> m_known;
    session::StudySpec m_base; // initial values of the fields
    QString m_basePrompts; // prompts of m_base, as shown
    QLineEdit* m_name;
    QListWidget* m_models;
    QPlainTextEdit* m_prompts;
    QListWidget* m_dtypes;
    std::filesystem::path m_formatsOf{}; // the model whose sizes the formats show; empty: none
    QListWidget* m_depths;
    QListWidget* m_devices;
    QLineEdit* m_batchSizes;
    QLineEdit* m_outputTokens;
    SettingBoxes m_boxes; // boxes of the numbers below, except the seed
    QSpinBox* m_repeats;
    QComboBox* m_order;
    DecimalBox* m_seed; // whole
    QSpinBox* m_warmup;
    DecimalBox* m_baseline;
    DecimalBox* m_coolDown;
    QComboBox* m_power;
};

} // namespace ep::ui
