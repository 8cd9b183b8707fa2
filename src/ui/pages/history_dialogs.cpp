// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_dialogs.h"

#include "text.h"
#include "unique_names.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/energy/paired_runs.h"
#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableWidget>

#include <algorithm>
#include <iterator>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString bytesText(const std::optional<std::int64_t>& bytes)
{
    return bytes ? toQString(formatBytes(*bytes)) : missingText();
}

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

QString suggestedName(const RunInfo& run)
{
    static const QRegularExpression unsafe(u"[^A-Za-z0-9._-]+"_s);
    const QString date =
        QDateTime::fromMSecsSinceEpoch(run.created_at_ms).toString(u"yyyyMMdd-HHmmss"_s);
    QString name = toQString(run.model.name) + u'-' + date;
    return name.replace(unsafe, u"_"_s);
}

struct Kind {
    QString title;
    QString filter;
    QString suffix; // empty: a folder is requested
};

Kind kindOf(RunRepository::Format format)
{
    switch (format) {
    case RunRepository::Format::Json:
        return {translated("Export Run as JSON"), translated("JSON (*.json)"), u"json"_s};
    case RunRepository::Format::Trace:
        return {translated("Export Run as Trace for ui.perfetto.dev"), translated("Trace (*.json)"),
                u"trace.json"_s};
    case RunRepository::Format::CsvZip:
        return {translated("Export Run as Zipped CSV Tables"), translated("Zip archive (*.zip)"),
                u"zip"_s};
    case RunRepository::Format::Csv:
        break;
    }
    return {translated("Export Run as CSV Tables"), {}, {}};
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
    prepareDialog(*this, u"storageDialog"_s, tr("Storage"));
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
    m_keepCount->setRange(0, store::PruneRule::kMostKept);
    m_keepCount->setValue(100);
    m_keepCount->setSuffix(tr(" runs"));
    m_days->setRange(0, store::PruneRule::kMostDays);
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
    constexpr std::size_t kShown = 200; // number of largest runs to list
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

RunEditDialog::RunEditDialog(RunRepository& repository, const RunInfo& run, QWidget* parent)
    : QDialog(parent)
    , m_repository(repository)
    , m_id(toQString(run.id))
    , m_title(named(new QLineEdit(toQString(run.title), this), u"editTitle"_s))
    , m_experiment(named(new QLineEdit(toQString(run.experiment), this), u"editExperiment"_s))
    , m_tags(named(new QLineEdit(this), u"editTags"_s))
    , m_notes(named(new QPlainTextEdit(toQString(run.notes.english()), this), u"editNotes"_s))
{
    prepareDialog(*this, u"runEditDialog"_s, tr("Edit Run"));
    m_title->setPlaceholderText(toQString(previewUtf8(run.prompt, 60)));
    m_tags->setPlaceholderText(tr("Separated by commas"));
    m_notes->setTabChangesFocus(true);
    m_tags->setText(factText({run, {}}, "tags"));
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

QString suffixOf(RunRepository::Format format)
{
    return kindOf(format).suffix;
}

std::vector<ExportFile> exportFiles(const std::vector<const RunSummary*>& runs,
                                    const QString& suffix)
{
    UniqueNames names;
    std::vector<ExportFile> files;
    for (const RunSummary* run : runs) {
        const QString id = toQString(run->info.id);
        // The id tells runs of the same second apart.
        const QString name = names.next(suggestedName(run->info) + u'-' + id.left(6));
        files.push_back({id, suffix.isEmpty() ? name : name + u'.' + suffix});
    }
    return files;
}

void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format)
{
    const Kind kind = kindOf(format);
    const bool folder = kind.suffix.isEmpty();
    auto* dialog = makeFileDialog(&parent, kind.title, u"exportDialog"_s);
    if (!folder) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setNameFilter(kind.filter);
        dialog->setDefaultSuffix(kind.suffix);
        dialog->selectFile(suggestedName(run) + u'.' + kind.suffix);
    } else {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        dialog->setLabelText(QFileDialog::Accept, translated("Export Here"));
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, &repository,
                     [&repository, id = toQString(run.id), format, folder,
                      name = suggestedName(run)](const QString& path) {
                         repository.exportRun(id, format, folder ? path + u'/' + name : path);
                     });
    dialog->open();
}

void askForReportFile(QWidget& parent, const QString& name,
                      const std::function<void(const QString& path)>& save)
{
    auto* dialog =
        makeFileDialog(&parent, translated("Save Report"), u"reportDialog"_s,
                       QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({translated("Web page (*.html)"), translated("PDF (*.pdf)")});
    dialog->setDefaultSuffix(u"html"_s);
    dialog->selectFile(name + u".html"_s);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(u"pdf"_s) ? u"pdf"_s : u"html"_s);
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, save);
    dialog->open();
}

void saveReportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run)
{
    askForReportFile(parent, suggestedName(run),
                     [&repository, id = toQString(run.id)](const QString& path) {
                         repository.saveReport(id, path);
                     });
}

} // namespace ep::ui
