// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_form.h"

#include "dialogs/format_choices.h"
#include "dialogs/study_choices.h"
#include "pages/run_prediction.h"
#include "pages/sampling_fields.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/collapsible_box.h"
#include "widgets/vertical_scroll.h"

#include "ep/ui/terms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMetaMethod>
#include <QMetaProperty>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QComboBox* wordBox(const QString& id, const QString& name,
                   std::initializer_list<std::pair<QString, QString>> items, QWidget* parent)
{
    auto* box = named(new QComboBox(parent), id, name);
    for (const auto& [text, word] : items)
        box->addItem(text, word);
    return box;
}

void chooseWord(QComboBox* box, const QString& word, const QString& title = {})
{
    if (box->findData(word) < 0)
        box->addItem(title.isEmpty() ? word : title, word);
    box->setCurrentIndex(box->findData(word));
}

QLabel* heading(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setBuddy(buddy);
    return label;
}

} // namespace

RunForm::RunForm(std::vector<std::filesystem::path> bundledModels, ProbeSources probe,
                 QWidget* parent)
    : QWidget(parent)
    , m_model(new ModelPicker(std::move(bundledModels), this))
    , m_prompt(new PromptEdit(this))
    , m_maxTokens(
          named(new QSpinBox(this), u"maxTokens"_s, tr("Maximum number of tokens to generate")))
    , m_depth(wordBox(u"depthCombo"_s, tr("Depth"),
                      {{tr("None: tokens only"), u"none"_s},
                       {tr("Module: layers and components"), u"module"_s},
                       {tr("Deep: individual operations"), u"deep"_s}},
                      this))
    , m_depthNote(wrapped(named(new QLabel(this), u"depthNote"_s)))
    , m_device(wordBox(u"deviceCombo"_s, tr("Device"), {}, this))
    , m_dtype(wordBox(u"dtypeCombo"_s, tr("Number format"), {}, this))
    , m_more(named(new CollapsibleBox(tr("More"), this), u"moreBox"_s))
    , m_sampling(named(new CollapsibleBox(tr("Sampling"), this), u"samplingBox"_s))
    , m_samplingFields(new SamplingFields)
    , m_measurement(named(new CollapsibleBox(tr("Measurement"), this), u"measurementBox"_s))
    , m_power(new PowerPicker(std::move(probe), this))
    , m_tags(named(new QLineEdit(this), u"tagsEdit"_s, tr("Tags")))
    , m_experiment(named(new QLineEdit(this), u"experimentEdit"_s, tr("Experiment")))
    , m_controls(new RunControls(this))
{
#ifdef Q_OS_MACOS
    const QString gpu = u"mps"_s;
#else
    const QString gpu = u"cuda"_s;
#endif
    for (const QString& device : {u"auto"_s, u"cpu"_s, gpu})
        m_device->addItem(deviceTitle(device), device);
    m_dtype->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    offerFormats(*m_dtype, formatsOfAnyModel());
    auto* layout = flush(new QVBoxLayout(this));
    m_fields = buildFields();
    layout->addWidget(new VerticalScroll(m_fields, this), 1);
    tellOfEdits();

    connect(m_depth, &QComboBox::currentIndexChanged, this, &RunForm::depthChanged);
    connect(m_model, &ModelPicker::changed, this, &RunForm::modelChanged);
    connect(m_prompt, &PromptEdit::changed, this, &RunForm::showState);
    connect(m_prompt, &PromptEdit::tokensCounted, this, &RunForm::showState);
    connect(m_power, &PowerPicker::changed, this, &RunForm::showState);
    depthChanged();
    showState();
}

// Format and device belong to the model that they were chosen for: another one starts as stored.
void RunForm::modelChanged()
{
    const ModelChoice* choice = m_model->current();
    m_samplingFields->setModel(choice ? choice->details : ModelFacts());
    m_prompt->setModelFolder(m_model->loadable() ? choice->folder : std::filesystem::path());
    if (choice) {
        const bool another = !m_chosenFor.empty() && m_chosenFor != choice->folder;
        m_chosenFor = choice->folder;
        if (another)
            chooseWord(m_device, u"auto"_s);
        if (another)
            m_dtype->setCurrentIndex(m_dtype->findData(u"auto"_s));
        offerFormats(*m_dtype, choice->formats.empty() ? formatsOfAnyModel() : choice->formats);
    }
    showState();
}

QWidget* RunForm::buildFields()
{
    m_boxes.add(*m_maxTokens, "max_new_tokens");
    m_tags->setPlaceholderText(tr("Separated by commas"));
    m_experiment->setPlaceholderText(tr("Groups runs in History"));

    auto* fields = new QWidget;
    auto* column = inColumn(fields,
                            {heading(tr("&Model"), m_model),
                             m_model,
                             heading(tr("&Prompt"), m_prompt->editor()),
                             {m_prompt, 1},
                             new RunPrediction(*this)});
    column->setContentsMargins(0, 0, kGrid, 0);
    column->setSpacing(kHalfGrid);
    auto* length = new QFormLayout;
    length->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    length->addRow(tr("Max to&kens"), m_maxTokens);
    column->addLayout(length);
    m_more->setContent(buildMore());
    addAll(*column, {m_more, Stretch{1}});
    constexpr int kWidest = 112 * kGrid;
    fields->setMaximumWidth(kWidest);
    return fields;
}

// Builds the settings that most runs leave at their defaults.
QWidget* RunForm::buildMore()
{
    auto* more = new QWidget(this);
    auto* column = flush(inColumn(more, {m_prompt->templateFields()}));
    column->setSpacing(kHalfGrid);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Depth"), m_depth);
    form->addRow(QString(), m_depthNote);
    form->addRow(tr("Devi&ce"), m_device);
    form->addRow(tr("F&ormat"), m_dtype);
    form->addRow(tr("Power &source"), m_power);
    form->addRow(tr("Ta&gs"), m_tags);
    form->addRow(tr("E&xperiment"), m_experiment);
    column->addLayout(form);
    m_sampling->setContent(m_samplingFields);
    column->addWidget(m_sampling);
    m_measurement->setContent(buildMeasurement());
    column->addWidget(m_measurement);
    return more;
}

// How a run is measured: idle power before it, warm-up, repetitions and the pause between them.
QWidget* RunForm::buildMeasurement()
{
    auto* fields = new QWidget;
    auto* baseline = m_boxes.make<DecimalBox>(fields, u"baselineSeconds"_s, "baseline_seconds",
                                              tr("Seconds of idle power before the run"));
    auto* warmup =
        m_boxes.make<QSpinBox>(fields, u"warmupTokens"_s, "warmup_tokens", tr("Warm-up tokens"));
    auto* repeat = m_boxes.make<QSpinBox>(fields, u"repeatRuns"_s, "repeats", tr("Number of runs"));
    m_until = named(new QCheckBox(tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil), fields),
                    u"untilKnown"_s);
    auto* coolDown = m_boxes.make<DecimalBox>(fields, u"coolDownSeconds"_s, "cool_down_seconds",
                                              tr("Seconds between two runs"));
    baseline->setLeastDecimals(1);
    baseline->setSingleStep(1.0);
    baseline->setSpecialValueText(tr("none"));
    baseline->setToolTip(tr("Duration of the idle power measurement before the run; idle power "
                            "is subtracted for net energy"));
    warmup->setSpecialValueText(tr("none"));
    warmup->setToolTip(tr("Tokens to generate and discard before the run, so that caches and "
                          "clock frequencies settle"));
    repeat->setToolTip(tr("Repeats the run this many times, one after the other; statistics "
                          "need several"));
    m_until->setToolTip(tr("Repeat until the 95 % interval of the energy per token is within 2 % "
                           "of its mean, at most as often as above and for ten minutes"));
    m_until->setEnabled(false);
    coolDown->setLeastDecimals(1);
    coolDown->setSpecialValueText(tr("none"));
    coolDown->setToolTip(tr("Pause before every run except the first, so that the heat of one "
                            "run does not slow down the next"));
    coolDown->setEnabled(false);
    connect(repeat, &QSpinBox::valueChanged, this, [this, coolDown](int runs) {
        coolDown->setEnabled(runs > 1);
        m_until->setEnabled(runs >= session::kMinUntil);
        m_until->setText(runs >= session::kMinUntil
                             ? tr("Until ± 2 %")
                             : tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil));
    });
    auto* form = flush(new QFormLayout(fields));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Idle baseline"), baseline);
    form->addRow(tr("&Warm-up"), warmup);
    form->addRow(tr("Ru&ns"), repeat);
    form->addRow(QString(), m_until);
    form->addRow(tr("Pa&use between"), coolDown);
    return fields;
}

// Emits edited() whenever a field reports that the user has changed it.
void RunForm::tellOfEdits()
{
    const QMetaMethod signal = QMetaMethod::fromSignal(&RunForm::edited);
    for (const QWidget* field : m_fields->findChildren<QWidget*>()) {
        const QMetaProperty value = field->metaObject()->userProperty();
        if (value.hasNotifySignal())
            connect(field, value.notifySignal(), this, signal);
    }
}

void RunForm::readSettings(const Settings& settings)
{
    m_prompt->readSettings(settings);
    m_boxes.show(settings.run);
    chooseWord(m_depth, toQString(name(settings.run.depth)));
    const QString device = toQString(settings.run.load.device);
    chooseWord(m_device, device, deviceTitle(device));
    m_chosenFor = toPath(settings.modelFolder);
    const ModelChoice* choice = m_model->current();
    const bool known = choice && choice->folder == m_chosenFor && !choice->formats.empty();
    chooseFormat(*m_dtype, known ? choice->formats : formatsOfAnyModel(),
                 toQString(settings.run.load.dtype));
    m_samplingFields->readSettings(settings);
    m_more->setExpanded(settings.moreExpanded);
    m_sampling->setExpanded(settings.samplingExpanded);
    m_measurement->setExpanded(settings.measurementExpanded);
    m_experiment->setText(toQString(settings.run.experiment));
    m_power->setChoice(settings.run.power);
    m_tags->setText(settings.tags);

    std::vector<std::filesystem::path> folders = usualModelFolders();
    for (const QString& folder : settings.modelFolders)
        folders.push_back(toPath(folder));
    m_model->search(folders, toPath(settings.modelFolder));
    m_power->probe();
}

void RunForm::writeSettings(Settings& settings) const
{
    if (const ModelChoice* model = m_model->current())
        settings.modelFolder = pathText(model->folder);
    m_prompt->writeSettings(settings);
    m_boxes.read(settings.run);
    session::RunRequest& run = settings.run;
    run.depth = depthFromName(m_depth->currentData().toString().toStdString()).value_or(run.depth);
    run.load.device = m_device->currentData().toString().toStdString();
    run.load.dtype = m_dtype->currentData().toString().toStdString();
    m_samplingFields->writeSettings(settings);
    settings.moreExpanded = m_more->isExpanded();
    settings.samplingExpanded = m_sampling->isExpanded();
    settings.measurementExpanded = m_measurement->isExpanded();
    run.experiment = m_experiment->text().toStdString();
    run.power = m_power->choice();
    settings.tags = m_tags->text();
}

session::RunRequest RunForm::request() const
{
    Settings settings;
    writeSettings(settings);
    session::RunRequest request = settings.run;
    request.load.folder = toPath(settings.modelFolder);
    if (m_model->current() != nullptr)
        request.server = m_model->current()->server;
    std::vector<std::string> prompts = batchPrompts(settings.prompt);
    if (!prompts.empty()) {
        request.prompt = std::move(prompts.front());
        request.further_prompts.assign(prompts.begin() + 1, prompts.end());
    }
    request.conversations = m_prompt->conversations();
    request.template_variables = m_prompt->templateVariables();
    // Fields that are hidden keep what was typed.
    if (!request.conversations.empty())
        request.system.clear();
    else if (request.chat == session::ChatUse::Off)
        request.template_variables.clear();
    request.experiment = m_experiment->text().trimmed().toStdString();
    for (const QString& tag : settings.tags.split(u',', Qt::SkipEmptyParts)) {
        if (const QString trimmed = tag.trimmed(); !trimmed.isEmpty())
            request.tags.push_back(trimmed.toStdString());
    }
    return request;
}

void RunForm::setBusyElsewhere(const QString& reason)
{
    if (reason == m_busyElsewhere)
        return;
    m_busyElsewhere = reason;
    showState();
}

QString RunForm::problem() const
{
    if (!m_busyElsewhere.isEmpty())
        return m_busyElsewhere;
    if (!m_model->current())
        return tr("Choose a model.");
    if (!m_model->loadable())
        return tr("This model cannot be loaded.");
    const QString trouble = m_prompt->problem();
    if (!trouble.isEmpty())
        return trouble;
    const ModelFacts& model = m_model->current()->details;
    const auto tokens = static_cast<std::int64_t>(m_prompt->longestPrompt());
    if (model.context_length > 0 && tokens > model.context_length)
        return term(Message("The prompt has %1 tokens, but the context of %2 holds %3: shorten the "
                            "prompt.",
                            tokens, model.name, model.context_length));
    return m_power->problem();
}

void RunForm::setState(State state)
{
    m_fields->setEnabled(state == State::Ready);
    m_controls->setState(state, problem());
    Q_EMIT changed();
}

void RunForm::setRound(int round, int of)
{
    m_controls->setRound(round, of);
    showState();
}

std::optional<session::UntilKnown> RunForm::until() const
{
    return m_until->isEnabled() && m_until->isChecked() ? std::optional(session::UntilKnown())
                                                        : std::nullopt;
}

void RunForm::addStop(const QString& stop)
{
    m_samplingFields->addStop(stop);
    m_more->setExpanded(true);
    m_sampling->setExpanded(true);
}

// The text has one line for every depth, so that the fields below do not move.
void RunForm::depthChanged()
{
    const Depth depth =
        depthFromName(m_depth->currentData().toString().toStdString()).value_or(Depth::None);
    m_depthNote->setText(depth == Depth::None ? tr("Negligible overhead; no heatmap.")
                             : depth == Depth::Module
                             ? tr("Slightly slower; a run says by how much.")
                             : tr("Slower, and more energy."));
    m_depthNote->setToolTip(
        depth == Depth::Deep ? tr("Computes attention, norms and activations step by step: the "
                                  "text is the same, it costs more energy than normal inference.")
                             : QString());
}

void RunForm::showState()
{
    m_controls->showProblem(problem());
    Q_EMIT changed();
}

} // namespace ep::ui
