// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/import_power_dialog.h"

#include "dialogs/power_tables.h"
#include "models/selected_figures.h"
#include "text.h"
#include "theme/design.h"

#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/core/start_thread.h"
#include "ep/store/store.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QThread>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString verdictText(powerlog::Verdict verdict)
{
    switch (verdict) {
    case powerlog::Weight::Note:
        return ImportPowerDialog::tr("good");
    case powerlog::Weight::Doubtful:
        return ImportPowerDialog::tr("doubtful");
    case powerlog::Weight::Poor:
        break;
    }
    return ImportPowerDialog::tr("poor: nothing will be derived from it");
}

// With its interval, which says how far the ends of the phase can be told from the recording.
QString phaseEnergyText(const session::ImportedPhase& phase)
{
    const QString first = QString::number(phase.request + 1);
    const QString what = phase.requests > 1
        ? ImportPowerDialog::tr("Requests %1 to %2")
              .arg(first, QString::number(phase.request + phase.requests))
        : ImportPowerDialog::tr("Request %1, %2").arg(first, term(name(phase.phase)));
    QStringList figures{
        toQString(formatEnergy(Millijoules{*phase.joules * kMillijoulesPerJoule})) + u' '
        + intervalText(Millijoules{phase.edge_joules * kMillijoulesPerJoule / kHalfInterval95})};
    if (const auto perToken = phase.joulesPerToken())
        figures << toQString(formatFigure(RunFigure::JoulesPerToken, perToken));
    return what + u": "_s + figures.join(u", "_s);
}

} // namespace

ImportPowerDialog::ImportPowerDialog(std::filesystem::path power, std::filesystem::path database,
                                     QByteArray tables, QWidget* parent)
    : QDialog(parent)
    , m_power(std::move(power))
    , m_database(std::move(database))
    , m_tables(std::move(tables))
    , m_requests(new QLineEdit(this))
    , m_unit(new QComboBox(this))
    , m_period(new QLineEdit(this))
    , m_zone(new QLineEdit(this))
    , m_offset(new QLineEdit(this))
    , m_align(new QCheckBox(tr("Align the clocks"), this))
    , m_describe(new QCheckBox(tr("Describe the columns myself"), this))
    , m_summary(new QLabel(this))
    , m_controller(new SelectionController(this))
    , m_chart(new PowerTimeline(this))
    , m_missing(new QWidget(this))
    , m_details(new QWidget(this))
    , m_rails(new QTableWidget(this))
    , m_columns(new PowerColumnTable(m_power, this))
    , m_notes(new QPlainTextEdit(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"importPowerDialog"_s);
    setWindowTitle(tr("Import Power Recording"));
    setAttribute(Qt::WA_DeleteOnClose);
    setUpTable(*m_rails, u"powerRails"_s,
               {tr("Rail"), tr("Energy"), tr("Rule of the sum"), tr("Samples"), tr("Covered")});
    m_rails->setAccessibleName(tr("Rails"));
    buildFields();
    m_summary->setObjectName(u"powerSummary"_s);
    m_summary->setWordWrap(true);
    setType(*m_summary, TypeSize::Title, true);
    m_chart->setObjectName(u"powerCurve"_s);
    m_chart->setController(m_controller);
    m_summary->setTextFormat(Qt::PlainText);
    m_notes->setObjectName(u"powerNotes"_s);
    m_notes->setReadOnly(true);
    m_notes->setAccessibleName(tr("Notes"));
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Import Power Recording"));
    layOut();
    // A table that was described before is read in the same way. For a table of unknown format,
    // shows what its columns may be.
    m_describe->setEnabled(m_columns->hasHeaders());
    m_describe->setChecked(m_columns->isDescribedIn(m_tables) || m_columns->mayBeTable());
    showColumns();
    connect(m_columns, &PowerColumnTable::changed, this, &ImportPowerDialog::read);
    connect(m_describe, &QCheckBox::toggled, this, [this] {
        showWhatIsNeeded();
        showColumns();
        read();
    });
    read();
}

void ImportPowerDialog::layOut()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_more = buttons->addButton(tr("More"), QDialogButtonBox::ActionRole);
    m_more->setObjectName(u"powerMore"_s);
    m_more->setCheckable(true);
    connect(m_more, &QPushButton::toggled, this, &ImportPowerDialog::showWhatIsNeeded);
    m_read = buttons->addButton(tr("Read Again"), QDialogButtonBox::ActionRole);
    m_read->setObjectName(u"powerRead"_s);
    m_import = buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole);
    m_import->setObjectName(u"powerImport"_s);
    connect(m_read, &QPushButton::clicked, this, &ImportPowerDialog::read);
    connect(m_import, &QPushButton::clicked, this, &ImportPowerDialog::store);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* requests = new QHBoxLayout;
    auto* browse = new QPushButton(tr("Browse…"), this);
    browse->setObjectName(u"powerBrowseRequests"_s);
    connect(browse, &QPushButton::clicked, this, &ImportPowerDialog::browseRequests);
    requests->addWidget(m_requests, 1);
    requests->addWidget(browse);
    auto* values = new QHBoxLayout(m_missing);
    values->setContentsMargins(0, 0, 0, 0);
    values->addWidget(new QLabel(tr("Where the file does not say:"), m_missing));
    values->addWidget(m_unit);
    values->addWidget(m_period);
    values->addWidget(m_zone);
    auto* clocks = new QHBoxLayout;
    clocks->addWidget(m_offset);
    clocks->addWidget(m_align);
    clocks->addStretch();
    auto* form = new QFormLayout(m_details);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Requests:"), requests);
    form->addRow(tr("Clock:"), clocks);
    form->addRow(m_rails);
    form->addRow(m_notes);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(m_chart, 3);
    layout->addWidget(m_missing);
    layout->addWidget(m_describe);
    layout->addWidget(m_columns, 2);
    layout->addWidget(m_details, 3);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    layout->addStretch();
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 36);
    showWhatIsNeeded();
}

ImportPowerDialog::~ImportPowerDialog()
{
    m_cancel.cancel();
    if (m_thread)
        m_thread->wait();
    delete m_thread;
}

void ImportPowerDialog::buildFields()
{
    m_requests->setObjectName(u"powerRequests"_s);
    m_requests->setAccessibleName(tr("File of the requests"));
    m_requests->setPlaceholderText(
        tr("vLLM result, usage as JSON lines, llama-bench, log of llama-server, CSV"));
    m_unit->setObjectName(u"powerUnit"_s);
    m_unit->setAccessibleName(tr("Unit"));
    m_unit->addItem(tr("Unit: as stated"), QString());
    for (const char* unit : {"W", "mW", "uW", "kW", "J", "mJ", "Wh", "kWh"})
        m_unit->addItem(QString::fromLatin1(unit), QString::fromLatin1(unit));
    m_period->setObjectName(u"powerPeriod"_s);
    m_period->setPlaceholderText(tr("Interval of the rows in s"));
    m_period->setAccessibleName(tr("Interval of the rows in s"));
    m_zone->setObjectName(u"powerZone"_s);
    m_zone->setPlaceholderText(tr("Time zone: +02:00, Europe/Berlin"));
    m_zone->setAccessibleName(tr("Time zone"));
    m_offset->setObjectName(u"powerOffset"_s);
    m_offset->setPlaceholderText(tr("Seconds to add"));
    m_offset->setAccessibleName(tr("Seconds to add to the times of the power"));
    m_align->setObjectName(u"powerAlign"_s);
    m_align->setToolTip(tr("Finds the difference of the clocks from the load and the power."));
    m_describe->setObjectName(u"powerDescribe"_s);
    connect(m_unit, &QComboBox::activated, this, &ImportPowerDialog::read);
    connect(m_align, &QCheckBox::toggled, this, &ImportPowerDialog::read);
    for (QLineEdit* edit : {m_requests, m_period, m_zone, m_offset})
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
            if (edit->isModified()) {
                edit->setModified(false);
                read();
            }
        });
}

void ImportPowerDialog::browseRequests()
{
    auto* dialog = makeFileDialog(this, tr("Requests"), u"powerRequestsFile"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_requests->setText(file);
        read();
    });
    dialog->open();
}

Result<session::PowerImportOptions> ImportPowerDialog::options() const
{
    session::PowerImportOptions options{.power = m_power};
    if (!m_requests->text().isEmpty())
        options.requests = toPath(m_requests->text());
    options.read.unit = m_unit->currentData().toString().toStdString();
    bool valid = true;
    if (!m_period->text().isEmpty()) {
        options.read.period_s = m_period->text().replace(u',', u'.').toDouble(&valid);
        if (!valid || !(*options.read.period_s > 0.0))
            return Error{ErrorCode::InvalidInput,
                         tr("The interval of the rows must be a number of seconds.").toStdString()};
    }
    if (!m_zone->text().isEmpty()) {
        auto zone = session::zoneFrom(m_zone->text().toStdString());
        if (!zone)
            return zone.error();
        options.read.to_utc = *std::move(zone);
    }
    options.find_offset = m_align->isChecked() && !m_requests->text().isEmpty();
    if (!options.find_offset && !m_offset->text().isEmpty()) {
        options.offset_s = m_offset->text().replace(u',', u'.').toDouble(&valid);
        if (!valid)
            return Error{
                ErrorCode::InvalidInput,
                tr("The difference of the clocks must be a number of seconds.").toStdString()};
    }
    if (m_describe->isChecked())
        options.read.description = m_columns->description();
    return options;
}

void ImportPowerDialog::setBusy(bool busy)
{
    m_progress->setVisible(busy);
    m_import->setEnabled(!busy && m_outcome && *m_outcome);
}

// A question only where something is missing, and the details for whoever asks.
void ImportPowerDialog::showWhatIsNeeded()
{
    const bool more = m_more->isChecked();
    const bool problem = !m_thread && m_outcome && !*m_outcome;
    m_chart->setVisible(!problem);
    m_missing->setVisible(more || problem);
    m_describe->setVisible(more || problem || m_describe->isChecked());
    m_columns->setVisible(more || m_describe->isChecked());
    m_details->setVisible(more);
    m_read->setVisible(more);
}

void ImportPowerDialog::read()
{
    if (m_thread) {
        m_again = true;
        m_cancel.cancel();
        return;
    }
    auto asked = options();
    if (!asked) {
        m_outcome = std::make_shared<Outcome>(asked.error());
        showProblem(asked.error());
        return;
    }
    m_cancel = CancelToken();
    asked->read.cancel = m_cancel;
    // The thread ends before the dialog, which waits for it. A portion is one megabyte.
    asked->read.progress = [this](double fraction, const std::string&) {
        QMetaObject::invokeMethod(
            this,
            [this, fraction] {
                m_progress->setValue(static_cast<int>(std::lround(fraction * 1000)));
            },
            Qt::QueuedConnection);
    };
    m_outcome = std::make_shared<Outcome>(Error{});
    setBusy(true);
    m_thread = QThread::create([this, outcome = m_outcome, asked = *asked] {
        *outcome = session::importPower(asked);
        m_history = *outcome ? runEnergyOf(RunPtr(outcome, &(**outcome).run)).history : nullptr;
    });
    connect(m_thread, &QThread::finished, this, &ImportPowerDialog::finishReading);
    if (const Status started = startThread(*m_thread); !started) {
        *m_outcome = started.error();
        finishReading();
    }
}

void ImportPowerDialog::finishReading()
{
    m_thread->wait();
    delete std::exchange(m_thread, nullptr);
    if (std::exchange(m_again, false)) {
        read();
        return;
    }
    setBusy(false);
    if (*m_outcome)
        show(**m_outcome);
    else if ((*m_outcome).error().code != ErrorCode::Cancelled)
        showProblem((*m_outcome).error());
}

void ImportPowerDialog::showProblem(const Error& problem)
{
    m_import->setEnabled(false);
    m_rails->setRowCount(0);
    m_notes->clear();
    m_summary->setText(term(problem.message));
    showWhatIsNeeded();
}

void ImportPowerDialog::show(const session::PowerImport& preview)
{
    const powerlog::Recording& recording = preview.recording;
    m_summary->setText(tr("%1: %2, %3 rows. Verdict: %4.")
                           .arg(pathText(m_power.filename()), toQString(recording.format_title),
                                QString::number(recording.rows), verdictText(recording.verdict())));
    m_controller->setRun(RunPtr(m_outcome, &preview.run));
    m_chart->setHistory(m_history);
    showWhatIsNeeded();
    showRails(*m_rails, recording);
    if (!m_describe->isChecked())
        m_columns->showUse(recording.columns);
    QStringList notes;
    for (const session::ImportedPhase& phase : preview.phases) {
        if (phase.joules)
            notes << phaseEnergyText(phase);
        else if (!phase.refusal.empty())
            notes << term(phase.refusal);
    }
    for (const Message& note : preview.notes)
        notes << term(note);
    m_notes->setPlainText(notes.join(u'\n'));
}

// Lets the user describe the columns; otherwise show() fills in those of the format.
void ImportPowerDialog::showColumns()
{
    if (m_describe->isChecked())
        m_columns->describe(m_tables);
    else
        m_columns->setRowCount(0);
}

void ImportPowerDialog::store()
{
    if (m_thread || !m_outcome || !*m_outcome)
        return;
    if (m_describe->isChecked())
        Q_EMIT described(m_columns->describedIn(m_tables));
    m_import->setEnabled(false);
    const auto status = std::make_shared<Status>();
    m_thread = QThread::create([status, outcome = m_outcome, database = m_database] {
        const auto opened = store::Store::open(database);
        if (!opened) {
            *status = opened.error();
            return;
        }
        if (const auto added = (*opened)->importRun((**outcome).run); !added)
            *status = added.error();
    });
    const auto finish = [this, status] {
        m_thread->wait();
        delete std::exchange(m_thread, nullptr);
        if (!*status) {
            showProblem(status->error());
            return;
        }
        Q_EMIT imported(toQString((**m_outcome).run.info.id));
        accept();
    };
    connect(m_thread, &QThread::finished, this, finish);
    if (*status = startThread(*m_thread); !*status)
        finish();
}

} // namespace ep::ui
