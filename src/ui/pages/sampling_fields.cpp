// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/sampling_fields.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kLeastContext = 2; // one token of the prompt, one of the answer

} // namespace

SamplingFields::SamplingFields(QWidget* parent)
    : QWidget(parent)
{
    auto* temperature = m_boxes.make<DecimalBox>(this, u"temperature"_s, "temperature");
    temperature->setSingleStep(0.1);
    temperature->setSpecialValueText(tr("0 (greedy)"));
    auto* topK = m_boxes.make<QSpinBox>(this, u"topK"_s, "top_k");
    topK->setSpecialValueText(tr("off"));
    auto* topP = m_boxes.make<DecimalBox>(this, u"topP"_s, "top_p");
    topP->setSingleStep(0.05);
    auto* minP = m_boxes.make<DecimalBox>(this, u"minP"_s, "min_p");
    minP->setSingleStep(0.01);
    minP->setSpecialValueText(tr("off"));
    minP->setToolTip(tr("Minimum probability of a token relative to the most likely one"));
    auto* penalty = m_boxes.make<DecimalBox>(this, u"repetitionPenalty"_s, "repetition_penalty");
    penalty->setSingleStep(0.05);
    penalty->setToolTip(tr("Makes tokens that already occur less likely; 1: off"));
    m_seed = named(new QLineEdit(this), u"seed"_s);
    m_seed->setText(u"0"_s);
    m_seed->setValidator(
        new QRegularExpressionValidator(QRegularExpression(u"[0-9]{1,15}"_s), m_seed));
    m_stop = named(new QLineEdit(this), u"stopEdit"_s);
    m_stop->setPlaceholderText(tr("Separated by commas"));
    m_stop->setToolTip(
        tr("Texts that end the generation; \\n is a line break, \\, is a comma. answer:fence, "
           "answer:json, answer:repetition and answer:regex:PATTERN end it when "
           "the answer is complete"));
    auto* batchSize = m_boxes.make<QSpinBox>(this, u"batchSize"_s, "batch_size");
    batchSize->setToolTip(tr("Number of copies of the prompt to generate in parallel"));

    m_context = named(new QSpinBox(this), u"contextLength"_s,
                      tr("Most tokens of prompt and answer together"));
    m_context->setGroupSeparatorShown(true);
    connect(m_context, &QSpinBox::valueChanged, this, [this](int tokens) {
        m_contextAsked = tokens < m_context->maximum() ? tokens : 0;
        tellOfContext();
    });
    setModel({});

    auto* form = new QFormLayout(this);
    form->setContentsMargins(2 * kGrid, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Temperature"), temperature);
    form->addRow(tr("Top-k"), topK);
    form->addRow(tr("Top-p"), topP);
    form->addRow(tr("Min-p"), minP);
    form->addRow(tr("Repetition penalty"), penalty);
    form->addRow(tr("Seed"), m_seed);
    form->addRow(tr("Stop texts"), m_stop);
    form->addRow(tr("Batch size"), batchSize);
    form->addRow(tr("Context length"), m_context);
}

void SamplingFields::readSettings(const Settings& settings)
{
    m_boxes.show(settings.run);
    m_seed->setText(QString::number(settings.run.sampling.seed));
    m_stop->setText(stopLine(settings.run.sampling.stop));
    m_contextAsked = settings.run.context_length;
    showContext();
}

void SamplingFields::writeSettings(Settings& settings) const
{
    m_boxes.read(settings.run);
    settings.run.sampling.seed = m_seed->text().toULongLong();
    settings.run.sampling.stop = stopTexts(m_stop->text());
    const bool all = m_context->isEnabled() && m_contextAsked >= m_context->maximum();
    settings.run.context_length = all ? 0 : m_contextAsked;
}

void SamplingFields::setModel(const ModelFacts& facts)
{
    const QSignalBlocker quiet(m_context);
    m_context->setEnabled(facts.context_length > kLeastContext);
    m_context->setRange(kLeastContext, std::max(kLeastContext, facts.context_length));
    m_bytesPerToken = facts.kv_bytes_per_token;
    // A repeated run states its context, usually the model's maximum, which must not limit another
    // model.
    if (m_contextAsked == facts.context_length)
        m_contextAsked = 0;
    showContext();
}

void SamplingFields::showContext()
{
    const QSignalBlocker quiet(m_context);
    const int most = m_context->maximum();
    m_context->setSpecialValueText(m_context->isEnabled() ? QString() : tr("not known"));
    m_context->setValue(m_contextAsked > 0 ? std::min(m_contextAsked, most) : most);
    m_context->setSuffix(tr(" of %1 tokens").arg(QLocale().toString(most)));
    tellOfContext();
}

void SamplingFields::tellOfContext()
{
    QString tip = tr("Prompt and answer together have at most this many tokens; when they are "
                     "reached, the answer ends.");
    if (m_bytesPerToken > 0 && m_context->isEnabled())
        tip += u'\n'
            + tr("Keys and values of all of them take %1 for each sequence of the batch.")
                  .arg(toQString(formatBytes(m_bytesPerToken * m_context->value())));
    m_context->setToolTip(tip);
}

void SamplingFields::addStop(const QString& stop)
{
    std::vector<std::string> stops = stopTexts(m_stop->text());
    if (std::find(stops.begin(), stops.end(), stop.toStdString()) != stops.end())
        return;
    stops.push_back(stop.toStdString());
    m_stop->setText(stopLine(stops));
}

QString stopLine(const std::vector<std::string>& stops)
{
    QStringList parts;
    for (const std::string& stop : stops) {
        QString part = toQString(stop);
        part.replace(u"\\"_s, u"\\\\"_s);
        part.replace(u"\n"_s, u"\\n"_s);
        part.replace(u"\t"_s, u"\\t"_s);
        part.replace(u","_s, u"\\,"_s);
        parts.append(part);
    }
    return parts.join(u',');
}

std::vector<std::string> stopTexts(const QString& line)
{
    std::vector<std::string> stops;
    QString text;
    const auto finish = [&] {
        if (!text.isEmpty())
            stops.push_back(text.toStdString());
        text.clear();
    };
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == u',') {
            finish();
        } else if (c == u'\\' && i + 1 < line.size()) {
            const QChar next = line[++i];
            text += next == u'n' ? QChar(u'\n') : next == u't' ? QChar(u'\t') : next;
        } else {
            text += c;
        }
    }
    finish();
    return stops;
}

} // namespace ep::ui
