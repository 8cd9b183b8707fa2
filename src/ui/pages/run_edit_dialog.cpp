// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_edit_dialog.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/utf8.h"
#include "ep/energy/paired_runs.h"
#include "ep/store/store.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>
#include <iterator>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QStringList tagList(const QString& text)
{
    QStringList tags;
    for (const QString& part : text.split(u',')) {
        const QString tag = part.trimmed();
        if (!tag.isEmpty() && !tags.contains(tag))
            tags << tag;
    }
    return tags;
}

} // namespace

RunEditDialog::RunEditDialog(RunRepository& repository, const RunInfo& run, QWidget* parent)
    : QDialog(parent)
    , m_repository(repository)
    , m_id(toQString(run.id))
    , m_title(named(new QLineEdit(toQString(run.title), this), u"editTitle"_s))
    , m_experiment(named(new QLineEdit(toQString(run.experiment), this), u"editExperiment"_s))
    , m_tags(named(new QLineEdit(this), u"editTags"_s))
    , m_notes(named(new QPlainTextEdit(toQString(run.notes), this), u"editNotes"_s))
{
    setObjectName(u"runEditDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Edit Run"));
    m_title->setPlaceholderText(toQString(previewUtf8(run.prompt, 60)));
    m_tags->setPlaceholderText(tr("Separated by commas"));
    m_notes->setTabChangesFocus(true);
    m_tags->setText(shownTagsText(run.tags));
    std::ranges::copy_if(run.tags, std::back_inserter(m_machineTags), energy::isMachineTag);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &RunEditDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &RunEditDialog::reject);
    auto* form = new QFormLayout(this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Title:"), m_title);
    form->addRow(tr("&Experiment:"), m_experiment);
    form->addRow(tr("Ta&gs:"), m_tags);
    form->addRow(tr("&Notes:"), m_notes);
    form->addRow(buttons);
    resize(480, sizeHint().height());
}

void RunEditDialog::editNotes()
{
    open();
    m_notes->setFocus();
    m_notes->moveCursor(QTextCursor::End);
}

void RunEditDialog::accept()
{
    store::RunEdit changes;
    if (m_title->isModified())
        changes.title = m_title->text().trimmed().toStdString();
    if (m_experiment->isModified())
        changes.experiment = m_experiment->text().trimmed().toStdString();
    if (m_notes->document()->isModified())
        changes.notes = m_notes->toPlainText().toStdString();
    if (m_tags->isModified()) {
        changes.tags = m_machineTags;
        for (const QString& tag : tagList(m_tags->text()))
            changes.tags->push_back(tag.toStdString());
    }
    m_repository.edit({m_id}, changes);
    QDialog::accept();
}

} // namespace ep::ui
