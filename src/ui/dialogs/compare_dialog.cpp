// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/compare_dialog.h"

#include "dialogs/format_choices.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/collapsible_box.h"

#include "ep/model/format.h"
#include "ep/session/run_settings.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kComparePercent = 100.0;
constexpr int kChoiceLetters = 36; // number of letters of a choice that are shown
constexpr auto kStored = "auto"_L1;

QComboBox* choiceBox(const QString& id, QWidget* parent)
{
    auto* box = named(new QComboBox(parent), id);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kChoiceLetters);
    return box;
}

void offerTexts(QComboBox& box, const QStringList& texts, const QString& placeholder)
{
    box.setEditable(true);
    box.addItems(texts);
    box.lineEdit()->setPlaceholderText(placeholder);
    box.setInsertPolicy(QComboBox::NoInsert);
}

} // namespace

QString usualOtherFormat(const std::string& stored)
{
    const auto type = model::dtypeFromName(model::mainTypeName(stored));
    return type && model::bytesOfNumber(*type) < 1.0 ? u"q8_0"_s : u"q4_0"_s;
}

CompareDialog::CompareDialog(Subject subject, QWidget* parent)
    : QDialog(parent)
    , m_subject(std::move(subject))
    , m_form(new QFormLayout)
    , m_differs(choiceBox(u"compareDiffers"_s, this))
    , m_first(choiceBox(u"compareFirst"_s, this))
    , m_own(wrapped(named(new QLabel(this), u"compareOwn"_s)))
    , m_other(choiceBox(u"compareOther"_s, this))
    , m_smallest(named(new QDoubleSpinBox(this), u"compareSmallest"_s))
    , m_pairs(named(new QSpinBox(this), u"comparePairs"_s))
    , m_minutes(named(new QDoubleSpinBox(this), u"compareMinutes"_s))
    , m_equal(wrapped(named(new QLabel(this), u"compareEqual"_s)))
    , m_problem(wrapped(named(new QLabel(this), u"compareProblem"_s)))
    , m_start(named(new QPushButton(tr("&Start"), this), u"compareStart"_s))
{
    prepareDialog(*this, u"compareDialog"_s, tr("Compare With…"));
    build();
    const auto offer = [this](const QString& text, Differs what) {
        m_differs->addItem(text, static_cast<int>(what));
    };
    if (!m_subject.model.server) {
        offer(tr("Another format"), Differs::Format);
        offer(tr("Another setting"), Differs::Setting);
    }
    offer(tr("Another model"), Differs::Model);
    offer(tr("A running server"), Differs::Server);
    offer(tr("Two commands"), Differs::Command);
    connect(m_differs, &QComboBox::currentIndexChanged, this, &CompareDialog::fillChoices);
    for (QComboBox* box : {m_first, m_other})
        connect(box, &QComboBox::currentTextChanged, this, &CompareDialog::check);
    fillChoices();
}

void CompareDialog::build()
{
    const session::PaysSpec usual;
    m_smallest->setRange(0.1, 90.0);
    m_smallest->setDecimals(1);
    m_smallest->setValue(usual.test.smallest_difference * kComparePercent);
    m_smallest->setSuffix(tr(" %"));
    m_pairs->setRange(3, 100'000);
    m_pairs->setValue(usual.most_pairs);
    m_minutes->setRange(0.1, 100'000.0);
    m_minutes->setDecimals(1);
    m_minutes->setValue(usual.most_minutes);
    m_minutes->setSuffix(tr(" min"));
    auto* limits = new QWidget(this);
    auto* limitRows = new QFormLayout(limits);
    limitRows->addRow(tr("Differences up to this do not matter"), m_smallest);
    limitRows->addRow(tr("At most pairs"), m_pairs);
    limitRows->addRow(tr("At most minutes"), m_minutes);
    auto* more = new CollapsibleBox(tr("More"), this);
    more->setContent(limits);
    more->setExpanded(false);

    offerTexts(*m_first, m_subject.commands, tr("a program with its arguments"));
    m_form->addRow(tr("What differs"), m_differs);
    m_form->addRow(tr("This run"), m_own);
    m_form->addRow(tr("First command"), m_first);
    m_form->addRow(tr("Compare with"), m_other);
    setMuted(*m_equal);
    auto* buttons = dialogButtons(*this, QDialogButtonBox::Cancel);
    m_start->setDefault(true);
    buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
    inColumn(this, {m_form, m_equal, more, m_problem, Stretch{}, buttons});
}

CompareDialog::Differs CompareDialog::differs() const
{
    return static_cast<Differs>(m_differs->currentData().toInt());
}

void CompareDialog::fillChoices()
{
    const QSignalBlocker quiet(m_other);
    m_other->clear();
    m_other->setEditable(false);
    switch (differs()) {
    case Differs::Format: {
        const Formats& known = m_subject.model.formats;
        addFormats(*m_other, known.empty() ? formatsOfAnyModel() : known);
        m_other->removeItem(m_other->findData(toQString(m_subject.run.load.dtype)));
        const bool converted = m_subject.run.load.dtype != "auto";
        m_other->setCurrentIndex(std::max(
            0, m_other->findData(converted ? QString(kStored) : usualOtherFormat(nameOf("auto")))));
        break;
    }
    case Differs::Model:
        for (const ModelChoice& choice : m_subject.models) {
            if (choice.folder != m_subject.model.folder && choice.problem.isEmpty())
                m_other->addItem(choice.displayName(), pathText(choice.folder));
        }
        break;
    case Differs::Server: {
        const QString example = u"http://127.0.0.1:8080"_s;
        offerTexts(*m_other, {}, example);
        break;
    }
    case Differs::Command:
        offerTexts(*m_other, m_subject.commands, m_first->lineEdit()->placeholderText());
        m_other->setCurrentIndex(m_subject.commands.size() > 1 ? 1 : -1);
        break;
    case Differs::Setting:
        offerTexts(*m_other,
                   {u"threads=1"_s, u"batch=4"_s, u"prompt-cache=on"_s, u"draft=ngram"_s,
                    u"kv-cache=q8_0"_s},
                   tr("such as prompt-cache=on,draft=ngram"));
        break;
    }
    check();
}

std::string CompareDialog::nameOf(const std::string& dtype) const
{
    if (dtype != "auto")
        return dtype;
    const Formats& known = m_subject.model.formats;
    const auto stored = std::ranges::find(known, "auto", &model::SizedFormat::word);
    return stored == known.end() ? m_subject.model.details.stored_dtype : stored->name;
}

session::RunRequest CompareDialog::common() const
{
    return session::usualOfPairs(m_subject.run);
}

session::NamedSettings CompareDialog::own() const
{
    const std::string& dtype = m_subject.run.load.dtype;
    const bool format = differs() == Differs::Format && !m_subject.run.server;
    return {.label = format ? nameOf(dtype) : m_subject.model.name.toStdString(), .run = common()};
}

Result<session::NamedSettings> CompareDialog::other() const
{
    session::NamedSettings side = own();
    const std::string text = m_other->currentText().trimmed().toStdString();
    side.label = text;
    switch (differs()) {
    case Differs::Format:
        side.run.load.dtype = m_other->currentData().toString().toStdString();
        side.label = nameOf(side.run.load.dtype);
        return side;
    case Differs::Model: {
        const auto choice =
            std::ranges::find(m_subject.models, m_other->currentData().toString(),
                              [](const ModelChoice& each) { return pathText(each.folder); });
        if (choice == m_subject.models.end())
            return Error{ErrorCode::InvalidInput, "No other model was found."};
        if (choice->server)
            return session::serverSide(text, *choice->server, side.run);
        side.run.server.reset();
        side.run.load.folder = choice->folder;
        return side;
    }
    case Differs::Server:
        if (text.empty())
            return Error{ErrorCode::InvalidInput, "Write the address of the server."};
        side.run.load.folder.clear(); // the server's only model
        return session::parseSide("server=" + text, side.run);
    case Differs::Command:
        if (text.empty())
            return Error{ErrorCode::InvalidInput, "Write the command."};
        return session::commandSide(text, side.run);
    case Differs::Setting:
        if (text.empty())
            return Error{ErrorCode::InvalidInput, "Write a setting."};
        return session::parseSide(text, side.run);
    }
    return side;
}

Result<session::PaysSpec> CompareDialog::spec() const
{
    session::PaysSpec spec;
    if (m_subject.run.power.kind == "none")
        return Error{ErrorCode::InvalidInput,
                     "A verdict needs energies: choose a power source in Live."};
    const bool commands = differs() == Differs::Command;
    const std::string first = m_first->currentText().trimmed().toStdString();
    auto a = commands && !first.empty() ? session::commandSide(first, common())
        : commands                      ? Error{ErrorCode::InvalidInput, "Write the first command."}
                                        : Result<session::NamedSettings>(own());
    if (!a)
        return a.error();
    auto b = other();
    if (!b)
        return b.error();
    for (const session::NamedSettings* side : {&*a, &*b}) {
        if (const Status possible = session::checkTogether(side->run); !possible)
            return possible.error();
    }
    if (a->run == b->run)
        return Error{ErrorCode::InvalidInput, "Both settings are the same; choose something else."};
    spec.a = *std::move(a);
    spec.b = *std::move(b);
    spec.most_pairs = m_pairs->value();
    spec.most_minutes = m_minutes->value();
    spec.test.smallest_difference = m_smallest->value() / kComparePercent;
    return spec;
}

QString CompareDialog::equal() const
{
    const QString power = toQString(m_subject.run.power.kind);
    if (differs() == Differs::Command)
        return tr("Each command has its own prompt and length and is started without a shell. "
                  "Equal: the power source (%1).")
            .arg(power);
    return (m_subject.template_used
                ? tr("Equal on both sides: the prompt in the model's chat template, %1 tokens "
                     "each, sampling, device and power source (%2).")
                : tr("Equal on both sides: the prompt without a chat template, %1 tokens each, "
                     "sampling, device and power source (%2)."))
        .arg(m_subject.run.max_new_tokens)
        .arg(power);
}

void CompareDialog::check()
{
    const bool commands = differs() == Differs::Command;
    const QString format = toQString(own().label.english());
    m_own->setText(differs() == Differs::Format && m_subject.run.load.dtype == "auto"
                       ? tr("%1, as stored").arg(format)
                       : format);
    for (QWidget* row : {static_cast<QWidget*>(m_first), static_cast<QWidget*>(m_own)}) {
        const bool shown = (row == m_first) == commands;
        row->setVisible(shown);
        m_form->labelForField(row)->setVisible(shown);
    }
    m_equal->setText(equal());
    const auto built = spec();
    m_start->setEnabled(built.has_value());
    m_problem->setText(built ? QString() : term(built.error().message));
    m_problem->setVisible(!built);
}

} // namespace ep::ui
