// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_header.h"

#include "models/figure_cards.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/chip.h"
#include "widgets/elided_label.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/energy/baseline.h"
#include "ep/energy/figures.h"
#include "ep/energy/quality.h"
#include "ep/power/source.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kHeaderPromptCharacters = 160;
constexpr std::size_t kPopupPromptCharacters = 1000;

// The prompt in quotes, or the recorded command, which has none.
QString askedText(const RunInfo& info, std::size_t characters)
{
    if (!info.prompt.empty())
        return u"“"_s + toQString(previewUtf8(info.prompt, characters)).simplified() + u"”"_s;
    const auto& command = info.profiling.command;
    return command ? toQString(previewUtf8(commandText(command->arguments), characters))
                   : QString();
}

// What recording cost, and its effect if that was measured.
QStringList recordingFacts(const Run& run)
{
    const ProfilingRecord& record = run.info.profiling;
    QStringList facts;
    if (record.cost_ns > 0 && run.metrics.duration_ns > 0) {
        facts << RunHeader::tr("recording overhead %1")
                     .arg(toQString(formatPercent(static_cast<double>(record.cost_ns)
                                                  / static_cast<double>(run.metrics.duration_ns))));
    }
    if (record.twin) {
        if (const auto change = perturbationOf(*record.twin)) {
            facts << RunHeader::tr("%1%2 compared with a run without recording")
                         .arg(*change < 0.0 ? u"−"_s : u"+"_s,
                              toQString(formatPercent(std::abs(*change))));
        }
        if (const auto clean = joulesPerTokenUnrecorded(run.info, run.metrics))
            facts << RunHeader::tr("%1 without recording").arg(energyPerTokenText(clean));
        if (record.twin->different_tokens > 0)
            facts << RunHeader::tr("%1 tokens differ").arg(record.twin->different_tokens);
    }
    if (record.exact_slowdown)
        facts << RunHeader::tr("exact, %1 times slower")
                     .arg(toQString(formatSignificant(*record.exact_slowdown)));
    return facts;
}

// Net energy, method, quality, cost and emissions, if known.
QStringList energyFacts(const Run& run, const energy::Tariff& tariff)
{
    const PowerInfo& power = run.info.power;
    QStringList facts;
    const auto& total = run.metrics.energy.total_mj;
    const Nanoseconds duration = run.metrics.duration_ns;
    if (const auto net = energy::netEnergy(total, duration, power.baseline)) {
        QString text = energyText(net);
        const EnergyValue& gross = run.metrics.energy;
        if (const auto sd = energy::netDeviation(statedDeviation(gross.sd_mj, gross.provenance),
                                                 duration, power.baseline))
            text += u' ' + intervalText(*sd);
        facts << RunHeader::tr("net %1").arg(text);
    }
    if (power.attribution)
        facts << RunHeader::tr("attributed by %1").arg(term(name(power.attribution->method)));
    if (power.quality)
        facts << RunHeader::tr("quality %1").arg(term(name(power.quality->verdict)));
    if (total) {
        facts << RunHeader::tr("%1, %2 CO₂")
                     .arg(toQString(formatMoney(energy::costUsd(*total, tariff))),
                          toQString(formatMass(energy::emittedGrams(*total, tariff))));
    }
    return facts;
}

// The sentences that explain the chips.
QString energyReasons(const PowerInfo& power)
{
    QStringList lines;
    if (power.detail != power::SourceChoice().reason) // the chip already says that it was chosen
        lines << term(power.detail);
    if (power.attribution && !power.attribution->note.empty())
        lines << RunHeader::tr("Attributed by %1: %2.")
                     .arg(term(name(power.attribution->method)), term(power.attribution->note));
    if (power.attribution && power.attribution->method == AttributionMethod::Calibrated) {
        lines << RunHeader::tr("The calibration is for decoded tokens: prefill uses other kernels "
                               "and is split without it.");
    }
    if (power.quality) {
        for (const std::string& reason : power.quality->reasons)
            lines << term(reason);
    }
    return lines.join(u'\n');
}

constexpr int kPopupWidth = 52 * kGrid;

} // namespace

FactsPopup::FactsPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_prompt(new QLabel(this))
    , m_facts(named(new QLabel(this), u"runFacts"_s))
    , m_reasons(named(new QLabel(this), u"runReasons"_s))
{
    setObjectName(u"runFactsPopup"_s);
    setFrameShape(QFrame::StyledPanel);
    setMuted(*m_reasons);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    for (QLabel* label : {m_prompt, m_facts, m_reasons}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setWordWrap(true);
        column->addWidget(label);
    }
}

void FactsPopup::showFacts(const QString& prompt, const QStringList& facts, const QString& reasons)
{
    m_prompt->setText(prompt);
    m_prompt->setHidden(prompt.isEmpty());
    m_facts->setText(facts.join(u'\n'));
    m_reasons->setText(reasons);
    m_reasons->setVisible(!reasons.isEmpty());
}

void FactsPopup::openBelow(const QWidget& mark)
{
    const QRect screen = mark.screen()->availableGeometry();
    setFixedWidth(std::min(kPopupWidth, screen.width()));
    adjustSize();
    QPoint at = mark.mapToGlobal(QPoint(mark.width() - width(), mark.height()));
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::min(at.y(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    setFocus();
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent)
    , m_titleRow(new QHBoxLayout(this))
    , m_title(named(new ElidedLabel(this), u"runTitle"_s))
    , m_prompt(new ElidedLabel(this))
    , m_status(named(new Chip(this), u"runStatus"_s))
    , m_quality(named(new Chip(this), u"runQuality"_s))
    , m_badge(named(new ProvenanceBadge(this), u"runProvenance"_s))
    , m_info(iconButton(u"runInfo"_s, "info"_L1, tr("All facts of this run"), this))
    , m_popup(new FactsPopup(this))
{
    m_prompt->setObjectName(u"runPrompt"_s);
    setType(*m_title, TypeSize::Body, true);
    setMuted(*m_prompt);
    m_prompt->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(m_info, &QToolButton::clicked, this, [this] { m_popup->openBelow(*m_info); });

    m_titleRow->setSpacing(kGrid);
    m_titleRow->addWidget(m_title);
    m_titleRow->addWidget(m_prompt, 1);
    for (Chip* chip : {m_status, m_quality, static_cast<Chip*>(m_badge)})
        m_titleRow->addWidget(chip);
    m_titleRow->addWidget(m_info);
    m_titleRow->setContentsMargins(0, 0, 0, 0);
}

void RunHeader::addToTitle(QWidget* widget)
{
    m_titleRow->insertWidget(m_titleRow->count() - 1, widget); // the information mark is last
}

void RunHeader::addBeforeTitle(QWidget* widget)
{
    m_titleRow->insertWidget(0, widget);
}

void RunHeader::showRun(const Run& run, const energy::Tariff& tariff)
{
    showChips(run);
    showFacts(run, tariff);
}

void RunHeader::showChips(const Run& run)
{
    const RunInfo& info = run.info;
    // An imported recording need not have a model or a prompt.
    const std::string& subject = info.model.name.empty() ? info.title : info.model.name;
    m_title->setText(tr("%1 — %2").arg(toQString(subject), dateText(info.created_at_ms)));
    QString prompt = askedText(info, kHeaderPromptCharacters);
    if (info.batch.size() > 1)
        prompt = tr("%1 and %2 more").arg(prompt).arg(info.batch.size() - 1);
    m_prompt->setText(prompt);
    m_prompt->setToolTip(richText(info.prompt));
    m_status->setVisible(info.status != RunStatus::Complete);
    m_status->showFact(statusText(info.status), term(info.status_message), Chip::Tone::Doubtful);
    const bool poor = info.power.quality && info.power.quality->verdict == QualityVerdict::Poor;
    m_quality->setVisible(poor);
    if (poor) {
        QStringList reasons;
        for (const std::string& reason : info.power.quality->reasons)
            reasons << term(reason);
        m_quality->showFact(tr("quality %1").arg(term(name(info.power.quality->verdict))),
                            reasons.join(u'\n'), Chip::Tone::Doubtful);
    }
    m_badge->showEnergyOf(info.power, run.metrics.energy.provenance);
}

void RunHeader::showFacts(const Run& run, const energy::Tariff& tariff)
{
    const RunInfo& info = run.info;
    QStringList facts{statusText(info.status),
                      tr("%1 tokens in, %2 out")
                          .arg(toQString(tokensText(inputTokens(info))),
                               toQString(tokensText(outputTokens(info)))),
                      info.profiling.server ? serverText(run)
                                            : toQString(info.device + " " + info.dtype) + u" · "_s
                              + tr("depth %1").arg(term(name(info.depth))),
                      tr("power: %1").arg(sourceText(info.power.source))};
    if (const QString model = factsText(info.model); !model.isEmpty())
        facts << model;
    facts << energyFacts(run, tariff) << recordingFacts(run);
    for (const std::string& note : {info.status_message, info.power.notice}) {
        if (!note.empty())
            facts << term(note);
    }
    facts << serverRefusals(run);
    m_popup->showFacts(askedText(info, kPopupPromptCharacters), facts, energyReasons(info.power));
}

} // namespace ep::ui
