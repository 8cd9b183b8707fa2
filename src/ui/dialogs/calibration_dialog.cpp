// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/calibration_dialog.h"

#include "dialogs/constant_rows.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString percentText(double share)
{
    return toQString(formatPercent(share));
}

} // namespace

CalibrationDialog::CalibrationDialog(CalibrateMachine calibrate, QString model,
                                     std::filesystem::path database, QWidget* parent)
    : QDialog(parent)
    , m_calibrate(std::move(calibrate))
    , m_model(std::move(model))
    , m_database(std::move(database))
    , m_state(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"calibrationDialog"_s);
    setWindowTitle(tr("Calibrate"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* what = new QLabel(
        tr("Repeats each kind of component of %1 alone and measures what it costs; later runs of "
           "the model on this machine are split by that. It takes some minutes: close other "
           "programs, and connect a laptop to its power supply.")
            .arg(m_model),
        this);
    what->setWordWrap(true);
    m_kinds = constantsTable(u"calibrationKinds"_s, tr("Kinds of components"),
                             {tr("Component"), tr("Share of a token"), tr("Energy"), tr("Per byte"),
                              tr("Twice in a token"), tr("Not used because")},
                             this);
    m_machines = constantsTable(u"calibrationMachines"_s, tr("Unit costs"),
                                {tr("Machine"), tr("Format"), tr("Per byte"), tr("Per FLOP"),
                                 tr("Static power"), tr("Power source")},
                                this);
    auto* costs = new QLabel(
        tr("Unit costs of machines and number formats, from Tools > Measure Limits"), this);
    m_state->setObjectName(u"calibrationState"_s);
    m_state->setWordWrap(true);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Calibrate"));
    m_progress->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_start = buttons->addButton(tr("C&alibrate"), QDialogButtonBox::ActionRole);
    m_start->setObjectName(u"calibrationStart"_s);
    connect(m_start, &QPushButton::clicked, this, &CalibrationDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addWidget(m_kinds, 2);
    layout->addWidget(costs);
    layout->addWidget(m_machines, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().lineSpacing() * 36);
    showStored();
}

void CalibrationDialog::showStored()
{
    m_state->setText(tr("This machine was not calibrated with this model yet."));
    std::error_code ignored;
    if (!std::filesystem::exists(m_database, ignored))
        return;
    const auto store = store::Store::openToRead(m_database);
    if (!store)
        return;
    if (const auto machines = (*store)->machines())
        showMachines(*machines);
    const auto records = (*store)->calibrations();
    if (!records)
        return;
    const auto found =
        std::ranges::find(*records, m_model.toStdString(), &CalibrationRecord::model);
    if (found == records->end())
        return;
    showKinds(*found);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(found->measured_at_ms);
    m_state->setText(
        tr("Calibrated on %1 with %2.")
            .arg(QLocale().toString(at, QLocale::ShortFormat), toQString(found->source)));
}

void CalibrationDialog::showKinds(const CalibrationRecord& record)
{
    std::vector<CalibratedKind> kinds = record.kinds;
    std::ranges::stable_sort(kinds, std::ranges::greater{}, &CalibratedKind::share);
    m_kinds->setRowCount(static_cast<int>(kinds.size()));
    for (int row = 0; row < m_kinds->rowCount(); ++row) {
        const CalibratedKind& kind = kinds[static_cast<std::size_t>(row)];
        const double joules = kind.share * record.token_joules;
        fillRow(*m_kinds, row,
                {toQString(kind.kind),
                 percentText(kind.share) + u" ± "_s
                     + percentText(kHalfInterval95 * kind.tau * kind.share),
                 toQString(formatEnergy(Millijoules{1e3 * joules})),
                 kind.bytes > 0.0
                     ? toQString(formatSignificant(1e12 * joules / kind.bytes)) + u" pJ"_s
                     : missingText(),
                 kind.doubled_share ? percentText(*kind.doubled_share) : missingText(),
                 term(kind.problem)});
    }
    m_kinds->resizeColumnsToContents();
}

void CalibrationDialog::showMachines(const std::vector<MachineRecord>& machines)
{
    m_machines->setRowCount(static_cast<int>(machines.size()));
    for (int row = 0; row < m_machines->rowCount(); ++row) {
        const MachineRecord& machine = machines[static_cast<std::size_t>(row)];
        fillRow(*m_machines, row,
                {toQString(machine.machine), toQString(machine.dtype),
                 constantText(machine.joules_per_byte, 1e12, u"pJ"_s),
                 constantText(machine.joules_per_flop, 1e12, u"pJ"_s),
                 constantText(machine.static_watts, 1.0, u"W"_s), toQString(machine.source)});
    }
    m_machines->resizeColumnsToContents();
}

void CalibrationDialog::start()
{
    m_start->setEnabled(false);
    m_progress->setValue(0);
    m_progress->show();
    m_job.start(
        *this, m_calibrate,
        [this](double fraction, const Message& what) {
            m_progress->setValue(static_cast<int>(std::lround(fraction * 1000.0)));
            m_state->setText(term(what));
        },
        [this](const Result<session::CalibrationReport>& report) { finish(report); });
}

void CalibrationDialog::finish(const Result<session::CalibrationReport>& report)
{
    m_progress->hide();
    m_start->setEnabled(true);
    if (!report) {
        m_state->setText(term(report.error().message));
        return;
    }
    showKinds(report->record);
    if (!report->usable()) {
        m_state->setText(tr("Not used: %1").arg(term(report->refusal)));
        return;
    }
    const auto store = store::Store::open(m_database);
    const Status saved = store ? (*store)->saveCalibration(report->record) : Status(store.error());
    m_state->setText(saved ? tr("Calibrated: later runs of this model use it.")
                           : term(saved.error().message));
}

} // namespace ep::ui
