// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/record_dialog.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/command_record.h"
#include "ep/session/find_program.h"
#include "ep/ui/terms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr qsizetype kCommandsKept = 10;
constexpr int kCommandWidth = 480;

} // namespace

RecordDialog::RecordDialog(const Settings& settings, std::filesystem::path python, QWidget* parent)
    : QDialog(parent)
    , m_python(std::move(python))
    , m_command(named(new QComboBox(this), u"recordCommand"_s, tr("Command")))
    , m_spans(
          named(new QCheckBox(tr("Record transformers, mlx-lm and llama-cpp-python inside"), this),
                u"recordSpans"_s))
    , m_depth(named(new QComboBox(this), u"recordDepth"_s))
    , m_problem(wrapped(named(new QLabel(this), u"recordProblem"_s)))
{
    setObjectName(u"recordDialog"_s);
    setWindowTitle(tr("Record a Command"));
    m_command->setEditable(true);
    m_command->setMinimumWidth(kCommandWidth);
    m_command->addItems(settings.commands);
    m_spans->setChecked(settings.recordsPython && !m_python.empty());
    m_spans->setEnabled(!m_python.empty());
    m_spans->setToolTip(tr("Python programs send their tokens, layers and components, without a "
                           "change to the program."));
    m_depth->addItem(tr("None: tokens only"), u"none"_s);
    m_depth->addItem(tr("Module: layers and components"), u"module"_s);
    m_depth->addItem(tr("Deep: individual operations"), u"deep"_s);
    m_depth->setCurrentIndex(m_depth->findData(toQString(name(settings.run.depth))));
    auto* form = new QFormLayout;
    form->addRow(tr("Command"), m_command);
    form->addRow(QString(), m_spans);
    form->addRow(tr("Depth"), m_depth);
    auto* buttons = dialogButtons(*this, QDialogButtonBox::Cancel);
    m_start =
        named(buttons->addButton(tr("Record"), QDialogButtonBox::AcceptRole), u"recordStart"_s);
    auto* note =
        wrapped(new QLabel(tr("The program is started with these arguments, without a shell. What "
                              "it prints appears in the terminal that opened this window."),
                           this));
    inColumn(this, {note, form, m_problem, buttons});
    connect(m_command, &QComboBox::editTextChanged, this, &RecordDialog::check);
    connect(m_spans, &QCheckBox::toggled, m_depth, &QWidget::setEnabled);
    m_depth->setEnabled(m_spans->isChecked());
    check();
}

void RecordDialog::check()
{
    const QString line = m_command->currentText().trimmed();
    const auto words = session::startableWords(line.toStdString());
    m_problem->setText(words || line.isEmpty() ? QString() : term(words.error().message));
    m_start->setEnabled(static_cast<bool>(words));
}

session::RecordTarget RecordDialog::target() const
{
    session::RecordTarget target;
    if (auto words = commandWords(m_command->currentText().toStdString()))
        target.arguments = *std::move(words);
    target.umask = umaskAtStart();
    if (m_spans->isChecked()) {
        target.python = m_python;
        target.automatic = true;
        target.depth =
            depthFromName(m_depth->currentData().toString().toStdString()).value_or(Depth::Module);
    }
    return target;
}

void RecordDialog::remember(Settings& settings) const
{
    const QString command = m_command->currentText().trimmed();
    settings.commands.removeAll(command);
    settings.commands.prepend(command);
    settings.commands = settings.commands.mid(0, kCommandsKept);
    settings.recordsPython = m_spans->isChecked();
}

} // namespace ep::ui
