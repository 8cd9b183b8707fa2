// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/pays_side_fields.h"

#include "dialogs/format_choices.h"
#include "dialogs/study_choices.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/setting_range.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

enum Kind { Model, Server, Command };
constexpr int kShownLetters = 18; // of a model's name; longer ones are truncated in the box

} // namespace

template <typename Widget>
Widget* PaysSideFields::named(Widget* widget, const QString& id)
{
    widget->setObjectName(id);
    return widget;
}

PaysSideFields::PaysSideFields(const QString& id, const QString& title,
                               const std::vector<model::ModelListing>& models, QWidget* parent)
    : QGroupBox(title, parent)
    , m_kind(named(new QComboBox(this), id + u"Kind"_s))
    , m_stack(new QStackedWidget(this))
{
    setObjectName(id);
    m_kind->setAccessibleName(title);
    m_kind->addItem(tr("A model in this program"));
    m_kind->addItem(tr("A running server"));
    m_kind->addItem(tr("A command that is recorded"));
    m_stack->addWidget(buildModel(id, models)); // in the order of Kind
    m_stack->addWidget(buildServer(id));
    m_stack->addWidget(buildCommand(id));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_kind);
    layout->addWidget(m_stack);
    layout->addStretch();
    connect(m_kind, &QComboBox::currentIndexChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(m_model, &QComboBox::currentIndexChanged, this, &PaysSideFields::listFormats);
    listFormats();
    for (QComboBox* box : {m_kind, m_model, m_dtype, m_device})
        connect(box, &QComboBox::currentIndexChanged, this, &PaysSideFields::edited);
    for (QSpinBox* box : {m_threads, m_batch})
        connect(box, &QSpinBox::valueChanged, this, &PaysSideFields::edited);
    for (QLineEdit* line : {m_more, m_address, m_serverModel, m_command})
        connect(line, &QLineEdit::textChanged, this, &PaysSideFields::edited);
}

QWidget* PaysSideFields::buildModel(const QString& id,
                                    const std::vector<model::ModelListing>& models)
{
    auto* page = new QWidget(m_stack);
    m_model = named(new QComboBox(page), id + u"Model"_s);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(kShownLetters);
    for (const model::ModelListing& listing : models) {
        if (listing.supported)
            m_model->addItem(toQString(listing.name), pathText(listing.path));
    }
    m_dtype = named(new QComboBox(page), id + u"Dtype"_s);
    m_dtype->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device = named(new QComboBox(page), id + u"Device"_s);
    for (const QString& word : deviceWords())
        m_device->addItem(deviceTitle(word), word);
    m_threads = named(new QSpinBox(page), id + u"Threads"_s);
    setRangeOf(*m_threads, "threads");
    m_threads->setSpecialValueText(tr("automatic"));
    m_batch = named(new QSpinBox(page), id + u"Batch"_s);
    setRangeOf(*m_batch, "batch_size");
    m_more = named(new QLineEdit(page), id + u"More"_s);
    m_more->setPlaceholderText(tr("such as prompt-cache=on,draft=ngram"));
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Model"), m_model);
    form->addRow(tr("Number format"), m_dtype);
    form->addRow(tr("Device"), m_device);
    form->addRow(tr("Threads"), m_threads);
    form->addRow(tr("Batch size"), m_batch);
    form->addRow(tr("Further settings"), m_more);
    return page;
}

void PaysSideFields::listFormats()
{
    m_formats = m_model->currentIndex() < 0 ? formatsOfAnyModel()
                                            : formatsOf(toPath(m_model->currentData().toString()));
    offerFormats(*m_dtype, m_formats);
}

QString PaysSideFields::storedFormat() const
{
    const auto stored = std::ranges::find(m_formats, "auto", &model::SizedFormat::word);
    return stored == m_formats.end() ? QString() : toQString(stored->name);
}

QWidget* PaysSideFields::buildServer(const QString& id)
{
    auto* page = new QWidget(m_stack);
    m_address = named(new QLineEdit(page), id + u"Address"_s);
    const QString example = u"http://127.0.0.1:8080"_s;
    m_address->setPlaceholderText(example);
    m_serverModel = named(new QLineEdit(page), id + u"ServerModel"_s);
    m_serverModel->setPlaceholderText(tr("its only one"));
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Address"), m_address);
    form->addRow(tr("Model"), m_serverModel);
    return page;
}

QWidget* PaysSideFields::buildCommand(const QString& id)
{
    auto* page = new QWidget(m_stack);
    m_command = named(new QLineEdit(page), id + u"Command"_s);
    m_command->setPlaceholderText(tr("a program with its arguments"));
    auto* note =
        new QLabel(tr("It is started without a shell, and what it prints is dropped. Where "
                      "A and B send tokens, the figures are per token, otherwise of the "
                      "whole run."),
                   page);
    note->setWordWrap(true);
    setMuted(*note);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Command"), m_command);
    form->addRow(note);
    return page;
}

bool PaysSideFields::isCommand() const
{
    return m_stack->currentIndex() == Command;
}

void PaysSideFields::choose(const std::filesystem::path& model, const QString& dtype)
{
    m_model->setCurrentIndex(std::max(0, m_model->findData(pathText(model))));
    chooseFormat(*m_dtype, m_formats, dtype);
}

std::string PaysSideFields::settings() const
{
    QStringList parts;
    if (m_stack->currentIndex() == Server) {
        parts << u"server="_s + m_address->text().trimmed();
        return parts.front().toStdString();
    }
    parts << u"dtype="_s + m_dtype->currentData().toString();
    if (m_device->currentIndex() > 0)
        parts << u"device="_s + m_device->currentData().toString();
    if (m_threads->value() > 0)
        parts << u"threads="_s + QString::number(m_threads->value());
    if (m_batch->value() > 1)
        parts << u"batch="_s + QString::number(m_batch->value());
    if (const QString more = m_more->text().trimmed(); !more.isEmpty())
        parts << more;
    return parts.join(u',').toStdString();
}

Result<session::PaysSide> PaysSideFields::side() const
{
    if (isCommand()) {
        const QString command = m_command->text().trimmed();
        return command.isEmpty()
            ? Error{ErrorCode::InvalidInput, tr("Write the command.").toStdString()}
            : session::paysCommand(command.toStdString());
    }
    const bool server = m_stack->currentIndex() == Server;
    if (server && m_address->text().trimmed().isEmpty())
        return Error{ErrorCode::InvalidInput, tr("Write the address of the server.").toStdString()};
    if (!server && m_model->currentIndex() < 0)
        return Error{ErrorCode::InvalidInput, tr("No model was found.").toStdString()};
    const std::string model = server ? m_serverModel->text().trimmed().toStdString()
                                     : m_model->currentData().toString().toStdString();
    auto side = session::parsePaysSide(settings(), model);
    if (side && !server) // shows the name instead of the folder
        side->text = m_model->currentText().toStdString() + ", " + side->text;
    return side;
}

} // namespace ep::ui
