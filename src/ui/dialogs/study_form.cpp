// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/study_form.h"

#include "dialogs/format_choices.h"
#include "dialogs/study_choices.h"
#include "study_text.h"
#include "text.h"

#include "ep/core/joined.h"
#include "ep/ui/rich_text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kVisibleRows = 5;

QListWidgetItem* addWord(QListWidget& list, const QString& word, const QString& title)
{
    auto* item = new QListWidgetItem(title, &list);
    item->setData(Qt::UserRole, word);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
    item->setCheckState(Qt::Unchecked);
    return item;
}

// A list of check boxes whose item data are the words.
QListWidget* checkList(const QString& id, const QStringList& words, const QStringList& checked,
                       QWidget* parent, QString (*titleOf)(const QString&) = nullptr)
{
    auto* list = new QListWidget(parent);
    list->setObjectName(id);
    for (const QString& word : words) {
        addWord(*list, word, titleOf ? titleOf(word) : word)
            ->setCheckState(checked.contains(word) ? Qt::Checked : Qt::Unchecked);
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
            item = addWord(list, data, toQString(std::filesystem::path(word).filename().string()));
            item->setToolTip(data);
        }
        item->setCheckState(Qt::Checked);
        list.scrollToItem(item);
    }
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

StudyForm::StudyForm(std::vector<model::ModelListing> models, QWidget* parent)
    : QWidget(parent)
    , m_known(std::move(models))
    , m_name(new QLineEdit(tr("study"), this))
    , m_prompts(new QPlainTextEdit(this))
    , m_batchSizes(new QLineEdit(u"1"_s, this))
    , m_outputTokens(new QLineEdit(u"64"_s, this))
    , m_repeats(new QSpinBox(this))
    , m_order(new QComboBox(this))
    , m_seed(new DecimalBox(this))
    , m_warmup(new QSpinBox(this))
    , m_baseline(new DecimalBox(this))
    , m_coolDown(new DecimalBox(this))
    , m_power(new QComboBox(this))
{
    buildCells();
    buildMeasurement();
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
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);

    connect(m_name, &QLineEdit::textChanged, this, &StudyForm::changed);
    connect(m_batchSizes, &QLineEdit::textChanged, this, &StudyForm::changed);
    connect(m_outputTokens, &QLineEdit::textChanged, this, &StudyForm::changed);
    connect(m_prompts, &QPlainTextEdit::textChanged, this, &StudyForm::changed);
    connect(m_repeats, &QSpinBox::valueChanged, this, &StudyForm::changed);
    for (QListWidget* list : {m_models, m_dtypes, m_depths, m_devices})
        connect(list, &QListWidget::itemChanged, this, &StudyForm::changed);
}

// Builds the fields that define the configurations of the study.
void StudyForm::buildCells()
{
    QStringList names;
    for (const model::ModelListing& listing : m_known) {
        if (listing.supported)
            names << toQString(listing.name);
    }
    m_models = checkList(u"studyModels"_s, names, names.mid(0, 1), this);
    m_dtypes = checkList(u"studyDtypes"_s, {}, {}, this);
    m_dtypes->setFixedHeight(m_dtypes->fontMetrics().height() * (kVisibleRows + 1));
    showFormats();
    checkWords(*m_dtypes, {"auto"});
    connect(m_models, &QListWidget::itemChanged, this, &StudyForm::showFormats);
    m_depths =
        checkList(u"studyDepths"_s, {u"none"_s, u"module"_s, u"deep"_s}, {u"module"_s}, this);
    m_name->setObjectName(u"studyName"_s);
    m_prompts->setObjectName(u"studyPrompts"_s);
    m_prompts->setPlaceholderText(tr("One prompt per paragraph"));
    m_prompts->setTabChangesFocus(true);
    m_prompts->setFixedHeight(m_prompts->fontMetrics().lineSpacing() * 5);
    m_devices = checkList(u"studyDevices"_s, deviceWords(), {u"auto"_s}, this, deviceTitle);
    m_batchSizes->setObjectName(u"studyBatchSizes"_s);
    m_outputTokens->setObjectName(u"studyOutputTokens"_s);
}

// Lists the formats with the sizes of the model, if it is the only one.
void StudyForm::showFormats()
{
    const std::vector<std::string> chosen = checkedWords(*m_models);
    const auto known = chosen.size() == 1
        ? std::ranges::find(m_known, chosen.front(), &model::ModelListing::name)
        : m_known.end();
    const std::filesystem::path model = known == m_known.end() ? "" : known->path;
    if (m_dtypes->count() > 0 && model == m_formatsOf)
        return;
    m_formatsOf = model;
    const std::vector<std::string> checked = checkedWords(*m_dtypes);
    const QSignalBlocker quiet(m_dtypes);
    m_dtypes->clear();
    for (const model::SizedFormat& format : model.empty() ? formatsOfAnyModel() : formatsOf(model))
        addWord(*m_dtypes, toQString(format.word), formatTitle(format))
            ->setToolTip(richText(formatHint(format)));
    checkWords(*m_dtypes, checked);
}

// How each configuration is measured.
void StudyForm::buildMeasurement()
{
    m_repeats->setObjectName(u"studyRepeats"_s);
    m_boxes.add(*m_repeats, "repeats");
    m_order->addItem(tr("interleaved"), u"interleaved"_s);
    m_order->addItem(tr("random"), u"random"_s);
    m_order->addItem(tr("as listed"), u"listed"_s);
    const session::SettingValues& seeds = session::runSetting("seed").values;
    m_seed->setObjectName(u"studySeed"_s);
    m_seed->setDecimals(0);
    m_seed->setLeastDecimals(0);
    m_seed->setRange(seeds.least, seeds.most);
    m_seed->setValue(1);
    m_boxes.add(*m_warmup, "warmup_tokens");
    m_warmup->setSuffix(tr(" tokens at most"));
    m_boxes.add(*m_baseline, "baseline_seconds");
    m_boxes.add(*m_coolDown, "cool_down_seconds");
    m_power->setObjectName(u"studyPower"_s);
    addPowerSources(*m_power, true);
    m_boxes.show(m_base.run);
}

QString StudyForm::power() const
{
    return m_power->currentText();
}

void StudyForm::setPower(const QString& source)
{
    m_power->setCurrentIndex(m_power->findText(source));
}

void StudyForm::setSpec(const session::StudySpec& spec)
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
    checkWords(*m_dtypes, spec.values("dtype"));
    checkWords(*m_depths, spec.values("profiling_depth"));
    checkWords(*m_devices, spec.values("device"));
    m_batchSizes->setText(toQString(ep::joined(spec.values("batch_size"))));
    m_outputTokens->setText(toQString(ep::joined(spec.values("max_new_tokens"))));
    m_boxes.show(spec.run);
    m_order->setCurrentIndex(m_order->findData(toQString(name(spec.order))));
    m_seed->setValue(static_cast<double>(spec.seed));
    m_power->setCurrentIndex(std::max(0, m_power->findText(toQString(spec.run.power.kind))));
    Q_EMIT changed();
}

Result<session::StudySpec> StudyForm::spec() const
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
    std::vector<std::string>& formats = spec.values("dtype");
    formats = checkedWords(*m_dtypes);
    std::ranges::stable_sort(formats, {}, [base = m_base.values("dtype")](const std::string& word) {
        return std::ranges::find(base, word) - base.begin(); // new ones last
    });
    if (formats.empty())
        return missing(tr("Choose at least one number format."));
    spec.values("profiling_depth") = checkedWords(*m_depths);
    if (spec.values("profiling_depth").empty())
        return missing(tr("Choose at least one depth."));
    spec.values("batch_size") = valuesIn(m_batchSizes->text(), "batch_size");
    if (spec.values("batch_size").empty())
        return missing(tr("Write the batch sizes as numbers, such as 1, 4."));
    spec.values("max_new_tokens") = valuesIn(m_outputTokens->text(), "max_new_tokens");
    if (spec.values("max_new_tokens").empty())
        return missing(tr("Write the tokens to generate as numbers, such as 64, 256."));
    spec.values("device") = checkedWords(*m_devices);
    if (spec.values("device").empty())
        return missing(tr("Choose at least one device."));
    m_boxes.read(spec.run);
    for (const auto order : {session::StudyOrder::Interleaved, session::StudyOrder::Random,
                             session::StudyOrder::Listed}) {
        if (m_order->currentData().toString().toStdString() == name(order))
            spec.order = order;
    }
    spec.seed = static_cast<std::uint64_t>(m_seed->value());
    spec.run.power.kind = m_power->currentText().toStdString();
    return spec;
}

} // namespace ep::ui
