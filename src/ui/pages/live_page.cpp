// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_page.h"

#include "dialogs/compare_dialog.h"
#include "dialogs/record_dialog.h"
#include "dialogs/study_choices.h"
#include "pages/comparison_view.h"
#include "pages/live_view.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/message_bar.h"

#include "ep/core/clock.h"
#include "ep/core/thread_clock.h"
#include "ep/session/run_settings.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/terms.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// Finds the folder for Python programs beside the bundled models; empty if it is not installed.
std::filesystem::path pythonFolder(const std::vector<std::filesystem::path>& bundledModels)
{
    std::error_code ignored;
    for (const std::filesystem::path& models : bundledModels) {
        const std::filesystem::path folder = models.parent_path() / "python";
        if (std::filesystem::exists(folder / "energy_profiler_spans.py", ignored))
            return folder;
    }
    return {};
}

// "Set as in the run: Format q8_0 (was As stored), Max tokens 64 (was 128)."; empty: nothing has
// changed but the model and the prompt.
QString takenOver(const Settings& before, const Settings& now)
{
    QStringList changes;
    const auto add = [&](const QString& name, const QString& old, const QString& taken) {
        if (old != taken)
            changes << LivePage::tr("%1 %2 (was %3)").arg(name, taken, old);
    };
    const auto format = [](const std::string& word) {
        return word == "auto" ? LivePage::tr("as stored") : toQString(word);
    };
    add(LivePage::tr("Format"), format(before.run.load.dtype), format(now.run.load.dtype));
    add(LivePage::tr("Device"), deviceTitle(toQString(before.run.load.device)),
        deviceTitle(toQString(now.run.load.device)));
    add(LivePage::tr("Depth"), toQString(name(before.run.depth)), toQString(name(now.run.depth)));
    add(LivePage::tr("Max tokens"), QString::number(before.run.max_new_tokens),
        QString::number(now.run.max_new_tokens));
    add(LivePage::tr("Batch size"), QString::number(before.run.batch_size),
        QString::number(now.run.batch_size));
    add(LivePage::tr("Warm-up"), QString::number(before.run.warmup_tokens),
        QString::number(now.run.warmup_tokens));
    add(LivePage::tr("Experiment"), toQString(before.run.experiment),
        toQString(now.run.experiment));
    if (before.run.sampling != now.run.sampling)
        changes << LivePage::tr("Sampling");
    return changes.isEmpty() ? QString()
                             : LivePage::tr("Set as in the run: %1.").arg(changes.join(u", "_s));
}

// "Not as in the run: kv_cache growing (was q8_0)."; empty: the same settings.
QString notTakenOver(const session::RunRequest& run, const session::RunRequest& now)
{
    QStringList differences;
    for (const session::RunSetting& row : session::runSettings()) {
        const QString was = toQString(session::textOf(row, run));
        const QString is = toQString(session::textOf(row, now));
        if (was != is && (row.places & kChosenAgain) == 0)
            differences << LivePage::tr("%1 %2 (was %3)").arg(toQString(row.name), is, was);
    }
    return differences.isEmpty()
        ? QString()
        : LivePage::tr("Not as in the run: %1.").arg(differences.join(u", "_s));
}

// The preliminary joules of the run have gone, so the reason is shown in their place.
QString whyNoEnergy(const Run& run)
{
    const PowerInfo& power = run.info.power;
    QStringList reasons;
    if (run.metrics.energy.sd_mj) { // known, but too uncertain to be shown
        reasons << LivePage::tr("The energy of this run is not known: the run is too short for "
                                "this sensor. Repeat it, or generate more tokens.");
        if (power.quality) {
            for (const Message& reason : power.quality->reasons)
                reasons << term(reason);
        }
    } else {
        reasons << LivePage::tr("The energy of this run is not known: the power samples do not "
                                "cover all of it.");
        if (!power.notice.empty()) // states the source's problem, and how much is covered
            reasons << term(power.notice);
        if (!run.info.status_message.empty())
            reasons << term(run.info.status_message);
    }
    return reasons.join(u' ');
}

} // namespace

LivePage::LivePage(session::Backend backend, std::vector<std::filesystem::path> bundledModels,
                   ProbeSources probe, std::filesystem::path database, QWidget* parent)
    : QWidget(parent)
    , m_profiler(std::make_shared<session::Profiler>(backend))
    , m_loop(*m_profiler)
    , m_database(std::move(database))
    , m_python(pythonFolder(bundledModels))
    , m_form(new RunForm(std::move(bundledModels), std::move(probe), this))
    , m_message(named(new MessageBar(this), u"liveMessage"_s))
    , m_offer(named(new MessageBar(this), u"liveOffer"_s))
    , m_view(new LiveView(this))
    , m_comparison(new ComparisonView(std::move(backend), this))
    , m_views(new QStackedWidget(this))
    , m_course(new RepeatCourse(this))
    , m_choices(iconButton(u"liveChoices"_s, "choices"_L1, tr("Show or fold the choices"), this))
    , m_compare(named(new QPushButton(tr("Compare with…"), this), u"compareWith"_s))
    , m_analyse(named(new QPushButton(lineIcon("analysis"_L1), tr("Open in Analysis"), this),
                      u"liveAnalyse"_s))
    , m_splitter(named(new QSplitter(Qt::Horizontal, this), u"liveSplitter"_s))
{
    setObjectName(u"livePage"_s);
    setAcceptDrops(true);
    m_views->addWidget(m_view);
    m_views->addWidget(m_comparison);
    addParts(*m_splitter, {{m_form}, {m_views, 1}});
    auto* layout = inColumn(this, {buildTools(), m_offer});
    m_message->floatOverParent();
    addAll(*layout, {m_course, {m_splitter, 1}});

    connect(m_form->controls(), &RunControls::startRequested, this, &LivePage::start);
    connect(m_form->controls(), &RunControls::stopRequested, this, &LivePage::stop);
    connect(m_form, &RunForm::changed, this, &LivePage::stateChanged);
    connect(m_form, &RunForm::edited, this, &LivePage::edited);
    connect(m_form, &RunForm::changed, this, &LivePage::offerModelled);
    connect(&m_form->models(), &ModelPicker::recordRequested, this, &LivePage::recordCommand);
    connect(m_offer, &MessageBar::actionTriggered, this, &LivePage::useModelledPower);
    connect(m_message, &MessageBar::actionTriggered, this, [this] {
        m_ignoreMemory = true;
        start();
    });
    // Before the first run, the page shows the choices only.
    m_views->hide();
    m_choices->hide();
    connectProfiler();
    connectComparison();
}

bool LivePage::showsRun() const
{
    return !m_views->isHidden() && m_views->currentWidget() == m_view;
}

bool LivePage::running() const
{
    return m_loop.running() || m_comparison->running();
}

QLayout* LivePage::buildTools()
{
    m_choices->setCheckable(true);
    m_choices->setChecked(true);
    connect(m_choices, &QToolButton::clicked, this, &LivePage::setChoicesShown);
    m_compare->setToolTip(tr("Measure whether another format, model, server, command or setting "
                             "needs less energy"));
    m_compare->setMinimumHeight(4 * kGrid);
    connect(m_compare, &QPushButton::clicked, this, &LivePage::compareWith);
    connect(this, &LivePage::stateChanged, m_compare, [this] {
        m_compare->setVisible(m_form->state() == RunForm::State::Ready);
        m_compare->setEnabled(!m_form->busyElsewhere() && m_form->models().loadable());
    });
    m_analyse->setMinimumHeight(4 * kGrid);
    m_analyse->hide();
    connect(m_analyse, &QPushButton::clicked, this, [this] { Q_EMIT analysisRequested(m_ended); });
    return inRow({m_choices, m_form->controls(), m_compare, {m_view->operation(), 1}, m_analyse});
}

void LivePage::setChoicesShown(bool shown)
{
    m_form->setVisible(shown);
    m_choices->setChecked(shown);
    m_unfoldAtEnd = false; // because the user has decided
}

void LivePage::offerModelled()
{
    const bool lacks = lacksSensor();
    if (!lacks || running())
        m_offer->clear();
    if (std::exchange(m_offered, lacks) || !lacks) // offered once, even if it was dismissed
        return;
    m_offer->showMessage(
        MessageBar::Kind::Notice,
        tr("No power sensor works on this machine: Automatic records times and no joules. Modelled "
           "estimates the power from the processor's utilisation, between the watts of the idle "
           "and of the fully busy machine; every figure is marked as modelled."),
        tr("Use Modelled"));
}

void LivePage::showWarning(const QString& sentence)
{
    m_message->showMessage(MessageBar::Kind::Warning, sentence);
}

void LivePage::connectProfiler()
{
    using session::Profiler;
    connect(m_profiler.get(), &Profiler::loadProgress, this,
            [this](double fraction, const Message& what) {
                m_form->controls()->setProgress(fraction, term(what));
            });
    connect(m_profiler.get(), &Profiler::runStarted, this, &LivePage::onStarted);
    connect(m_profiler.get(), &Profiler::sectionStarted, this,
            [this](const session::SectionEvent& event) {
                m_view->enterPhase(event.phase, event.time.begin_ns);
            });
    connect(m_profiler.get(), &Profiler::powerSample, this,
            [this](const PowerSample& sample) { m_counters.add(sample); });
    connect(m_profiler.get(), &Profiler::powerSample, m_view->power(), &PowerChart::addSample);
    connect(m_profiler.get(), &Profiler::powerProblem, this,
            [this](const Message& problem) { showWarning(term(problem)); });
    connect(m_profiler.get(), &Profiler::tokenComplete, this, &LivePage::onToken);
    connect(m_profiler.get(), &Profiler::delivered, this, &LivePage::drawFrame);
    connect(m_profiler.get(), &Profiler::finished, this, &LivePage::onFinished);
    connect(m_profiler.get(), &Profiler::failed, this, &LivePage::onFailed);
    connect(&m_loop, &session::RepeatLoop::runStarting, this, &LivePage::startRound);
    connect(&m_loop, &session::RepeatLoop::coolDownStarted, this, &LivePage::coolDown);
    connect(&m_loop, &session::RepeatLoop::stopped, this, &LivePage::endRun);
}

void LivePage::readSettings(const Settings& settings)
{
    setPreferences(settings);
    m_form->readSettings(settings);
    m_commands = settings.commands;
    m_recordsPython = settings.recordsPython;
    if (!settings.liveSplitter.isEmpty())
        m_splitter->restoreState(settings.liveSplitter);
}

void LivePage::setPreferences(const Settings& settings)
{
    m_preferences = settings;
    m_course->setTariff(tariffFrom(settings));
}

void LivePage::writeSettings(Settings& settings) const
{
    m_form->writeSettings(settings);
    settings.commands = m_commands;
    settings.recordsPython = m_recordsPython;
    settings.liveSplitter = m_splitter->saveState();
}

bool LivePage::canStart() const
{
    return m_form->state() == RunForm::State::Ready && m_form->problem().isEmpty();
}

bool LivePage::canStop() const
{
    return m_form->state() == RunForm::State::Loading || m_form->state() == RunForm::State::Running;
}

session::RunRequest LivePage::request() const
{
    session::RunRequest request = m_form->request();
    request.database = m_database;
    for (const session::RunSetting& row : session::runSettings()) {
        if ((row.places & kInPreferences) != 0)
            session::copySetting(row, m_preferences.run, request);
    }
    request.store_texts = m_preferences.run.store_texts;
    return request;
}

void LivePage::tryStop(const RunInfo& run, const QString& stop)
{
    m_form->models().choose(run.model.path);
    if (run.conversation.empty())
        m_form->prompt().setText(toQString(run.prompt));
    else
        m_form->prompt().setConversations({run.conversation});
    m_form->addStop(stop);
}

void LivePage::repeatRun(const RunInfo& run, double baselineSeconds)
{
    Settings form = m_preferences;
    writeSettings(form);
    const Settings before = form;
    const session::RunRequest again = session::requestOf(run);
    form.modelFolder = toQString(run.model.path);
    QStringList prompts{toQString(again.prompt)};
    for (const std::string& prompt : again.further_prompts)
        prompts << toQString(prompt);
    form.prompt = prompts.join(u"\n---\n"_s);
    form.isConversation = false;
    for (const session::RunSetting& row : session::runSettings()) {
        if ((row.places & (kInWindow | kInPreferences | kChosenAgain)) == kInWindow)
            session::copySetting(row, again, form.run);
    }
    if (!run.profiling.settings) { // a run of an earlier version
        form.run.context_length = run.model.context_length;
        form.run.warmup_tokens = before.run.warmup_tokens;
    }
    form.run.sampling.stop = run.sampling.stop;
    form.run.experiment = run.experiment;
    form.run.baseline_seconds = std::max(form.run.baseline_seconds, baselineSeconds);
    form.moreExpanded = form.moreExpanded || baselineSeconds > 0.0;
    form.measurementExpanded = form.measurementExpanded || baselineSeconds > 0.0;
    readSettings(form);
    if (!run.conversation.empty())
        m_form->prompt().setConversations({run.conversation});
    QStringList notes{takenOver(before, form)};
    if (run.profiling.settings)
        notes << notTakenOver(again, request());
    notes.removeAll(QString());
    if (!notes.isEmpty())
        m_message->showMessage(MessageBar::Kind::Notice, notes.join(u' '));
    Q_EMIT edited();
}

QString LivePage::prompt() const
{
    Settings settings;
    m_form->writeSettings(settings);
    return settings.prompt;
}

void LivePage::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_form->state() == RunForm::State::Ready && ModelPicker::droppedModel(*event->mimeData()))
        event->acceptProposedAction();
}

void LivePage::dropEvent(QDropEvent* event)
{
    if (const auto model = ModelPicker::droppedModel(*event->mimeData())) {
        event->acceptProposedAction();
        m_form->models().choose(*model);
    }
}

void LivePage::setHidden(bool hidden)
{
    m_hidden = hidden;
    m_profiler->setWindowCovered(hidden);
}

// Starts and stops runs.

void LivePage::start()
{
    if (!canStart())
        return;
    session::RunRequest request = this->request();
    request.ignore_memory = std::exchange(m_ignoreMemory, false);
    startRequest(std::move(request), m_form->until());
}

void LivePage::startUntilKnown(const QString& experiment)
{
    if (!canStart())
        return;
    session::RunRequest request = this->request();
    request.repeats = session::kMostUntil;
    request.cool_down_seconds = 0.0;
    if (!experiment.isEmpty())
        request.experiment = experiment.toStdString();
    request.ignore_memory = std::exchange(m_ignoreMemory, false);
    startRequest(std::move(request),
                 session::UntilKnown{.most_seconds = 20.0, .least_seconds = 5.0});
}

void LivePage::compareWith()
{
    const ModelChoice* model = m_form->models().current();
    if (m_form->state() != RunForm::State::Ready || m_form->busyElsewhere())
        return;
    if (!model && m_form->models().searching()) {
        connect(&m_form->models(), &ModelPicker::changed, this, &LivePage::compareWith,
                Qt::ConnectionType(Qt::SingleShotConnection | Qt::UniqueConnection));
        return;
    }
    if (!model)
        return;
    session::RunRequest run = request();
    if (run.prompt.empty() && run.conversations.empty()) {
        m_form->prompt().setText(tr("The old man sat by the sea"));
        run = request();
    }
    if (lacksSensor())
        run.power.kind = "modelled"; // a verdict needs energies
    auto* dialog = new CompareDialog({.run = run,
                                      .models = m_form->models().choices(),
                                      .model = *model,
                                      .commands = m_commands,
                                      .template_used = m_form->prompt().usesTemplate()},
                                     this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, run] {
        if (const auto spec = dialog->spec())
            startComparison(*spec, run, dialog->equal());
    });
    dialog->open();
}

void LivePage::startComparison(const session::PaysSpec& spec, const session::RunRequest& run,
                               const QString& equal)
{
    const auto find = [models = m_form->models().choices()](
                          const std::string& wanted) -> Result<std::filesystem::path> {
        const auto named = std::ranges::find(models, toQString(wanted),
                                             [](const auto& each) { return each.name; });
        return named == models.end() ? std::filesystem::path(wanted) : named->folder;
    };
    foldForRun();
    m_course->hide();
    m_analyse->hide();
    showView(*m_comparison);
    m_comparison->start(spec,
                        {.database = run.database,
                         .findModel = find,
                         .server_token = run.server ? run.server->token : std::string(),
                         .store_texts = run.store_texts},
                        equal);
}

void LivePage::connectComparison()
{
    connect(m_comparison, &ComparisonView::runningChanged, this, [this](bool running) {
        m_form->setRound(0, 0);
        m_form->setState(running ? RunForm::State::Loading : RunForm::State::Ready);
        if (!running && m_unfoldAtEnd)
            setChoicesShown(true);
        Q_EMIT stateChanged();
    });
    connect(m_comparison, &ComparisonView::progressed, m_form->controls(),
            &RunControls::setProgress);
}

void LivePage::showView(QWidget& view)
{
    m_views->setCurrentWidget(&view);
    m_views->show();
    m_choices->show();
    if (&view == m_comparison)
        m_view->showIdle(); // the line above describes the previous run
}

// The choices would take room from what is measured.
void LivePage::foldForRun()
{
    m_message->clear();
    m_offer->clear();
    if (choicesShown()) {
        setChoicesShown(false);
        m_unfoldAtEnd = true;
    }
}

void LivePage::recordCommand()
{
    if (m_form->state() != RunForm::State::Ready || m_form->busyElsewhere())
        return;
    Settings settings;
    writeSettings(settings);
    auto* dialog = new RecordDialog(settings, m_python, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        Settings remembered;
        writeSettings(remembered);
        dialog->remember(remembered);
        m_commands = remembered.commands;
        m_recordsPython = remembered.recordsPython;
        session::RunRequest request = this->request();
        request.record = dialog->target();
        request.server.reset();
        request.repeats = 1;
        startRequest(std::move(request));
        Q_EMIT edited();
    });
    dialog->open();
}

void LivePage::startRequest(session::RunRequest request,
                            const std::optional<session::UntilKnown>& until)
{
    foldForRun();
    showView(*m_view);
    m_until = until;
    if (m_until)
        m_course->begin(m_until->half_width);
    else
        m_course->hide();
    m_loop.start({std::move(request)}, until);
}

void LivePage::followStudy(bool running)
{
    if (!running)
        return endRun();
    foldForRun();
    showView(*m_view);
    m_course->hide();
}

void LivePage::startRound(int number, int runs)
{
    showCourse();
    m_form->setRound(number, runs);
    m_form->setState(RunForm::State::Loading);
    clearRun(runs > 1, number > 1);
    Q_EMIT runStarting();
    Q_EMIT stateChanged();
}

void LivePage::clearRun(bool repeats, bool further)
{
    m_counters = {};
    m_pending.clear();
    m_recordingShare.reset();
    m_ended.reset();
    m_analyse->hide();
    m_view->clear(repeats, further);
    m_pace.begin();
    m_profiler->setDeliveryInterval(FramePace::kShortestMs);
}

// Draws nothing in the meantime, so that the machine is idle.
void LivePage::coolDown(int milliseconds)
{
    m_view->showCounters(m_counters, monotonicNow());
    m_form->setState(RunForm::State::Loading);
    m_form->controls()->setProgress(
        0.0, tr("Cooling down for %1").arg(durationText(milliseconds * kNsPerMs)));
    Q_EMIT stateChanged();
}

void LivePage::stop()
{
    if (!canStop())
        return;
    m_form->setState(RunForm::State::Stopping); // first, since a pause ends at once
    if (m_comparison->running())
        m_comparison->stop();
    else
        m_loop.cancel();
    Q_EMIT stateChanged();
}

// Shows what the profiler reports, from the start of a run to its end.

void LivePage::onStarted(const session::RunStarted& started)
{
    if (m_form->state() == RunForm::State::Loading)
        m_form->setState(RunForm::State::Running);
    m_counters.start(started);
    m_view->begin(started);
    if (m_counters.timingOnly()) {
        const QString reason = term(started.info.power.notice);
        const QString remedy = m_form->power().howToMeasure();
        m_message->showMessage(MessageBar::Kind::Notice,
                               tr("Timing only: without a power source, energies are not shown. %1")
                                   .arg(reason.isEmpty() || reason.contains(remedy)
                                            ? remedy
                                            : reason + u' ' + remedy));
    }
    Q_EMIT stateChanged();
}

void LivePage::onToken(const session::TokenComplete& token)
{
    m_counters.add(token.token, token.section);
    m_pending.push_back(token);
}

void LivePage::drawFrame()
{
    m_view->addTokens(m_pending);
    m_pending.clear();
    m_view->showCounters(m_counters, monotonicNow());
    m_view->showOperation(m_profiler->currentOperation());
    Q_EMIT countersChanged();
    const int next = m_pace.next(ThreadClock::ofThisThread().used());
    m_profiler->setDeliveryInterval(m_hidden ? FramePace::kLongestMs : next);
}

void LivePage::onFinished(const session::RunFinished& finished)
{
    m_counters.finish(*finished.run);
    m_view->addTokens(m_pending);
    m_pending.clear();
    m_view->showFinished(finished.run);
    if (finished.profiler_ns > 0) // unknown for commands and servers
        m_recordingShare = static_cast<double>(finished.profiler_ns)
            / static_cast<double>(finished.run->metrics.duration_ns);
    m_ended = finished.run;
    const RunInfo& info = finished.run->info;
    if (!finished.saved && !finished.save_problem.empty()) {
        m_message->showMessage(MessageBar::Kind::Error,
                               tr("The run is not saved. %1").arg(term(finished.save_problem)));
    } else if (info.status == RunStatus::Failed) {
        m_message->showMessage(MessageBar::Kind::Error, term(info.status_message));
    } else if (info.status == RunStatus::Cancelled && info.output_tokens == 0) {
        m_message->showMessage(MessageBar::Kind::Notice, tr("Stopped before the first token."));
    } else if (!m_counters.timingOnly() && !finished.run->metrics.energy.total_mj) {
        m_message->showMessage(MessageBar::Kind::Notice, whyNoEnergy(*finished.run));
    } else if (info.status == RunStatus::Complete && !info.status_message.empty()) {
        const QString noEnergy = m_counters.timingOnly() ? m_message->text() + u' ' : QString();
        m_message->showMessage(MessageBar::Kind::Notice, noEnergy + term(info.status_message));
    }
    Q_EMIT runFinished(finished.run, finished.saved);
}

// Called before the next round begins or the last one ends, because the loop counts runs first.
void LivePage::showCourse()
{
    if (!m_until || !m_ended)
        return;
    m_course->add(m_loop.known(),
                  energyOriginText(m_ended->info.power.source, m_ended->metrics.energy.provenance));
}

void LivePage::onFailed(const Error& error)
{
    const bool tooLarge = error.code == ErrorCode::NoMemory;
    m_message->showMessage(MessageBar::Kind::Error, term(error.message),
                           tooLarge ? tr("Run Anyway") : QString());
}

void LivePage::endRun()
{
    m_view->showCounters(m_counters, monotonicNow());
    if (m_ended)
        m_view->showEnd(m_ended->info.status, m_recordingShare);
    else
        m_view->showIdle();
    m_analyse->setVisible(m_ended != nullptr);
    if (m_unfoldAtEnd)
        setChoicesShown(true);
    m_form->setState(RunForm::State::Ready);
    Q_EMIT countersChanged();
    Q_EMIT stateChanged();
    showCourse();
    if (!std::exchange(m_until, std::nullopt))
        return;
    m_course->finish();
    if (m_ended && m_loop.begun() > 1)
        Q_EMIT repeated(m_ended);
}

} // namespace ep::ui
