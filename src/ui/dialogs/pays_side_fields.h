// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/computed_model.h"
#include "ep/model/library.h"
#include "ep/session/pays_runner.h"

#include <QGroupBox>

#include <vector>

class QComboBox;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace ep::ui {

// The fields of one of the two compared settings: a model of this program, a server, or a recorded
// command.
class PaysSideFields : public QGroupBox {
    Q_OBJECT

public:
    // id: prefix of the object names, such as "paysA". Only supported models are offered.
    PaysSideFields(const QString& id, const QString& title,
                   const std::vector<model::ModelListing>& models, QWidget* parent);

    void choose(const std::filesystem::path& model, const QString& dtype = QStringLiteral("auto"));
    QString storedFormat() const; // of the chosen model; empty: unknown
    // The side that was entered; the error is one sentence.
    Result<session::PaysSide> side() const;
    bool isCommand() const;

Q_SIGNALS:
    void edited();

private:
    QWidget* buildModel(const QString& id, const std::vector<model::ModelListing>& models);
    QWidget* buildServer(const QString& id);
    QWidget* buildCommand(const QString& id);
    void listFormats();
    std::string settings() const; // as `pays` expects them, without the model
    template <typename Widget>
    Widget* named(Widget* widget, const QString& id);

    std::vector<model::SizedFormat> m_formats; // of the chosen model
    QComboBox* m_kind;
    QStackedWidget* m_stack;
    QComboBox* m_model;
    QComboBox* m_dtype;
    QComboBox* m_device;
    QSpinBox* m_threads;
    QSpinBox* m_batch;
    QLineEdit* m_more;
    QLineEdit* m_address;
    QLineEdit* m_serverModel;
    QLineEdit* m_command;
};

} // namespace ep::ui
