// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/power_picker.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/core/power_limits.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

bool needsToBeAskedFor(const std::string& kind)
{
    return kind == "modelled" || kind == "replay" || kind == "none" || kind == "auto";
}

QDoubleSpinBox* wattsBox(const QString& id, const QString& name, QWidget* parent)
{
    auto* box = named(new QDoubleSpinBox(parent), id, name);
    box->setRange(0.0, kMaxWatts);
    box->setDecimals(1);
    box->setSuffix(u" W"_s);
    return box;
}

} // namespace

PowerPicker::PowerPicker(ProbeSources probe, QWidget* parent)
    : QWidget(parent)
    , m_probe(std::move(probe))
    , m_combo(named(new QComboBox(this), u"powerCombo"_s, tr("Power source")))
    , m_state(wrapped(named(new QLabel(this), u"powerState"_s)))
    , m_modelledRow(new QWidget(this))
    , m_idleWatts(wattsBox(u"idleWatts"_s, tr("Power of the idle machine"), m_modelledRow))
    , m_fullWatts(wattsBox(u"fullWatts"_s, tr("Power with every core busy"), m_modelledRow))
    , m_replayRow(new QWidget(this))
    , m_capture(named(new QLineEdit(m_replayRow), u"replayFile"_s, tr("Recorded capture")))
{
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);

    flush(inRow(m_modelledRow,
                {new QLabel(tr("Idle"), m_modelledRow),
                 {m_idleWatts, 1},
                 new QLabel(tr("Full"), m_modelledRow),
                 {m_fullWatts, 1}}));

    m_capture->setPlaceholderText(tr("Recorded powermetrics capture"));
    auto* browse = named(new QPushButton(tr("Browse…"), m_replayRow), u"replayBrowse"_s);
    flush(inRow(m_replayRow, {{m_capture, 1}, browse}));

    auto* layout = flush(inColumn(this, {m_combo, m_modelledRow, m_replayRow, m_state}));
    layout->setSpacing(kHalfGrid);

    fill({});
    connect(browse, &QPushButton::clicked, this, &PowerPicker::browseCapture);
    const auto onChange = [this] {
        showState();
        Q_EMIT changed();
    };
    connect(m_combo, &QComboBox::currentIndexChanged, this, onChange);
    connect(m_capture, &QLineEdit::textChanged, this, onChange);
    connect(m_idleWatts, &QDoubleSpinBox::valueChanged, this, onChange);
    connect(m_fullWatts, &QDoubleSpinBox::valueChanged, this, onChange);
    setChoice({});
}

void PowerPicker::probe()
{
    m_job.start([probe = m_probe] { return probe(); },
                [this](const std::vector<power::SourceReport>& reports) {
                    m_probed = true;
                    fill(reports);
                });
}

void PowerPicker::fill(const std::vector<power::SourceReport>& reports)
{
    const QString chosen = m_combo->currentData().toString();
    m_reports = reports;
    {
        const QSignalBlocker quiet(m_combo);
        m_combo->clear();
        m_combo->addItem(tr("Automatic"), u"auto"_s);
        for (const power::SourceReport& report : m_reports) {
            if (needsToBeAskedFor(report.kind))
                continue;
            const QString kind = toQString(report.kind);
            m_combo->addItem(report.available ? kind : tr("%1 (not available)").arg(kind), kind);
        }
        m_combo->addItem(tr("Replay of a capture"), u"replay"_s);
        m_combo->addItem(tr("Modelled (an estimate)"), u"modelled"_s);
        m_combo->addItem(tr("None (timing only)"), u"none"_s);
        const int index = m_combo->findData(chosen);
        if (index < 0 && !chosen.isEmpty()) // listed in an earlier session
            m_combo->insertItem(1, chosen, chosen);
        m_combo->setCurrentIndex(std::max(0, m_combo->findData(chosen)));
    }
    showState();
    Q_EMIT changed();
}

void PowerPicker::setChoice(const power::SourceChoice& choice)
{
    m_idleWatts->setValue(choice.idle_watts);
    m_fullWatts->setValue(choice.full_watts);
    m_capture->setText(toQString(choice.argument));
    const QString kind = toQString(choice.kind);
    if (m_combo->findData(kind) < 0)
        m_combo->insertItem(1, kind, kind);
    m_combo->setCurrentIndex(m_combo->findData(kind));
    showState();
}

power::SourceChoice PowerPicker::choice() const
{
    power::SourceChoice choice;
    choice.kind = m_combo->currentData().toString().toStdString();
    choice.argument = m_capture->text().toStdString();
    choice.idle_watts = m_idleWatts->value();
    choice.full_watts = m_fullWatts->value();
    return choice;
}

QString PowerPicker::problem() const
{
    const power::SourceChoice chosen = choice();
    if (chosen.kind == "replay") {
        if (chosen.argument.empty())
            return tr("Choose the capture to replay.");
        if (!QFileInfo::exists(m_capture->text()))
            return tr("There is no file %1.").arg(m_capture->text());
    }
    const Status usable = power::checkWatts(chosen);
    return usable ? QString() : term(usable.error().message);
}

const power::SourceReport* PowerPicker::report(const std::string& kind) const
{
    const auto found = std::find_if(m_reports.begin(), m_reports.end(),
                                    [&kind](const auto& report) { return report.kind == kind; });
    return found == m_reports.end() ? nullptr : &*found;
}

const power::SourceReport* PowerPicker::automatic() const
{
    const auto found = std::find_if(m_reports.begin(), m_reports.end(), [](const auto& report) {
        return report.available && !needsToBeAskedFor(report.kind);
    });
    return found == m_reports.end() ? nullptr : &*found;
}

bool PowerPicker::timingOnly() const
{
    const std::string kind = choice().kind;
    return kind == "none" || lacksSensor();
}

void PowerPicker::chooseModelled()
{
    m_combo->setCurrentIndex(m_combo->findData(u"modelled"_s));
}

QString PowerPicker::howToMeasure() const
{
    for (const power::SourceReport& report : m_reports) {
        if (!needsToBeAskedFor(report.kind) && !report.remedy.empty())
            return term(report.remedy);
    }
    return tr("Select “Modelled” for an estimate from processor time, or “Replay” for a recorded "
              "capture.");
}

QString PowerPicker::stateText() const
{
    const QString trouble = problem();
    if (!trouble.isEmpty())
        return trouble;
    const std::string kind = choice().kind;
    if (kind == "none")
        return tr("Timing only: energies are not shown.");
    if (kind == "modelled")
        return tr("Not a measurement: processor utilisation × these watts.");
    if (kind == "replay")
        return tr("Replays the power of the capture during the run; it is not the power of this "
                  "machine.");
    if (!m_probed)
        return tr("Looking for sensors…");
    const power::SourceReport* found = kind == "auto" ? automatic() : report(kind);
    if (kind == "auto" && !found)
        return tr("No sensor works on this machine: timing only. %1").arg(howToMeasure());
    if (!found)
        return tr("%1 is not known on this machine.").arg(toQString(kind));
    if (kind == "auto")
        return tr("%1: %2").arg(toQString(found->kind), term(found->explanation));
    return term(sequence({found->explanation, found->remedy}));
}

void PowerPicker::showState()
{
    const std::string kind = choice().kind;
    m_modelledRow->setVisible(kind == "modelled");
    m_replayRow->setVisible(kind == "replay");
    m_state->setText(stateText());
}

void PowerPicker::browseCapture()
{
    auto* dialog = makeFileDialog(this, tr("Choose a Capture"), u"captureDialog"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_capture, &QLineEdit::setText);
    dialog->open();
}

} // namespace ep::ui
