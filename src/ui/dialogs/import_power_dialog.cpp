// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/import_power_dialog.h"

#include "models/selected_figures.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

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
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>

#include <algorithm>
#include <array>
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

// The energy with its interval, which shows how precisely the recording places the phase's ends.
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

void setCell(QTableWidget& table, int row, int column, const QString& text)
{
    table.setItem(row, column, new QTableWidgetItem(text));
}

// The roles that a user can assign to a column, with their units.
constexpr std::array<std::pair<const char*, const char*>, 9> kChoices{
    {{"ignore", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "not read")},
     {"time", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "time")},
     {"start", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "start of a window")},
     {"length", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "length of a window")},
     {"power", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "power at an instant")},
     {"mean power", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "mean power of a window")},
     {"energy", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "energy of a window")},
     {"counter", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "running total of energy")},
     {"device", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "device")}}};

// Tables are recognised by their headers.
QString keyOf(const std::vector<std::string>& headers)
{
    QStringList names;
    for (const std::string& header : headers)
        names << toQString(header);
    return names.join(u'\n');
}

} // namespace

void setUpTable(QTableWidget& table, const QString& name, const QStringList& titles)
{
    table.setColumnCount(static_cast<int>(titles.size()));
    table.setObjectName(name);
    table.setHorizontalHeaderLabels(titles);
    table.verticalHeader()->hide();
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::NoSelection);
    table.horizontalHeader()->setStretchLastSection(true);
    table.resizeColumnsToContents(); // so that an empty table shows its titles
}

void showRails(QTableWidget& table, const powerlog::Recording& recording)
{
    table.setRowCount(static_cast<int>(recording.rails.size()));
    int row = 0;
    for (const powerlog::RailRecording& rail : recording.rails) {
        setCell(table, row, 0, toQString(rail.name));
        setCell(table, row, 1,
                rail.poor
                    ? toQString(kMissingText)
                    : toQString(formatEnergy(Millijoules{rail.joules * kMillijoulesPerJoule})));
        setCell(table, row, 2, term(powerlog::title(rail.rule)));
        setCell(table, row, 3, QString::number(rail.samples));
        setCell(table, row, 4, toQString(formatDuration(std::llround(rail.covered_s * 1e9))));
        ++row;
    }
    table.resizeColumnsToContents();
}

PowerColumnTable::PowerColumnTable(std::filesystem::path file, QWidget* parent)
    : QTableWidget(parent)
    , m_file(std::move(file))
    , m_headers(powerlog::tableHeaders(m_file))
{
    setUpTable(*this, u"powerColumns"_s, {tr("Column"), tr("Meaning"), tr("Unit")});
    setAccessibleName(tr("Columns"));
}

bool PowerColumnTable::isDescribedIn(const QByteArray& tables) const
{
    return hasHeaders() && QJsonDocument::fromJson(tables).object().contains(keyOf(m_headers));
}

bool PowerColumnTable::mayBeTable() const
{
    if (!hasHeaders() || powerlog::isRecording(m_file))
        return false;
    bool time = false;
    bool value = false;
    for (const powerlog::DescribedColumn& column : powerlog::guessTable(m_file)) {
        time = time || column.role == "time" || column.role == "start";
        value =
            value || column.role == "power" || column.role == "energy" || column.role == "counter";
    }
    return time && value;
}

void PowerColumnTable::showUse(const std::vector<powerlog::ColumnUse>& columns)
{
    setRowCount(static_cast<int>(columns.size()));
    int row = 0;
    for (const powerlog::ColumnUse& column : columns) {
        setCell(*this, row, 0, toQString(column.header));
        setCell(*this, row, 1, term(column.meaning));
        setCell(*this, row, 2, {});
        ++row;
    }
    resizeColumnsToContents();
}

void PowerColumnTable::describe(const QByteArray& tables)
{
    setRowCount(0);
    const auto guess = powerlog::guessTable(m_file);
    std::vector<std::string> headers;
    for (const powerlog::DescribedColumn& column : guess)
        headers.push_back(column.header);
    const auto known = QJsonDocument::fromJson(tables).object().value(keyOf(headers)).toArray();
    setRowCount(static_cast<int>(headers.size()));
    for (int row = 0; row < static_cast<int>(headers.size()); ++row) {
        const powerlog::DescribedColumn& guessed = guess[static_cast<std::size_t>(row)];
        setCell(*this, row, 0, toQString(guessed.header));
        const QJsonObject stored = row < known.size()
            ? known.at(row).toObject()
            : QJsonObject{{u"role"_s, toQString(guessed.role)}};
        auto* role = named(new QComboBox(this), u"powerRole%1"_s.arg(row), tr("Meaning"));
        for (const auto& [id, text] : kChoices)
            role->addItem(tr(text), QString::fromLatin1(id));
        role->setCurrentIndex(std::max(0, role->findData(stored.value("role"_L1).toString())));
        setCellWidget(row, 1, role);
        auto* unit = named(new QComboBox(this), u"powerColumnUnit%1"_s.arg(row), tr("Unit"));
        for (const char* text : {"", "W", "mW", "uW", "kW", "J", "mJ", "Wh", "kWh", "s", "ms"})
            unit->addItem(QString::fromLatin1(text));
        unit->setCurrentText(stored.value("unit"_L1).toString());
        setCellWidget(row, 2, unit);
        connect(role, &QComboBox::activated, this, &PowerColumnTable::changed);
        connect(unit, &QComboBox::activated, this, &PowerColumnTable::changed);
    }
    resizeColumnsToContents();
}

powerlog::Description PowerColumnTable::description() const
{
    powerlog::Description columns;
    for (int row = 0; row < rowCount(); ++row) {
        const auto* role = qobject_cast<QComboBox*>(cellWidget(row, 1));
        const auto* unit = qobject_cast<QComboBox*>(cellWidget(row, 2));
        if (role == nullptr || unit == nullptr)
            continue;
        columns.push_back({item(row, 0)->text().toStdString(),
                           role->currentData().toString().toStdString(),
                           unit->currentText().toStdString()});
    }
    return columns;
}

QByteArray PowerColumnTable::describedIn(const QByteArray& tables) const
{
    QJsonArray columns;
    std::vector<std::string> headers;
    for (const powerlog::DescribedColumn& column : description()) {
        headers.push_back(column.header);
        columns.append(
            QJsonObject{{u"role"_s, toQString(column.role)}, {u"unit"_s, toQString(column.unit)}});
    }
    QJsonObject all = QJsonDocument::fromJson(tables).object();
    all.insert(keyOf(headers), columns);
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

ImportPowerDialog::ImportPowerDialog(std::filesystem::path power, std::filesystem::path database,
                                     QByteArray tables, QWidget* parent)
    : QDialog(parent)
    , m_power(std::move(power))
    , m_database(std::move(database))
    , m_tables(std::move(tables))
    , m_requests(named(new QLineEdit(this), u"powerRequests"_s, tr("File of the requests")))
    , m_unit(named(new QComboBox(this), u"powerUnit"_s, tr("Unit")))
    , m_period(named(new QLineEdit(this), u"powerPeriod"_s, tr("Interval of the rows in s")))
    , m_zone(named(new QLineEdit(this), u"powerZone"_s, tr("Time zone")))
    , m_offset(named(new QLineEdit(this), u"powerOffset"_s,
                     tr("Seconds to add to the times of the power")))
    , m_align(named(new QCheckBox(tr("Align the clocks"), this), u"powerAlign"_s))
    , m_describe(named(new QCheckBox(tr("Describe the columns myself"), this), u"powerDescribe"_s))
    , m_summary(wrapped(named(new QLabel(this), u"powerSummary"_s)))
    , m_controller(new SelectionController(this))
    , m_chart(named(new PowerTimeline(this), u"powerCurve"_s))
    , m_missing(new QWidget(this))
    , m_details(new QWidget(this))
    , m_rails(new QTableWidget(this))
    , m_columns(new PowerColumnTable(m_power, this))
    , m_notes(named(new QPlainTextEdit(this), u"powerNotes"_s, tr("Notes")))
    , m_progress(new QProgressBar(this))
{
    prepareDialog(*this, u"importPowerDialog"_s, tr("Import Power Recording"));
    setUpTable(*m_rails, u"powerRails"_s,
               {tr("Rail"), tr("Energy"), tr("Rule of the sum"), tr("Samples"), tr("Covered")});
    m_rails->setAccessibleName(tr("Rails"));
    buildFields();
    setType(*m_summary, TypeSize::Title, true);
    m_chart->setController(m_controller);
    m_notes->setReadOnly(true);
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
    m_more = named(buttons->addButton(tr("More"), QDialogButtonBox::ActionRole), u"powerMore"_s);
    m_more->setCheckable(true);
    connect(m_more, &QPushButton::toggled, this, &ImportPowerDialog::showWhatIsNeeded);
    m_read =
        named(buttons->addButton(tr("Read Again"), QDialogButtonBox::ActionRole), u"powerRead"_s);
    m_import =
        named(buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole), u"powerImport"_s);
    connect(m_read, &QPushButton::clicked, this, &ImportPowerDialog::read);
    connect(m_import, &QPushButton::clicked, this, &ImportPowerDialog::store);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* browse = named(new QPushButton(tr("Browse…"), this), u"powerBrowseRequests"_s);
    connect(browse, &QPushButton::clicked, this, &ImportPowerDialog::browseRequests);
    auto* requests = inRow({{m_requests, 1}, browse});
    flush(inRow(
        m_missing,
        {new QLabel(tr("Where the file does not say:"), m_missing), m_unit, m_period, m_zone}));
    auto* clocks = inRow({m_offset, m_align, Stretch{}});
    auto* form = new QFormLayout(m_details);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Requests:"), requests);
    form->addRow(tr("Clock:"), clocks);
    form->addRow(m_rails);
    form->addRow(m_notes);
    inColumn(this,
             {m_summary,
              {m_chart, 3},
              m_missing,
              m_describe,
              {m_columns, 2},
              {m_details, 3},
              m_progress,
              buttons,
              Stretch{}});
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
    m_requests->setPlaceholderText(
        tr("vLLM result, usage as JSON lines, llama-bench, log of llama-server, CSV"));
    m_unit->addItem(tr("Unit: as stated"), QString());
    for (const char* unit : {"W", "mW", "uW", "kW", "J", "mJ", "Wh", "kWh"})
        m_unit->addItem(QString::fromLatin1(unit), QString::fromLatin1(unit));
    m_period->setPlaceholderText(tr("Interval of the rows in s"));
    m_zone->setPlaceholderText(tr("Time zone: +02:00, Europe/Berlin"));
    m_offset->setPlaceholderText(tr("Seconds to add"));
    m_align->setToolTip(tr("Finds the difference of the clocks from the load and the power."));
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

// Asks only for missing facts, and shows details only on request.
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
    asked->read.progress = [this](double fraction, const Message&) {
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
    m_storing.start(
        [outcome = m_outcome, database = m_database]() -> Status {
            const auto opened = store::Store::open(database);
            if (!opened)
                return opened.error();
            const auto added = (*opened)->importRun((**outcome).run);
            return added ? Status() : Status(added.error());
        },
        [this, outcome = m_outcome](const Status& stored) {
            if (!stored)
                return showProblem(stored.error());
            Q_EMIT imported(toQString((**outcome).run.info.id));
            accept();
        });
}

} // namespace ep::ui
