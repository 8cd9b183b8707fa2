// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/diagnostics_dialog.h"

#include "text.h"

#include "ep/ui/file_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

DiagnosticsDialog::DiagnosticsDialog(std::function<std::string()> collect, QWidget* parent)
    : QDialog(parent)
    , m_note(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
    , m_save(new QPushButton(tr("&Save…"), this))
    , m_copy(new QPushButton(tr("&Copy"), this))
{
    setObjectName(u"diagnosticsDialog"_s);
    setWindowTitle(tr("Diagnostics"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_note->setObjectName(u"diagnosticsNote"_s);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setText(tr("Collecting information…"));
    m_text->setObjectName(u"diagnosticsText"_s);
    m_text->setAccessibleName(tr("Contents of the report"));
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_save->setObjectName(u"diagnosticsSave"_s);
    m_copy->setObjectName(u"diagnosticsCopy"_s);
    m_save->setEnabled(false);
    m_copy->setEnabled(false);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &DiagnosticsDialog::saveAs);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_note);
    layout->addWidget(m_text, 1);
    layout->addWidget(buttons);
    resize(760, 560);

    m_job.start(std::move(collect), [this](const std::string& text) {
        m_text->setPlainText(toQString(text));
        m_note->setText(
            tr("This is the complete report: it contains no prompts, responses or names of runs. "
               "Read it, then save or copy it; nothing is sent anywhere."));
        m_save->setEnabled(true);
        m_copy->setEnabled(true);
    });
}

void DiagnosticsDialog::saveAs()
{
    auto* dialog = makeFileDialog(this, tr("Save Diagnostics"), u"diagnosticsFile"_s);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Text (*.txt)"));
    dialog->setDefaultSuffix(u"txt"_s);
    dialog->selectFile(u"energy-profiler-diagnostics.txt"_s);
    connect(dialog, &QFileDialog::fileSelected, this, &DiagnosticsDialog::writeTo);
    dialog->open();
}

void DiagnosticsDialog::writeTo(const QString& name)
{
    QSaveFile file(name);
    const bool saved = file.open(QIODevice::WriteOnly)
        && file.write(m_text->toPlainText().toUtf8()) >= 0 && file.commit();
    m_note->setText(saved ? tr("Saved to %1.").arg(name)
                          : tr("%1 could not be written (%2); choose another place.")
                                .arg(name, file.errorString()));
}

} // namespace ep::ui
