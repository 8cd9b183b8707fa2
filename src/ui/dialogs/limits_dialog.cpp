// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/limits_dialog.h"

#include "dialogs/constant_rows.h"
#include "text.h"

#include "ep/store/store.h"
#include "ep/ui/terms.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

Status storeLimits(const std::filesystem::path& database, const session::RooflineReport& report)
{
    const auto store = store::Store::open(database);
    if (!store)
        return store.error();
    for (const MachineRecord& record : report.limits) {
        if (const Status saved = (*store)->saveMachine(record); !saved)
            return saved;
    }
    return {};
}

} // namespace

LimitsDialog::LimitsDialog(MeasureLimits measure, std::filesystem::path database, QWidget* parent)
    : QDialog(parent)
    , m_measure(std::move(measure))
    , m_database(std::move(database))
    , m_state(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"limitsDialog"_s);
    setWindowTitle(tr("Measure Limits"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* what = new QLabel(
        tr("Measures how fast this machine computes and reads memory in each number format, and "
           "what that costs. Runs are explained by comparison with it. It takes about ten seconds: "
           "close other programs."),
        this);
    what->setWordWrap(true);
    m_limits = constantsTable(u"limitsTable"_s, tr("Limits of this machine"),
                              {tr("Format"), tr("Memory"), tr("Arithmetic"), tr("Per byte"),
                               tr("Per FLOP"), tr("Power source")},
                              this);
    m_state->setObjectName(u"limitsState"_s);
    m_state->setWordWrap(true);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Measure Limits"));
    m_progress->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_start = buttons->addButton(tr("&Measure"), QDialogButtonBox::ActionRole);
    m_start->setObjectName(u"limitsStart"_s);
    connect(m_start, &QPushButton::clicked, this, &LimitsDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addWidget(m_limits, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().lineSpacing() * 20);
}

void LimitsDialog::start()
{
    m_start->setEnabled(false);
    m_progress->setValue(0);
    m_progress->show();
    m_state->clear();
    m_job.start(
        *this, m_measure,
        [this](double fraction, const std::string&) {
            m_progress->setValue(static_cast<int>(std::lround(fraction * 1000.0)));
        },
        [this](const Result<session::RooflineReport>& report) { finish(report); });
}

void LimitsDialog::finish(const Result<session::RooflineReport>& report)
{
    m_progress->hide();
    m_start->setEnabled(true);
    if (!report) {
        m_state->setText(term(report.error().message));
        return;
    }
    fill(*report);
    if (const Status saved = storeLimits(m_database, *report); !saved) {
        m_state->setText(term(saved.error().message));
        return;
    }
    const QString known = tr("Stored: runs on this machine are now compared with these limits.");
    m_state->setText(report->energy_problem.empty() ? known
                                                    : known + u' ' + term(report->energy_problem));
    Q_EMIT stored();
}

void LimitsDialog::fill(const session::RooflineReport& report)
{
    m_limits->setRowCount(static_cast<int>(report.limits.size()));
    for (int row = 0; row < m_limits->rowCount(); ++row) {
        const MachineRecord& limits = report.limits[static_cast<std::size_t>(row)];
        fillRow(*m_limits, row,
                {toQString(limits.dtype), constantText(limits.bytes_per_second, 1e-9, u"GB/s"_s),
                 constantText(limits.flops_per_second, 1e-9, u"GFLOP/s"_s),
                 constantText(limits.joules_per_byte, 1e12, u"pJ"_s),
                 constantText(limits.joules_per_flop, 1e12, u"pJ"_s),
                 limits.source.empty() ? missingText() : toQString(limits.source)});
    }
    m_limits->resizeColumnsToContents();
}

} // namespace ep::ui
