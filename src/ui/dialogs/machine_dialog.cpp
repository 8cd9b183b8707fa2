// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/machine_dialog.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/chip.h"
#include "widgets/flow_layout.h"

#include "ep/core/format.h"
#include "ep/core/machine_record.h"
#include "ep/session/environment.h"
#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"

#include <QClipboard>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStringList>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

class QWidget;

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QTableWidget* constantsTable(const QString& name, const QString& title, const QStringList& columns,
                             QWidget* parent)
{
    auto* table = named(new QTableWidget(0, static_cast<int>(columns.size()), parent), name, title);
    table->setHorizontalHeaderLabels(columns);
    prepareTable(*table);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

// Fills a row: the first and last text are aligned left, the figures between them right.
void fillRow(QTableWidget& table, int row, const QStringList& texts)
{
    for (int column = 0; column < texts.size(); ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        if (column > 0 && column + 1 < table.columnCount())
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table.setItem(row, column, item);
    }
}

// "12.3 ± 0.4 pJ" for a constant times the scale; a dash if it is missing.
QString constantText(const std::optional<MeasuredConstant>& constant, double scale,
                     const QString& unit)
{
    if (!constant)
        return missingText();
    return toQString(formatSignificant(scale * constant->value)) + u" ± "_s
        + toQString(formatSignificant(scale * kHalfInterval95 * constant->sd, 2)) + u' ' + unit;
}

constexpr double kLoadTestSeconds = 5.0;
constexpr int kPartsWidth = 28 * kGrid;
constexpr int kMachineProgressSteps = 1000;
// The steps of Make Ready, and about how many seconds each takes.
constexpr std::array kPreparations{std::pair{MachinePart::Limits, 10},
                                   std::pair{MachinePart::Calibration, 180},
                                   std::pair{MachinePart::SelfTest, 20}};

// Index into sensorHeadings(): sensors that work, then those of this platform, then those that
// measure nothing here, then those of other platforms.
std::size_t placeOf(const session::SensorCheck& check)
{
    constexpr std::array<std::string_view, 3> kNoSensors{"replay", "modelled", "none"};
    if (std::ranges::find(kNoSensors, check.report.kind) != kNoSensors.end())
        return 2;
    if (check.report.available)
        return 0;
    return check.report.elsewhere ? 3 : 1;
}

std::array<QString, 4> sensorHeadings()
{
    return {MachineDialog::tr("Sensors of this machine"),
            MachineDialog::tr("Sensors that cannot be read here"),
            MachineDialog::tr("Without a sensor"), MachineDialog::tr("Sensors of other platforms")};
}

QString kindPercentText(double share)
{
    return toQString(formatPercent(share));
}

QPlainTextEdit* fixedText(const QString& id, const QString& name, QWidget* parent)
{
    auto* text = named(new QPlainTextEdit(parent), id, name);
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    return text;
}

QPushButton* partButton(const QString& id, const QString& text, QWidget* page)
{
    auto* button = named(new QPushButton(text, page), id);
    button->setAutoDefault(false);
    page->layout()->addWidget(button);
    page->layout()->setAlignment(button, Qt::AlignLeft);
    return button;
}

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

QString milliseconds(double value)
{
    return toQString(formatSignificant(value)) + u" ms"_s;
}

QString railsText(const std::vector<Rail>& rails)
{
    QStringList names;
    for (const Rail rail : rails)
        names << toQString(name(rail));
    return names.join(u", "_s);
}

QString delayText(const energy::Offset& offset)
{
    const auto ms = [](double value) { return milliseconds(value).toStdString(); };
    return milliseconds(toMilliseconds(offset.ns)) + u' '
        + toQString(formatInterval95(offset.sd_ns / 1e6, ms));
}

// Removes the advice at the end, which the verdict above already gives.
QString withoutAdvice(const QString& explanation)
{
    const QString advice = SensorCard::tr("; choose another power source.");
    return explanation.endsWith(advice) ? explanation.chopped(advice.size()) + u'.' : explanation;
}

// Can be selected, since people copy commands and paths.
QLabel* paragraph(const QString& id, const QString& text, QWidget* parent)
{
    auto* label = wrapped(named(new QLabel(text, parent), id));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

QString sensorTitle(const power::SourceReport& source)
{
    return term(source.title) + QStringLiteral(" (") + toQString(source.kind) + u')';
}

SensorCard::SensorCard(const session::SensorCheck& check, QWidget* parent)
    : QWidget(parent)
{
    const power::SourceReport& source = check.report;
    setObjectName(u"sensor-"_s + toQString(source.kind));
    setAccessibleName(sensorTitle(source));
    auto* column = inColumn(this, {head(check)});
    column->setContentsMargins(0, kGrid, 0, kGrid);
    column->setSpacing(kHalfGrid);
    QString explanation = withoutAdvice(term(source.explanation));
    if (source.available && !source.gain.empty())
        explanation += u' ' + tr("Systematic error: %1.").arg(term(source.gain));
    for (const auto& [id, text] : {std::pair{u"explanation"_s, explanation},
                                   {u"remedy"_s, term(source.remedy)},
                                   {u"problem"_s, term(check.problem)}}) {
        if (!text.isEmpty())
            column->addWidget(paragraph(id, text, this));
    }
    if (source.available)
        column->addWidget(facts(check));
}

QWidget* SensorCard::head(const session::SensorCheck& check)
{
    const bool works = check.report.available && check.problem.empty();
    auto* row = new QWidget(this);
    auto* name = named(new QLabel(sensorTitle(check.report), row), u"title"_s);
    setType(*name, TypeSize::Body, true);
    auto* state = named(new Chip(row), u"state"_s);
    state->showFact(works                        ? tr("available")
                        : check.report.available ? tr("delivers nothing")
                                                 : tr("not available"),
                    {},
                    works                        ? Chip::Tone::Good
                        : check.report.available ? Chip::Tone::Doubtful
                                                 : Chip::Tone::Plain);
    flush(inRow(row, {name, state, Stretch{}}));
    return row;
}

QWidget* SensorCard::facts(const session::SensorCheck& check)
{
    auto* row = new QWidget(this);
    auto* flow = new FlowLayout(row, 2 * kGrid);
    const auto add = [&](const QString& id, const QString& title, const QString& value) {
        if (value.isEmpty())
            return;
        auto* fact = new QWidget(row);
        auto* caption = new QLabel(title, fact);
        setType(*caption, TypeSize::Small);
        setMuted(*caption);
        auto* figure = named(new QLabel(value, fact), id, title);
        auto* column = new QVBoxLayout(fact);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(caption);
        column->addWidget(figure);
        flow->addWidget(fact);
    };
    const power::SourceReport& source = check.report;
    add(u"rails"_s, tr("Rails"), railsText(source.rails));
    add(u"resolution"_s, tr("Resolution"), term(source.resolution));
    if (!check.quality)
        return row;
    add(u"interval"_s, tr("Interval"), milliseconds(check.quality->median_interval_ms));
    add(u"idle"_s, tr("Idle"), powerText(check.idle_mw));
    add(u"load"_s, tr("Load"), powerText(check.load_mw));
    add(u"delay"_s, tr("Delay"), delayText(check.offset));
    add(u"agreement"_s, tr("Agreement"),
        check.agreement
            ? tr("%1 of %2")
                  .arg(toQString(formatPercent(*check.agreement)), toQString(check.reference))
            : missingText());
    return row;
}

MachineDialog::MachineDialog(MachineServices services, QWidget* parent)
    : QDialog(parent)
    , m_services(std::move(services))
    , m_parts(named(new QListWidget(this), u"machineParts"_s, tr("This Machine")))
    , m_pages(new QStackedWidget(this))
    , m_what(wrapped(named(new QLabel(this), u"machineState"_s)))
    , m_progress(new QProgressBar(this))
{
    prepareDialog(*this, u"machineDialog"_s, tr("This Machine"));
    m_parts->setWordWrap(true);
    m_parts->setFixedWidth(kPartsWidth);
    m_parts->setSpacing(kHalfGrid);
    buildSensors();
    buildLimits();
    buildCalibration();
    buildSelfTest();
    buildDiagnostics();
    connect(m_parts, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    m_ready = named(buttons->addButton(QString(), QDialogButtonBox::ActionRole), u"machineReady"_s);
    connect(m_ready, &QPushButton::clicked, this, &MachineDialog::makeReady);

    auto* row = inRow({m_parts, {m_pages, 1}});
    inColumn(this, {{row, 1}, m_progress, m_what, buttons});
    resize(fontMetrics().averageCharWidth() * 140, fontMetrics().lineSpacing() * 34);
    m_parts->setCurrentRow(0);
    readStored();
    request(MachinePart::Sensors);
    request(MachinePart::Diagnostics);
}

QWidget* MachineDialog::addPart(MachinePart part, const QString& title, const QString& explanation)
{
    auto* item = new QListWidgetItem(m_parts);
    item->setData(Qt::UserRole, title);
    setState(part, {});
    auto* page = new QWidget(this);
    auto* column = flush(new QVBoxLayout(page));
    auto* label = wrapped(new QLabel(explanation, page));
    label->setVisible(!explanation.isEmpty());
    column->addWidget(label);
    m_pages->addWidget(page);
    return page;
}

QPushButton* MachineDialog::addStart(MachinePart part, const QString& id, const QString& text)
{
    QPushButton* button = partButton(id, text, m_pages->widget(static_cast<int>(part)));
    connect(button, &QPushButton::clicked, this, [this, part] { request(part); });
    m_starts.push_back(button);
    return button;
}

void MachineDialog::buildSensors()
{
    QWidget* page = addPart(MachinePart::Sensors, tr("Sensors"), {});
    m_cards = named(new QScrollArea(page), u"sensorCards"_s, tr("Power sources"));
    m_cards->setFrameShape(QFrame::NoFrame);
    m_cards->setWidgetResizable(true);
    static_cast<QVBoxLayout*>(page->layout())->addWidget(m_cards, 1);
    m_modelled = partButton(u"sensorUseModelled"_s, tr("Use Modelled"), page);
    m_modelled->hide();
    connect(m_modelled, &QPushButton::clicked, this, [this] {
        Q_EMIT modelledRequested();
        accept();
    });
    QPushButton* load =
        addStart(MachinePart::Sensors, u"sensorMeasure"_s, tr("&Run 5 s Load Test"));
    connect(load, &QPushButton::pressed, this, [this] { m_loadSeconds = kLoadTestSeconds; });
}

void MachineDialog::buildLimits()
{
    QWidget* page = addPart(
        MachinePart::Limits, tr("Limits"),
        tr("Measures how fast this machine computes and reads memory in each number format, and "
           "what that costs. Runs are explained by comparison with it. It takes about ten seconds: "
           "close other programs."));
    m_limits =
        constantsTable(u"limitsTable"_s, tr("Limits of this machine"),
                       {tr("Machine"), tr("Format"), tr("Memory"), tr("Arithmetic"), tr("Per byte"),
                        tr("Per FLOP"), tr("Static power"), tr("Power source")},
                       page);
    static_cast<QVBoxLayout*>(page->layout())->addWidget(m_limits, 1);
    addStart(MachinePart::Limits, u"limitsStart"_s, tr("&Measure"));
}

void MachineDialog::buildCalibration()
{
    QWidget* page = addPart(
        MachinePart::Calibration, tr("Calibration"),
        tr("Repeats each kind of component of %1 alone and measures what it costs; later runs of "
           "the model on this machine are split by that. It takes some minutes: close other "
           "programs, and connect a laptop to its power supply.")
            .arg(m_services.model));
    m_kinds = constantsTable(u"calibrationKinds"_s, tr("Kinds of components"),
                             {tr("Component"), tr("Share of a token"), tr("Energy"), tr("Per byte"),
                              tr("Twice in a token"), tr("Not used because")},
                             page);
    static_cast<QVBoxLayout*>(page->layout())->addWidget(m_kinds, 1);
    addStart(MachinePart::Calibration, u"calibrationStart"_s, tr("C&alibrate"));
}

void MachineDialog::buildSelfTest()
{
    QWidget* page = addPart(MachinePart::SelfTest, tr("Self-Test"),
                            tr("Checks all that the program needs of this machine; it takes less "
                               "than two minutes."));
    m_checks = fixedText(u"selfTestLines"_s, tr("Checks"), page);
    static_cast<QVBoxLayout*>(page->layout())->addWidget(m_checks, 1);
    addStart(MachinePart::SelfTest, u"selfTestStart"_s, tr("&Test"));
    m_copyChecks = partButton(u"selfTestCopy"_s, tr("&Copy as JSON"), page);
    m_copyChecks->setEnabled(false);
    connect(m_copyChecks, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_checksJson); });
    setState(MachinePart::SelfTest, tr("Not run yet."));
}

void MachineDialog::buildDiagnostics()
{
    QWidget* page = addPart(
        MachinePart::Diagnostics, tr("Diagnostics"),
        tr("This is the complete report: it contains no prompts, responses or names of runs. "
           "Read it, then save or copy it; nothing is sent anywhere."));
    m_report = fixedText(u"diagnosticsText"_s, tr("Contents of the report"), page);
    static_cast<QVBoxLayout*>(page->layout())->addWidget(m_report, 1);
    m_saveReport = partButton(u"diagnosticsSave"_s, tr("&Save…"), page);
    m_copyReport = partButton(u"diagnosticsCopy"_s, tr("C&opy"), page);
    for (QPushButton* button : {m_saveReport, m_copyReport})
        button->setEnabled(false);
    connect(m_saveReport, &QPushButton::clicked, this, &MachineDialog::saveDiagnostics);
    connect(m_copyReport, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_report->toPlainText()); });
    setState(MachinePart::Diagnostics, tr("For a bug report"));
}

void MachineDialog::showPart(MachinePart part)
{
    m_parts->setCurrentRow(static_cast<int>(part));
}

QString MachineDialog::stateOf(MachinePart part) const
{
    return m_parts->item(static_cast<int>(part))->text().section(u'\n', 1);
}

void MachineDialog::setState(MachinePart part, const QString& state)
{
    QListWidgetItem* item = m_parts->item(static_cast<int>(part));
    item->setText(item->data(Qt::UserRole).toString() + u'\n' + state);
    // A list measures its items without the spacing beside them, which costs long texts a line.
    const QRect text = m_parts->fontMetrics().boundingRect(
        {0, 0, kPartsWidth - 4 * kGrid, QWIDGETSIZE_MAX}, Qt::TextWordWrap, item->text());
    item->setSizeHint({text.width(), text.height() + kGrid});
}

void MachineDialog::request(MachinePart part)
{
    m_queue.push_back(part);
    next();
}

void MachineDialog::next()
{
    updateButtons();
    if (m_running || m_queue.empty())
        return;
    const MachinePart part = m_queue.front();
    m_queue.pop_front();
    Step step = stepOf(part);
    if (!step)
        return next();
    m_running = part;
    updateButtons();
    m_progress->setRange(0, 0); // its duration is not known yet
    m_job.start(
        *this, std::move(step),
        [this](double fraction, const Message& what) {
            m_progress->setRange(0, kMachineProgressSteps);
            m_progress->setValue(static_cast<int>(std::lround(fraction * kMachineProgressSteps)));
            m_what->setText(term(what));
        },
        [this, part](const Result<Shown>& shown) {
            m_running.reset();
            m_what->clear();
            if (shown)
                (*shown)();
            else
                setState(part, term(shown.error().message));
            next();
        });
}

MachineDialog::Step MachineDialog::stepOf(MachinePart part)
{
    // Runs the work on the thread of the job, and shows its result on the dialog's thread.
    const auto stepFor = [this](auto work) -> Step {
        if (!work)
            return {};
        return [this, work](const CancelToken& cancel, const ProgressFn& progress) {
            const auto report = work(cancel, progress);
            return report ? Result<Shown>([this, value = *report] { take(value); })
                          : Result<Shown>(report.error());
        };
    };
    switch (part) {
    case MachinePart::Sensors: {
        if (!m_services.examine)
            return {};
        return [this, examine = m_services.examine, seconds = std::exchange(m_loadSeconds, 0.0)](
                   const CancelToken& cancel, const ProgressFn& progress) {
            return Result<Shown>(
                [this, exam = examine(seconds, cancel, progress)] { showExam(exam); });
        };
    }
    case MachinePart::Limits:
        return stepFor(m_services.measureLimits);
    case MachinePart::Calibration:
        return stepFor(m_services.calibrate);
    case MachinePart::SelfTest: {
        if (!m_services.selfTest)
            return {};
        m_checks->clear();
        return [this, test = m_services.selfTest](const CancelToken& cancel, const ProgressFn&) {
            const auto report = test(cancel, [this](const session::SelfCheck& check) {
                QMetaObject::invokeMethod(
                    this,
                    [this, line = toQString(session::lineOf(check))] {
                        m_checks->appendPlainText(line);
                    },
                    Qt::QueuedConnection);
            });
            return Result<Shown>([this, report] { take(report); });
        };
    }
    case MachinePart::Diagnostics:
        break;
    }
    if (!m_services.diagnostics)
        return {};
    return [this, collect = m_services.diagnostics](const CancelToken&, const ProgressFn&) {
        return Result<Shown>([this, text = toQString(collect())] {
            m_report->setPlainText(text);
            for (QPushButton* button : {m_saveReport, m_copyReport})
                button->setEnabled(true);
        });
    };
}

bool MachineDialog::isMissing(MachinePart part) const
{
    switch (part) {
    case MachinePart::Limits:
        return !m_limitsKnown;
    case MachinePart::Calibration:
        return !m_calibrated && !m_services.model.isEmpty();
    case MachinePart::SelfTest:
        return !m_tested;
    case MachinePart::Sensors:
    case MachinePart::Diagnostics:
        break;
    }
    return false;
}

void MachineDialog::makeReady()
{
    for (const auto& [part, seconds] : kPreparations) {
        if (isMissing(part))
            m_queue.push_back(part);
    }
    next();
}

void MachineDialog::updateButtons()
{
    int needed = 0;
    for (const auto& [part, seconds] : kPreparations)
        needed += isMissing(part) ? seconds : 0;
    constexpr int kSecondsPerMinute = 60;
    m_ready->setText(needed == 0 ? tr("Ready")
                         : needed < kSecondsPerMinute
                         ? tr("Make &Ready (about %1 s)").arg(needed)
                         : tr("Make &Ready (about %1 min)")
                               .arg((needed + kSecondsPerMinute - 1) / kSecondsPerMinute));
    const bool idle = !m_running && m_queue.empty();
    m_ready->setEnabled(idle && needed > 0);
    for (QPushButton* start : m_starts)
        start->setEnabled(idle);
    m_progress->setVisible(!idle);
}

void MachineDialog::readStored()
{
    setState(MachinePart::Limits, tr("Not measured yet."));
    setState(MachinePart::Calibration, tr("This machine was not calibrated with this model yet."));
    const auto store = store::Store::openToRead(m_services.database);
    if (!store)
        return;
    if (const auto machines = (*store)->machines())
        showMachines(*machines);
    const auto records = (*store)->calibrations();
    if (!records)
        return;
    const auto found =
        std::ranges::find(*records, m_services.model.toStdString(), &CalibrationRecord::model);
    if (found == records->end())
        return;
    m_calibrated = true;
    showKinds(*found);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(found->measured_at_ms);
    setState(MachinePart::Calibration,
             tr("Calibrated on %1 with %2.")
                 .arg(QLocale().toString(at, QLocale::ShortFormat), toQString(found->source)));
}

void MachineDialog::showMachines(const std::vector<MachineRecord>& machines)
{
    const std::string own = machineKey(session::readEnvironment());
    QStringList formats;
    m_limits->setRowCount(static_cast<int>(machines.size()));
    for (int row = 0; row < m_limits->rowCount(); ++row) {
        const MachineRecord& machine = machines[static_cast<std::size_t>(row)];
        if (machine.machine == own)
            formats << toQString(machine.dtype);
        fillRow(*m_limits, row,
                {toQString(machine.machine), toQString(machine.dtype),
                 constantText(machine.bytes_per_second, 1e-9, u"GB/s"_s),
                 constantText(machine.flops_per_second, 1e-9, u"GFLOP/s"_s),
                 constantText(machine.joules_per_byte, 1e12, u"pJ"_s),
                 constantText(machine.joules_per_flop, 1e12, u"pJ"_s),
                 constantText(machine.static_watts, 1.0, u"W"_s),
                 machine.source.empty() ? missingText() : toQString(machine.source)});
    }
    m_limits->resizeColumnsToContents();
    m_limitsKnown = !formats.isEmpty();
    if (m_limitsKnown)
        setState(MachinePart::Limits, tr("Measured: %1.").arg(formats.join(u", "_s)));
}

void MachineDialog::showKinds(const CalibrationRecord& record)
{
    std::vector<CalibratedKind> kinds = record.kinds;
    std::ranges::stable_sort(kinds, std::ranges::greater{}, &CalibratedKind::share);
    m_kinds->setRowCount(static_cast<int>(kinds.size()));
    for (int row = 0; row < m_kinds->rowCount(); ++row) {
        const CalibratedKind& kind = kinds[static_cast<std::size_t>(row)];
        const double joules = kind.share * record.token_joules;
        fillRow(*m_kinds, row,
                {toQString(kind.kind),
                 kindPercentText(kind.share) + u" ± "_s
                     + kindPercentText(kHalfInterval95 * kind.tau * kind.share),
                 toQString(formatEnergy(Millijoules{1e3 * joules})),
                 kind.bytes > 0.0
                     ? toQString(formatSignificant(1e12 * joules / kind.bytes)) + u" pJ"_s
                     : missingText(),
                 kind.doubled_share ? kindPercentText(*kind.doubled_share) : missingText(),
                 term(kind.problem)});
    }
    m_kinds->resizeColumnsToContents();
}

void MachineDialog::take(const session::RooflineReport& report)
{
    if (const Status saved = storeLimits(m_services.database, report); !saved)
        return setState(MachinePart::Limits, term(saved.error().message));
    readStored();
    m_limitsKnown = true;
    const QString known = tr("Stored: runs on this machine are now compared with these limits.");
    setState(MachinePart::Limits,
             report.energy_problem.empty() ? known : known + u' ' + term(report.energy_problem));
    Q_EMIT limitsStored();
}

void MachineDialog::take(const session::CalibrationReport& report)
{
    showKinds(report.record);
    if (!report.usable())
        return setState(MachinePart::Calibration, tr("Not used: %1").arg(term(report.refusal)));
    const auto store = store::Store::open(m_services.database);
    const Status saved = store ? (*store)->saveCalibration(report.record) : Status(store.error());
    m_calibrated = saved.has_value();
    setState(MachinePart::Calibration,
             saved ? tr("Calibrated: later runs of this model use it.")
                   : term(saved.error().message));
}

void MachineDialog::take(const session::SelfTestReport& report)
{
    m_checksJson = toQString(session::selfTestJson(report));
    m_copyChecks->setEnabled(true);
    const int failed = report.failed();
    m_tested = failed == 0;
    setState(MachinePart::SelfTest,
             failed == 0 ? tr("All checks that apply to this machine passed.")
                         : tr("%1 of %2 checks failed; each says what to do. Copy the result as "
                              "JSON to report it.")
                               .arg(failed)
                               .arg(report.checks.size()));
}

void MachineDialog::showExam(const session::SensorExam& exam)
{
    std::vector<session::SensorCheck> sources = exam.sources;
    std::ranges::stable_sort(sources, {}, &placeOf);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kGrid, 0, kGrid, 0);
    column->setSpacing(0);
    std::optional<std::size_t> place;
    QStringList working;
    for (const session::SensorCheck& check : sources) {
        if (placeOf(check) == 0 && check.problem.empty())
            working << sensorTitle(check.report);
        if (place != placeOf(check)) {
            place = placeOf(check);
            auto* heading = new QLabel(sensorHeadings()[*place], page);
            setType(*heading, TypeSize::Small, true);
            setMuted(*heading);
            column->addWidget(heading);
        }
        addAll(*column,
               {new SensorCard(check, page), separator(Qt::Horizontal, page), Space{kGrid}});
    }
    column->addStretch();
    const int scrolled = m_cards->verticalScrollBar()->value();
    m_cards->setWidget(page);
    m_cards->verticalScrollBar()->setValue(scrolled);
    // Updates what the cards mean for the next run.
    m_modelled->setVisible(working.isEmpty());
    setState(MachinePart::Sensors,
             working.isEmpty()
                 ? tr("No power sensor works on this computer: Automatic records times and no "
                      "joules. Modelled estimates the power from the processor's utilisation.")
                 : tr("Energy can be measured on this computer: %1.").arg(working.join(u", "_s)));
}

void MachineDialog::saveDiagnostics()
{
    auto* dialog = makeFileDialog(this, tr("Save Diagnostics"), u"diagnosticsFile"_s);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Text (*.txt)"));
    dialog->setDefaultSuffix(u"txt"_s);
    dialog->selectFile(u"energy-profiler-diagnostics.txt"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) {
        const auto problem = writeWhole(name, m_report->toPlainText().toUtf8());
        setState(MachinePart::Diagnostics,
                 problem
                     ? tr("%1 could not be written (%2); choose another place.").arg(name, *problem)
                     : tr("Saved to %1.").arg(name));
    });
    dialog->open();
}

} // namespace ep::ui
