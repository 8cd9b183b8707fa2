// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/study_dialog.h"

#include "dialogs/study_choices.h"
#include "dialogs/study_form.h"
#include "study_text.h"
#include "text.h"
#include "widgets/assembly.h"

#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/report.h"
#include "ep/ui/terms.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using session::StudyRunner;

constexpr int kSteps = 1000; // steps of the progress bar
constexpr QSize kFirstDialogSize(820, 480);

} // namespace

StudyDialog::StudyDialog(session::Backend backend, std::shared_ptr<session::Profiler> profiler,
                         std::vector<model::ModelListing> models, std::filesystem::path database,
                         QWidget* parent)
    : QDialog(parent)
    , m_backend(std::move(backend))
    , m_profiler(std::move(profiler))
    , m_known(std::move(models))
    , m_database(std::move(database))
    , m_form(new StudyForm(m_known, this))
    , m_summary(wrapped(named(new QLabel(this), u"studySummary"_s)))
    , m_progress(named(new QProgressBar(this), u"studyProgress"_s))
    , m_report(named(new QPlainTextEdit(this), u"studyReport"_s))
    , m_save(named(new QPushButton(tr("&Save As…"), this), u"studySave"_s))
    , m_open(named(new QPushButton(tr("Open Re&port"), this), u"studyOpenReport"_s))
    , m_compare(named(new QPushButton(tr("&Compare"), this), u"studyCompare"_s))
    , m_show(named(new QPushButton(tr("Show in &History"), this), u"studyShow"_s))
    , m_run(named(new QPushButton(tr("&Run"), this), u"studyRun"_s))
    , m_close(named(new QPushButton(tr("Close"), this), u"studyClose"_s))
{
    prepareDialog(*this, u"studyDialog"_s, tr("Study"));
    resize(kFirstDialogSize);
    m_progress->setRange(0, kSteps);
    m_progress->hide();
    m_report->setReadOnly(true);
    m_report->hide();
    auto* choices = new QScrollArea(this); // small screens have no room for all of them
    choices->setWidget(m_form);
    choices->setWidgetResizable(true);
    choices->setFrameShape(QFrame::NoFrame);
    inColumn(this, {{choices, 2}, m_summary, m_progress, {m_report, 1}, buildButtons()});
    connect(m_form, &StudyForm::changed, this, &StudyDialog::update);
    update();
}

QHBoxLayout* StudyDialog::buildButtons()
{
    m_open->hide();
    m_compare->hide();
    m_show->hide();
    m_run->setDefault(true);
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
    auto* buttons = inRow({m_save, Stretch{}});
    for (QPushButton* button : {m_show, m_open, m_compare, m_close, m_run})
        buttons->addWidget(button);
    return buttons;
}

StudyDialog::~StudyDialog() = default;

void StudyDialog::setSpec(const session::StudySpec& spec)
{
    m_form->setSpec(spec);
}

Result<session::StudySpec> StudyDialog::spec() const
{
    return m_form->spec();
}

void StudyDialog::update()
{
    const auto built = spec();
    m_save->setEnabled(built.has_value());
    m_run->setEnabled(running() || (built.has_value() && m_busyElsewhere.isEmpty()));
    if (!built)
        return m_summary->setText(term(built.error().message));
    if (!m_busyElsewhere.isEmpty())
        return m_summary->setText(m_busyElsewhere);
    const session::StudyPlan plan = session::planStudy(*built);
    const QString runs = countText(qsizetype(plan.steps.size()));
    QString text = plan.cells.size() == 1
        ? tr("1 configuration, %1.").arg(runs)
        : tr("%1 configurations, %2.").arg(plan.cells.size()).arg(runs);
    if (built->run.repeats < 3)
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
                if (const auto problem = writeWhole(name, QByteArray::fromStdString(text)))
                    m_summary->setText(
                        tr("%1 cannot be written (%2); choose another place.").arg(name, *problem));
            });
    dialog->open();
}

void StudyDialog::setLacksSensor(bool lacks)
{
    m_lacksSensor = lacks;
    if (lacks && m_form->power() == u"auto"_s)
        m_form->setPower(u"modelled"_s);
}

void StudyDialog::setBusyElsewhere(const QString& reason)
{
    if (std::exchange(m_busyElsewhere, reason) != reason && !running())
        update();
}

// Runs a study without joules only if the user wants that.
void StudyDialog::run()
{
    const QString power = m_form->power();
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
    QPushButton* modelled = named(question->addButton(tr("Use Modelled"), QMessageBox::AcceptRole),
                                  u"studyUseModelled"_s);
    QPushButton* without =
        named(question->addButton(tr("Run Without Energy"), QMessageBox::AcceptRole),
              u"studyRunWithout"_s);
    connect(modelled, &QPushButton::clicked, this, [this] {
        m_form->setPower(u"modelled"_s);
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
    m_runner =
        std::make_unique<StudyRunner>(*m_running, session::planStudy(*m_running),
                                      session::StudyOptions{.database = m_database,
                                                            .findModel = modelFinder(m_known),
                                                            .store_texts = m_storeTexts,
                                                            .profiler = m_profiler},
                                      m_backend);
    connect(m_runner.get(), &StudyRunner::stepStarting, this,
            [this](int done, int steps, const Message& label, double seconds) {
                m_progress->setRange(0, std::max(1, steps));
                m_progress->setValue(done);
                QString text = tr("Run %1 of %2: %3").arg(done + 1).arg(steps).arg(term(label));
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
