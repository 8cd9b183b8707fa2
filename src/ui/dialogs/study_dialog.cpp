// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/study_dialog.h"

#include "dialogs/study_choices.h"
#include "study_text.h"
#include "text.h"

#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/report.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using session::StudyRunner;

constexpr int kSteps = 1000; // steps of the progress bar
constexpr int kVisibleRows = 5;
constexpr QSize kFirstDialogSize(820, 480);

// A list of check boxes whose item data are the words.
QListWidget* checkList(const QString& id, const QStringList& words, const QStringList& checked,
                       QWidget* parent)
{
    auto* list = new QListWidget(parent);
    list->setObjectName(id);
    for (const QString& word : words) {
        auto* item = new QListWidgetItem(word, list);
        item->setData(Qt::UserRole, word);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(checked.contains(word) ? Qt::Checked : Qt::Unchecked);
    }
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int row = list->count() > 0 ? list->sizeHintForRow(0) : list->fontMetrics().height();
    list->setFixedHeight(row * std::clamp(list->count(), 2, kVisibleRows) + 2 * list->frameWidth()
                         + 4);
    return list;
}

// Checks exactly these words; adds unknown ones, shown without their folder.
void checkWords(QListWidget& list, const std::vector<std::string>& words)
{
    for (int i = 0; i < list.count(); ++i)
        list.item(i)->setCheckState(Qt::Unchecked);
    for (const std::string& word : words) {
        const QString data = toQString(word);
        QListWidgetItem* item = nullptr;
        for (int i = 0; i < list.count(); ++i) {
            if (list.item(i)->data(Qt::UserRole).toString() == data)
                item = list.item(i);
        }
        if (!item) {
            item = new QListWidgetItem(toQString(std::filesystem::path(word).filename().string()),
                                       &list);
            item->setData(Qt::UserRole, data);
            item->setToolTip(data);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        }
        item->setCheckState(Qt::Checked);
        list.scrollToItem(item);
    }
}

QString numbersText(const std::vector<int>& numbers)
{
    QStringList words;
    for (const int number : numbers)
        words << QString::number(number);
    return words.join(u", "_s);
}

std::vector<std::string> checkedWords(const QListWidget& list)
{
    std::vector<std::string> words;
    for (int i = 0; i < list.count(); ++i) {
        if (list.item(i)->checkState() == Qt::Checked)
            words.push_back(list.item(i)->data(Qt::UserRole).toString().toStdString());
    }
    return words;
}

Error missing(const QString& text)
{
    return {ErrorCode::InvalidInput, text.toStdString()};
}

} // namespace

StudyDialog::StudyDialog(session::Backend backend, std::vector<model::ModelListing> models,
                         std::filesystem::path database, QWidget* parent)
    : QDialog(parent)
    , m_backend(std::move(backend))
    , m_known(std::move(models))
    , m_database(std::move(database))
    , m_form(new QWidget(this))
    , m_name(new QLineEdit(tr("study"), m_form))
    , m_prompts(new QPlainTextEdit(m_form))
    , m_batchSizes(new QLineEdit(u"1"_s, m_form))
    , m_outputTokens(new QLineEdit(u"64"_s, m_form))
    , m_repeats(new QSpinBox(m_form))
    , m_order(new QComboBox(m_form))
    , m_seed(new QSpinBox(m_form))
    , m_warmup(new QSpinBox(m_form))
    , m_baseline(new QDoubleSpinBox(m_form))
    , m_coolDown(new QDoubleSpinBox(m_form))
    , m_power(new QComboBox(m_form))
    , m_summary(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_report(new QPlainTextEdit(this))
    , m_save(new QPushButton(tr("&Save As…"), this))
    , m_open(new QPushButton(tr("Open Re&port"), this))
    , m_compare(new QPushButton(tr("&Compare"), this))
    , m_show(new QPushButton(tr("Show in &History"), this))
    , m_run(new QPushButton(tr("&Run"), this))
    , m_close(new QPushButton(tr("Close"), this))
{
    setObjectName(u"studyDialog"_s);
    setWindowTitle(tr("Study"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kFirstDialogSize);
    QStringList names;
    for (const model::ModelListing& listing : m_known) {
        if (listing.supported)
            names << toQString(listing.name);
    }
    m_models = checkList(u"studyModels"_s, names, names.mid(0, 1), m_form);
    m_dtypes = checkList(u"studyDtypes"_s, dtypeWords(), {u"auto"_s}, m_form);
    m_depths =
        checkList(u"studyDepths"_s, {u"none"_s, u"module"_s, u"deep"_s}, {u"module"_s}, m_form);
    m_name->setObjectName(u"studyName"_s);
    m_prompts->setObjectName(u"studyPrompts"_s);
    m_prompts->setPlaceholderText(tr("One prompt per paragraph"));
    m_prompts->setTabChangesFocus(true);
    m_prompts->setFixedHeight(m_prompts->fontMetrics().lineSpacing() * 5);
    m_devices = checkList(u"studyDevices"_s, deviceWords(), {u"auto"_s}, m_form);
    m_batchSizes->setObjectName(u"studyBatchSizes"_s);
    m_outputTokens->setObjectName(u"studyOutputTokens"_s);
    m_repeats->setObjectName(u"studyRepeats"_s);
    m_repeats->setRange(1, 10'000);
    m_repeats->setValue(3);
    m_order->addItem(tr("interleaved"), u"interleaved"_s);
    m_order->addItem(tr("random"), u"random"_s);
    m_order->addItem(tr("as listed"), u"listed"_s);
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setValue(1);
    m_warmup->setRange(0, 100'000);
    m_warmup->setValue(64);
    m_warmup->setSuffix(tr(" tokens at most"));
    m_baseline->setRange(0.0, 3600.0);
    m_baseline->setSuffix(tr(" s"));
    m_coolDown->setRange(0.0, 3600.0);
    m_coolDown->setSuffix(tr(" s"));
    m_power->setObjectName(u"studyPower"_s);
    addPowerSources(*m_power, true);
    m_summary->setObjectName(u"studySummary"_s);
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_progress->setObjectName(u"studyProgress"_s);
    m_progress->setRange(0, kSteps);
    m_progress->hide();
    m_report->setObjectName(u"studyReport"_s);
    m_report->setReadOnly(true);
    m_report->hide();
    m_save->setObjectName(u"studySave"_s);
    m_open->setObjectName(u"studyOpenReport"_s);
    m_open->hide();
    m_compare->setObjectName(u"studyCompare"_s);
    m_compare->hide();
    m_show->setObjectName(u"studyShow"_s);
    m_show->hide();
    m_run->setObjectName(u"studyRun"_s);
    m_run->setDefault(true);
    m_close->setObjectName(u"studyClose"_s);

    auto* left = new QFormLayout;
    left->addRow(tr("Name"), m_name);
    left->addRow(tr("Models"), m_models);
    left->addRow(tr("Prompts"), m_prompts);
    left->addRow(tr("Number formats"), m_dtypes);
    left->addRow(tr("Depths"), m_depths);
    auto* right = new QFormLayout;
    right->addRow(tr("Devices"), m_devices);
    right->addRow(tr("Batch sizes"), m_batchSizes);
    right->addRow(tr("Tokens to generate"), m_outputTokens);
    right->addRow(tr("Repeats"), m_repeats);
    right->addRow(tr("Order"), m_order);
    right->addRow(tr("Shuffle seed"), m_seed);
    right->addRow(tr("Warm-up"), m_warmup);
    right->addRow(tr("Baseline"), m_baseline);
    right->addRow(tr("Pause between runs"), m_coolDown);
    right->addRow(tr("Power source"), m_power);
    auto* columns = new QHBoxLayout(m_form);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_save);
    buttons->addStretch();
    buttons->addWidget(m_show);
    buttons->addWidget(m_open);
    buttons->addWidget(m_compare);
    buttons->addWidget(m_close);
    buttons->addWidget(m_run);
    auto* choices = new QScrollArea(this); // small screens have no room for all of them
    choices->setWidget(m_form);
    choices->setWidgetResizable(true);
    choices->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(choices, 2);
    layout->addWidget(m_summary);
    layout->addWidget(m_progress);
    layout->addWidget(m_report, 1);
    layout->addLayout(buttons);

    const auto changed = [this] { update(); };
    connect(m_name, &QLineEdit::textChanged, this, changed);
    connect(m_batchSizes, &QLineEdit::textChanged, this, changed);
    connect(m_outputTokens, &QLineEdit::textChanged, this, changed);
    connect(m_prompts, &QPlainTextEdit::textChanged, this, changed);
    connect(m_repeats, &QSpinBox::valueChanged, this, changed);
    for (QListWidget* list : {m_models, m_dtypes, m_depths, m_devices})
        connect(list, &QListWidget::itemChanged, this, changed);
    connect(m_save, &QPushButton::clicked, this, &StudyDialog::save);
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(pathText(m_reportFile))); });
    connect(m_compare, &QPushButton::clicked, this,
            [this] { Q_EMIT compareRequested(toQString(m_running->name)); });
    connect(m_show, &QPushButton::clicked, this,
            [this] { Q_EMIT runsRequested(toQString(m_running->name)); });
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_runner)
            stop();
        else
            run();
    });
    connect(m_close, &QPushButton::clicked, this, &StudyDialog::reject);
    update();
}

StudyDialog::~StudyDialog() = default;

void StudyDialog::setSpec(const session::StudySpec& spec)
{
    m_base = spec;
    QStringList prompts;
    for (const session::StudyPrompt& prompt : spec.prompts)
        prompts << toQString(prompt.text);
    m_prompts->setPlainText(prompts.join(u"\n\n"_s));
    m_basePrompts = m_prompts->toPlainText();
    m_name->setText(toQString(spec.name));
    std::vector<std::string> models = spec.models;
    for (std::string& model : models) { // known folders are listed by name
        const auto known =
            std::ranges::find(m_known, std::filesystem::path(model), &model::ModelListing::path);
        if (known != m_known.end())
            model = known->name;
    }
    checkWords(*m_models, models);
    checkWords(*m_dtypes, spec.dtypes);
    std::vector<std::string> depths;
    for (const Depth depth : spec.depths)
        depths.emplace_back(ep::name(depth));
    checkWords(*m_depths, depths);
    checkWords(*m_devices, spec.devices);
    m_batchSizes->setText(numbersText(spec.batch_sizes));
    m_outputTokens->setText(numbersText(spec.output_tokens));
    m_repeats->setValue(spec.repeats);
    m_order->setCurrentIndex(m_order->findData(toQString(name(spec.order))));
    m_seed->setValue(static_cast<int>(spec.seed));
    m_warmup->setValue(spec.warmup_tokens);
    m_baseline->setValue(spec.baseline_seconds);
    m_coolDown->setValue(spec.cool_down_seconds);
    m_power->setCurrentIndex(std::max(0, m_power->findText(toQString(spec.power))));
    update();
}

Result<session::StudySpec> StudyDialog::spec() const
{
    session::StudySpec spec = m_base;
    spec.name = m_name->text().trimmed().toStdString();
    if (spec.name.empty())
        return missing(tr("Give the study a name."));
    spec.models = checkedWords(*m_models);
    if (spec.models.empty())
        return missing(tr("Choose at least one model."));
    if (m_prompts->toPlainText() != m_basePrompts || m_basePrompts.isEmpty())
        spec.prompts = promptsIn(m_prompts->toPlainText());
    if (spec.prompts.empty())
        return missing(tr("Write at least one prompt."));
    spec.dtypes = checkedWords(*m_dtypes);
    if (spec.dtypes.empty())
        return missing(tr("Choose at least one number format."));
    spec.depths.clear();
    for (const std::string& word : checkedWords(*m_depths))
        spec.depths.push_back(depthFromName(word).value_or(Depth::Module));
    if (spec.depths.empty())
        return missing(tr("Choose at least one depth."));
    spec.batch_sizes = numbersIn(m_batchSizes->text(), 4096);
    if (spec.batch_sizes.empty())
        return missing(tr("Write the batch sizes as numbers, such as 1, 4."));
    spec.output_tokens = numbersIn(m_outputTokens->text(), 1'000'000);
    if (spec.output_tokens.empty())
        return missing(tr("Write the tokens to generate as numbers, such as 64, 256."));
    spec.devices = checkedWords(*m_devices);
    if (spec.devices.empty())
        return missing(tr("Choose at least one device."));
    spec.repeats = m_repeats->value();
    for (const auto order : {session::StudyOrder::Interleaved, session::StudyOrder::Random,
                             session::StudyOrder::Listed}) {
        if (m_order->currentData().toString().toStdString() == name(order))
            spec.order = order;
    }
    spec.seed = static_cast<std::uint64_t>(m_seed->value());
    spec.warmup_tokens = m_warmup->value();
    spec.baseline_seconds = m_baseline->value();
    spec.cool_down_seconds = m_coolDown->value();
    spec.power = m_power->currentText().toStdString();
    return spec;
}

void StudyDialog::update()
{
    const auto built = spec();
    m_save->setEnabled(built.has_value());
    m_run->setEnabled(built.has_value() || running());
    if (!built)
        return m_summary->setText(term(built.error().message));
    const session::StudyPlan plan = session::planStudy(*built);
    const QString runs = countText(qsizetype(plan.steps.size()));
    QString text = plan.cells.size() == 1
        ? tr("1 configuration, %1.").arg(runs)
        : tr("%1 configurations, %2.").arg(plan.cells.size()).arg(runs);
    if (built->repeats < 3)
        text += u' ' + tr("With fewer than three repeats, no comparison has a test.");
    m_summary->setText(text);
}

void StudyDialog::save()
{
    const auto built = spec();
    if (!built)
        return;
    auto* dialog = makeFileDialog(this, tr("Save Study"), u"studyFileDialog"_s);
    dialog->setNameFilter(tr("Studies (*.json)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"json"_s);
    dialog->selectFile(toQString(built->name) + u".json"_s);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, text = session::studyToJson(*built)](const QString& name) {
                QSaveFile file(name);
                const auto size = static_cast<qint64>(text.size());
                if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size
                    || !file.commit()) {
                    m_summary->setText(tr("%1 cannot be written (%2); choose another place.")
                                           .arg(name, file.errorString()));
                }
            });
    dialog->open();
}

void StudyDialog::setLacksSensor(bool lacks)
{
    m_lacksSensor = lacks;
    if (lacks && m_power->currentText() == u"auto"_s)
        m_power->setCurrentIndex(m_power->findText(u"modelled"_s));
}

// Runs a study without joules only if the user wants that.
void StudyDialog::run()
{
    const QString power = m_power->currentText();
    const bool joules = power != u"none"_s && !(power == u"auto"_s && m_lacksSensor);
    if (joules) {
        start();
        return;
    }
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Study Without Energy"),
                        tr("This study will record times but no joules. Run it anyway?"),
                        QMessageBox::Cancel, this);
    question->setObjectName(u"studyWithoutEnergy"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("The modelled source estimates the power from the processor's "
                                    "utilisation; every figure is marked as modelled."));
    QPushButton* modelled = question->addButton(tr("Use Modelled"), QMessageBox::AcceptRole);
    modelled->setObjectName(u"studyUseModelled"_s);
    QPushButton* without = question->addButton(tr("Run Without Energy"), QMessageBox::AcceptRole);
    without->setObjectName(u"studyRunWithout"_s);
    connect(modelled, &QPushButton::clicked, this, [this] {
        m_power->setCurrentIndex(m_power->findText(u"modelled"_s));
        start();
    });
    connect(without, &QPushButton::clicked, this, &StudyDialog::start);
    question->open();
}

void StudyDialog::start()
{
    auto built = spec();
    if (!built)
        return;
    m_running = std::move(*built);
    m_runner = std::make_unique<StudyRunner>(
        *m_running, session::planStudy(*m_running),
        session::StudyOptions{
            .database = m_database, .findModel = modelFinder(m_known), .store_texts = m_storeTexts},
        m_backend);
    connect(m_runner.get(), &StudyRunner::stepStarting, this,
            [this](int done, int steps, const QString& label, double seconds) {
                m_progress->setRange(0, std::max(1, steps));
                m_progress->setValue(done);
                QString text = tr("Run %1 of %2: %3").arg(done + 1).arg(steps).arg(label);
                if (seconds >= 60.0)
                    text += tr(", about %1 min left").arg(std::lround(seconds / 60.0));
                m_summary->setText(text);
                Q_EMIT progressed(text);
                if (done > 0)
                    Q_EMIT runStored();
            });
    connect(m_runner.get(), &StudyRunner::finished, this, &StudyDialog::showResult);
    m_form->setEnabled(false);
    m_save->setEnabled(false);
    m_run->setText(tr("&Stop"));
    m_progress->setValue(0);
    m_progress->show();
    m_report->hide();
    m_writing.drop();
    for (QPushButton* ofResult : {m_open, m_compare, m_show})
        ofResult->hide();
    m_close->setText(tr("Hide"));
    Q_EMIT runningChanged(true);
    m_runner->start();
}

void StudyDialog::showResult()
{
    const session::StudyResult result = m_runner->result();
    m_runner.release()->deleteLater(); // the signal comes from the runner
    m_form->setEnabled(true);
    m_run->setText(tr("&Run"));
    m_progress->hide();
    QString text;
    if (result.error)
        text += term(result.error->message) + u"\n\n"_s;
    if (result.cancelled)
        text += tr("Stopped; press Run to continue.") + u"\n\n"_s;
    for (const session::StudyFailure& failure : result.failures)
        text += term(failure.cell) + u": "_s + term(failure.message) + u'\n';
    const auto store = store::Store::openToRead(m_database);
    const auto runs = store ? (*store)->list({.experiments = {m_running->name}})
                            : Result<std::vector<RunSummary>>(store.error());
    if (runs) {
        const auto qualities = (*store)->qualities();
        const session::StudyReport report = session::reportStudy(
            *m_running, *runs, qualities ? *qualities : std::vector<QualityRecord>());
        text += studyReportText(report);
        writeReport(report);
    } else
        text += term(runs.error().message);
    m_report->setPlainText(text);
    m_report->show();
    m_close->setText(tr("Close"));
    const auto measured = runs ? std::ssize(*runs) : 0;
    m_show->setVisible(measured > 0);
    m_compare->setVisible(measured > 1);
    update();
    Q_EMIT runStored();
    Q_EMIT runningChanged(false);
}

// On another thread, because it reads every run of the study.
void StudyDialog::writeReport(const session::StudyReport& report)
{
    if (report.groups.empty())
        return;
    m_reportFile = studyReportFile(m_database, report.name);
    m_writing.start(
        [report, database = m_database, file = m_reportFile]() -> Status {
            const auto store = store::Store::openToRead(database);
            if (!store)
                return store.error();
            return saveStudyReport(**store, report, file);
        },
        [this](const Status& written) {
            if (!written) {
                m_report->appendPlainText(u'\n' + term(written.error().message));
                return;
            }
            m_report->appendPlainText(
                u'\n' + tr("The report with charts is %1.").arg(pathText(m_reportFile)));
            m_open->show();
        });
}

void StudyDialog::stop()
{
    if (m_runner)
        m_runner->cancel();
}

void StudyDialog::reject()
{
    if (m_runner)
        hide();
    else
        QDialog::reject();
}

} // namespace ep::ui
