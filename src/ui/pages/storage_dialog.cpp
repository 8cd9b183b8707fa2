// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/storage_dialog.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/store/store.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString bytesText(const std::optional<std::int64_t>& bytes)
{
    return bytes ? toQString(formatBytes(*bytes)) : missingText();
}

} // namespace

StorageDialog::StorageDialog(RunRepository& repository, RunList runs, QWidget* parent)
    : QDialog(parent)
    , m_repository(repository)
    , m_runs(std::move(runs))
    , m_total(wrapped(named(new QLabel(tr("Measuring…"), this), u"storageTotal"_s)))
    , m_sizes(named(new QTableWidget(0, 2, this), u"storageSizes"_s, tr("Size of each run")))
    , m_keepLast(named(new QCheckBox(tr("&Keep the newest"), this), u"storageKeepLast"_s))
    , m_keepCount(named(new QSpinBox(this), u"storageKeepCount"_s))
    , m_olderThan(named(new QCheckBox(tr("&Older than"), this), u"storageOlderThan"_s))
    , m_days(named(new QSpinBox(this), u"storageDays"_s))
    , m_untagged(named(new QCheckBox(tr("Without &tags"), this), u"storageUntagged"_s))
    , m_cleanUp(named(new QPushButton(tr("&Delete These Runs"), this), u"storageCleanUp"_s))
    , m_vacuum(named(new QPushButton(tr("&Free Disk Space"), this), u"storageVacuum"_s))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"storageDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Storage"));
    m_sizes->setHorizontalHeaderLabels({tr("Run"), tr("Size")});
    m_sizes->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_sizes->verticalHeader()->hide();
    m_sizes->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_sizes->setSelectionMode(QAbstractItemView::NoSelection);
    m_progress->setRange(0, 100);
    m_progress->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &StorageDialog::reject);

    inColumn(this, {m_total, {m_sizes, 1}, buildRules(), m_vacuum, m_progress, buttons});
    resize(520, 480);

    connect(m_vacuum, &QPushButton::clicked, this, [this] {
        m_progress->setValue(0);
        m_progress->show();
        m_repository.vacuum();
    });
    connect(&m_repository, &RunRepository::vacuuming, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(100.0 * fraction)); });
    connect(&m_repository, &RunRepository::measured, this,
            [this](const StoreSizePtr& size) { show(*size); });
    connect(&m_repository, &RunRepository::removed, &m_repository, &RunRepository::measure);
    connect(&m_repository, &RunRepository::failed, this, [this] { m_progress->hide(); });
    updateState();
    m_repository.measure();
}

QWidget* StorageDialog::buildRules()
{
    m_keepCount->setRange(0, 1'000'000);
    m_keepCount->setValue(100);
    m_keepCount->setSuffix(tr(" runs"));
    m_days->setRange(0, 100'000);
    m_days->setValue(90);
    m_days->setSuffix(tr(" days"));
    auto* box = new QGroupBox(tr("Runs that match all of these"), this);
    auto* grid = new QGridLayout(box);
    grid->addWidget(m_keepLast, 0, 0);
    grid->addWidget(m_keepCount, 0, 1);
    grid->addWidget(m_olderThan, 1, 0);
    grid->addWidget(m_days, 1, 1);
    grid->addWidget(m_untagged, 2, 0);
    grid->addWidget(m_cleanUp, 2, 1);
    for (QCheckBox* check : {m_keepLast, m_olderThan, m_untagged})
        connect(check, &QCheckBox::toggled, this, &StorageDialog::updateState);
    connect(m_cleanUp, &QPushButton::clicked, this, &StorageDialog::cleanUp);
    return box;
}

QString StorageDialog::nameOf(const std::string& id) const
{
    for (const RunSummary& run : m_runs ? *m_runs : std::vector<RunSummary>()) {
        if (run.info.id != id)
            continue;
        return dateText(run.info.created_at_ms) + u" — "_s
            + toQString(previewUtf8(runTitle(run.info), 60));
    }
    return toQString(id);
}

void StorageDialog::show(const store::StoreSize& size)
{
    constexpr std::size_t kShown = 200; // the largest ones only
    m_progress->hide();
    m_total->setText(tr("%1 runs, file size %2, %3 of it unused.")
                         .arg(size.runs.size())
                         .arg(bytesText(size.file_bytes), bytesText(size.free_bytes)));
    const std::size_t rows = std::min(size.runs.size(), kShown);
    m_sizes->setRowCount(static_cast<int>(rows));
    for (std::size_t i = 0; i < rows; ++i) {
        const int row = static_cast<int>(i);
        m_sizes->setItem(row, 0, new QTableWidgetItem(nameOf(size.runs[i].id)));
        auto* bytes = new QTableWidgetItem(bytesText(size.runs[i].bytes));
        bytes->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_sizes->setItem(row, 1, bytes);
    }
}

void StorageDialog::cleanUp()
{
    store::PruneRule rule;
    if (m_keepLast->isChecked())
        rule.keep_last = m_keepCount->value();
    if (m_olderThan->isChecked())
        rule.before_ms = QDateTime::currentDateTime().addDays(-m_days->value()).toMSecsSinceEpoch();
    rule.only_untagged = m_untagged->isChecked();
    m_repository.prune(rule);
}

void StorageDialog::updateState()
{
    m_keepCount->setEnabled(m_keepLast->isChecked());
    m_days->setEnabled(m_olderThan->isChecked());
    m_cleanUp->setEnabled(m_keepLast->isChecked() || m_olderThan->isChecked()
                          || m_untagged->isChecked());
}

} // namespace ep::ui
