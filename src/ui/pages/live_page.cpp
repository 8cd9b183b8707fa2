// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_page.h"

#include "dialogs/record_dialog.h"
#include "dialogs/study_choices.h"
#include "pages/comparison_view.h"
#include "pages/live_view.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/message_bar.h"

#include "ep/core/clock.h"
#include "ep/core/thread_clock.h"
#include "ep/ui/terms.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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
    const auto format = [](const QString& word) {
        return word == u"auto"_s ? LivePage::tr("as stored") : word;
    };
    add(LivePage::tr("Format"), format(before.dtype), format(now.dtype));
    add(LivePage::tr("Device"), deviceTitle(before.device), deviceTitle(now.device));
    add(LivePage::tr("Depth"), toQString(name(before.depth)), toQString(name(now.depth)));
    add(LivePage::tr("Max tokens"), QString::number(before.maxNewTokens),
        QString::number(now.maxNewTokens));
    add(LivePage::tr("Batch size"), QString::number(before.batchSize),
        QString::number(now.batchSize));
    add(LivePage::tr("Experiment"), before.experiment, now.experiment);
    if (before.sampling != now.sampling)
        changes << LivePage::tr("Sampling");
    return changes.isEmpty() ? QString()
                             : LivePage::tr("Set as in the run: %1.").arg(changes.join(u", "_s));
}

} // namespace

LivePage::LivePage(session::Backend backend, std::vector<std::filesystem::path> bundledModels,
                   ProbeSources probe, std::filesystem::path database, QWidget* parent)
    : QWidget(parent)
    , m_profiler(backend)
    , m_loop(m_profiler)
    , m_database(std::move(database))
    , m_python(pythonFolder(bundledModels))
    , m_form(new RunForm(std::move(bundledModels), std::move(probe), this))
    , m_message(new MessageBar(this))
    , m_offer(new MessageBar(this))
    , m_view(new LiveView(this))
    , m_comparison(new ComparisonView(std::move(backend), this))
    , m_views(new QStackedWidget(this))
    , m_course(new RepeatCourse(this))
    , m_choices(iconButton(u"liveChoices"_s, "choices"_L1, tr("Show or fold the choices"), this))
    , m_compare(new QPushButton(tr("Compare with…"), this))
    , m_analyse(new QPushButton(lineIcon("analysis"_L1), tr("Open in Analysis"), this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    setObjectName(u"livePage"_s);
    setAcceptDrops(true);
    m_message->setObjectName(u"liveMessage"_s);
    m_splitter->setObjectName(u"liveSplitter"_s);
    m_splitter->addWidget(m_form);
    m_views->addWidget(m_view);
    m_views->addWidget(m_comparison);
    m_splitter->addWidget(m_views);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(buildTools());
    layout->addWidget(m_offer);
    m_message->floatOverParent();
    layout->addWidget(m_course);
    layout->addWidget(m_splitter, 1);

    connect(m_form, &RunForm::startRequested, this, &LivePage::start);
    connect(m_form, &RunForm::stopRequested, this, &LivePage::stop);
    connect(m_form, &RunForm::changed, this, &LivePage::stateChanged);
    connect(m_form, &RunForm::edited, this, &LivePage::edited);
    connect(m_form, &RunForm::changed, this, &LivePage::offerModelled);
    connect(&m_form->models(), &ModelPicker::browsed, this, &LivePage::modelBrowsed);
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
    m_offer->setObjectName(u"liveOffer"_s);
    m_choices->setCheckable(true);
    m_choices->setChecked(true);
    connect(m_choices, &QToolButton::clicked, this, &LivePage::setChoicesShown);
    m_compare->setObjectName(u"compareWith"_s);
    m_compare->setToolTip(tr("Measure whether another format, model, server, command or setting "
                             "needs less energy"));
    m_compare->setMinimumHeight(4 * kGrid);
    connect(m_compare, &QPushButton::clicked, this, &LivePage::compareWith);
    connect(this, &LivePage::stateChanged, m_compare, [this] {
        m_compare->setVisible(m_form->state() == RunForm::State::Ready);
        m_compare->setEnabled(!m_form->busyElsewhere() && m_form->models().loadable());
    });
    m_analyse->setObjectName(u"liveAnalyse"_s);
    m_analyse->setMinimumHeight(4 * kGrid);
    m_analyse->hide();
    connect(m_analyse, &QPushButton::clicked, this, [this] { Q_EMIT analysisRequested(m_ended); });
    auto* row = new QHBoxLayout;
    row->addWidget(m_choices);
    row->addWidget(m_form->controls());
    row->addWidget(m_compare);
    row->addWidget(m_view->operation(), 1);
    row->addWidget(m_analyse);
    return row;
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
    connect(&m_profiler, &Profiler::loadProgress, this,
            [this](double fraction, const Message& what) {
                m_form->setProgress(fraction, term(what));
            });
    connect(&m_profiler, &Profiler::runStarted, this, &LivePage::onStarted);
    connect(&m_profiler, &Profiler::sectionStarted, this,
            [this](const session::SectionEvent& event) {
                m_view->enterPhase(event.phase, event.time.begin_ns);
            });
    connect(&m_profiler, &Profiler::powerSample, this, [this](const PowerSample& sample) {
        m_counters.add(sample);
        m_view->addSample(sample);
    });
    connect(&m_profiler, &Profiler::powerProblem, this,
            [this](const Message& problem) { showWarning(term(problem)); });
    connect(&m_profiler, &Profiler::tokenComplete, this, &LivePage::onToken);
    connect(&m_profiler, &Profiler::delivered, this, &LivePage::drawFrame);
    connect(&m_profiler, &Profiler::finished, this, &LivePage::onFinished);
    connect(&m_profiler, &Profiler::failed, this, &LivePage::onFailed);
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
    request.interval_ms = m_preferences.intervalMs;
    request.sparsity_threshold = m_preferences.sparsityThreshold;
    request.load.threads = m_preferences.threads;
    request.store_texts = m_preferences.storeTexts;
    return request;
}

void LivePage::chooseModel(const std::filesystem::path& folder)
{
    m_form->chooseModel(folder);
}

void LivePage::tryStop(const RunInfo& run, const QString& stop)
{
    m_form->chooseModel(run.model.path);
    if (run.conversation.empty())
        m_form->setPrompt(toQString(run.prompt));
    else
        m_form->setConversations({run.conversation});
    m_form->addStop(stop);
}

void LivePage::repeatRun(const RunInfo& run, double baselineSeconds)
{
    Settings form = m_preferences;
    writeSettings(form);
    const Settings before = form;
    form.modelFolder = toQString(run.model.path);
    QStringList prompts{toQString(run.prompt)};
    for (std::size_t i = 1; i < run.batch.size(); ++i)
        prompts << toQString(run.batch[i].prompt);
    prompts.removeDuplicates();
    form.batchSize = prompts.size() == 1 ? std::max(1, static_cast<int>(run.batch.size())) : 1;
    form.prompt = prompts.join(u"\n---\n"_s);
    form.isConversation = false;
    form.chatTemplate = run.chat_template;
    form.maxNewTokens = run.max_new_tokens;
    form.contextLength = run.model.context_length;
    form.depth = run.depth;
    form.device = toQString(run.device);
    form.dtype = run.dtype == run.model.stored_dtype ? u"auto"_s : toQString(run.dtype);
    form.sampling = run.sampling;
    form.experiment = toQString(run.experiment);
    form.baselineSeconds = std::max(form.baselineSeconds, baselineSeconds);
    form.moreExpanded = form.moreExpanded || baselineSeconds > 0.0;
    form.measurementExpanded = form.measurementExpanded || baselineSeconds > 0.0;
    readSettings(form);
    if (!run.conversation.empty())
        m_form->setConversations({run.conversation});
    if (const QString changes = takenOver(before, form); !changes.isEmpty())
        m_message->showMessage(MessageBar::Kind::Notice, changes);
    Q_EMIT edited();
}

QString LivePage::prompt() const
{
    Settings settings;
    m_form->writeSettings(settings);
    return settings.prompt;
}

void LivePage::newRun()
{
    m_form->focusPrompt();
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
        m_form->chooseModel(*model);
    }
}

void LivePage::setHidden(bool hidden)
{
    m_hidden = hidden;
    m_profiler.setWindowCovered(hidden);
}

} // namespace ep::ui
