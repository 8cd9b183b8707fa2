// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_panel.h"

#include "diagnosis_text.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/elided_label.h"
#include "widgets/fit_to_text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/tally.h"
#include "ep/core/utf8.h"
#include "ep/energy/quality.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/ui/to_qstring.h"
#include "ep/viz/metric.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>

#include <algorithm>
#include <map>
#include <utility>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxRanked = 5;
constexpr std::size_t kTokenBytes = 12;
constexpr double kNanosecondsPerSecond = 1e9;

// Joules or seconds; absent unless completely known.
std::optional<double> amountOf(const Tally& sum, bool ofTime)
{
    if (ofTime)
        return static_cast<double>(sum.duration_ns) / kNanosecondsPerSecond;
    const auto energy = sum.complete();
    return energy ? std::optional(energy->value / kMillijoulesPerJoule) : std::nullopt;
}

struct Ranked {
    double amount;
    RankedBar bar;
};

Ranked ranked(double amount, const std::string& title, const energy::CausePlace& place)
{
    Ranked one{.amount = amount, .bar = {}};
    one.bar.bar.title = title;
    one.bar.bar.place = place;
    return one;
}

std::vector<Ranked> rankedPhases(const Run& run, bool ofTime)
{
    std::vector<Ranked> all;
    for (const PhaseSpan& span : run.trace.phases) {
        if (const auto amount = amountOf(tallyOf(span.time, span.energy), ofTime))
            all.push_back(ranked(*amount, std::string(viz::title(span.phase)),
                                 {.chart = "phases", .phase = span.phase}));
    }
    return all;
}

std::vector<Ranked> rankedLayers(const std::vector<ComponentTotal>& totals, bool ofTime)
{
    std::map<std::int32_t, Tally> layers;
    for (const ComponentTotal& total : totals) {
        if (total.layer != kNoLayer)
            layers[total.layer].add(total.sum);
    }
    std::vector<Ranked> all;
    for (const auto& [layer, sum] : layers) {
        const auto amount = amountOf(sum, ofTime);
        if (!amount)
            continue;
        all.push_back(
            ranked(*amount, said("Layer %1", std::to_string(layer)), {.chart = "heatmap"}));
        all.back().bar.layer = layer;
    }
    return all;
}

std::vector<Ranked> rankedTokens(const Run& run, bool ofTime)
{
    std::vector<Ranked> all;
    for (const TokenSpan& token : run.trace.tokens) {
        const auto amount = amountOf(tallyOf(token.time, token.energy), ofTime);
        if (!amount)
            continue;
        all.push_back(ranked(*amount,
                             said("Token %1 “%2”", std::to_string(token.index),
                                  previewUtf8(token.text, kTokenBytes)),
                             {.chart = "tokens"}));
        all.back().bar.token = token.index;
    }
    return all;
}

using namespace Qt::Literals::StringLiterals;

constexpr int kBarHeight = kHalfGrid + 1;

} // namespace

AnswerBar::AnswerBar(QWidget* parent)
    : QAbstractButton(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Show where this is in the charts"));
    setType(*this, TypeSize::Body);
    connect(this, &QAbstractButton::clicked, this, [this] { Q_EMIT placeRequested(m_bar.place); });
}

void AnswerBar::showBar(const session::AnswerBar& bar)
{
    m_bar = bar;
    m_value = toQString(bar.amount + " · " + formatPercent(bar.share));
    setText(term(bar.title));
    setAccessibleName(u"%1: %2"_s.arg(text(), m_value));
    update();
}

QSize AnswerBar::sizeHint() const
{
    return {20 * kGrid, fontMetrics().height() + kBarHeight + kGrid};
}

int AnswerBar::widthNeeded() const
{
    return fontMetrics().horizontalAdvance(text()) + fontMetrics().horizontalAdvance(m_value)
        + 2 * kGrid + kHalfGrid;
}

QSize AnswerBar::minimumSizeHint() const
{
    return {10 * kGrid, sizeHint().height()};
}

void AnswerBar::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::fromPalette(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect inner = rect().adjusted(kHalfGrid, 2, -kHalfGrid, -2);
    const int line = fontMetrics().height();
    const QRect words(inner.left(), inner.top(), inner.width(), line);
    painter.setPen(theme.mutedText);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_value);
    painter.setPen(theme.text);
    const int room = words.width() - fontMetrics().horizontalAdvance(m_value) - kGrid;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, room));
    QRectF track(inner.left(), inner.top() + line + 2, inner.width(), kBarHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.grid);
    painter.drawRoundedRect(track, 2.0, 2.0);
    track.setWidth(std::max(2.0, track.width() * m_bar.share));
    painter.setBrush(theme.focus);
    painter.drawRoundedRect(track, 2.0, 2.0);
    if (hasFocus()) {
        QStyleOptionFocusRect ring;
        ring.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &ring, &painter, this);
    }
}

std::vector<RankedBar> rankedBars(const session::Explanation& explanation, const Run& run,
                                  const std::vector<ComponentTotal>& totals, AnswerBy by)
{
    std::vector<RankedBar> bars;
    if (by == AnswerBy::Part) {
        for (const session::AnswerBar& bar : explanation.bars)
            bars.push_back({.bar = bar, .layer = {}, .token = {}});
        return bars;
    }
    const energy::Spending spending = energy::spendingOf(explanation.diagnosis);
    std::vector<Ranked> all = by == AnswerBy::Phase ? rankedPhases(run, spending.of_time)
        : by == AnswerBy::Layer                     ? rankedLayers(totals, spending.of_time)
                                                    : rankedTokens(run, spending.of_time);
    std::ranges::stable_sort(all, std::ranges::greater(), &Ranked::amount);
    for (Ranked& one : all) {
        if (bars.size() == kMaxRanked || !(one.amount > 0.0) || !(spending.total > 0.0))
            break;
        one.bar.bar.amount = energy::formatAmount(spending, one.amount);
        one.bar.bar.share = std::min(1.0, one.amount / spending.total);
        bars.push_back(std::move(one.bar));
    }
    return bars;
}

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(named(new ElidedLabel(this), u"answerSentence"_s))
    , m_figures(named(new ElidedLabel(this), u"runFigures"_s))
    , m_reason(named(new ElidedLabel(this), u"answerReason"_s))
    , m_by(named(new QComboBox(this), u"answerBy"_s, tr("What the energy is divided by")))
{
    setObjectName(u"answerPanel"_s);
    setType(*m_sentence, TypeSize::Title, true);
    m_figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMuted(*m_figures);
    auto* bars = new QHBoxLayout;
    bars->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        auto* bar = named(new AnswerBar(this), u"answerBar%1"_s.arg(i));
        // Reserves the bars' height, so that the charts do not move when bars arrive.
        QSizePolicy policy = bar->sizePolicy();
        policy.setRetainSizeWhenHidden(i == 0);
        bar->setSizePolicy(policy);
        connect(bar, &QAbstractButton::clicked, this, [this, i] { follow(i); });
        bars->addWidget(bar, 1);
        m_bars[i] = bar;
    }
    m_by->setToolTip(m_by->accessibleName());
    for (const auto& [title, by] :
         {std::pair{tr("By part"), AnswerBy::Part}, std::pair{tr("By phase"), AnswerBy::Phase},
          std::pair{tr("By layer"), AnswerBy::Layer}, std::pair{tr("By token"), AnswerBy::Token}})
        m_by->addItem(title, static_cast<int>(by));
    fitToText(*m_by);
    QSizePolicy kept = m_by->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // so that the charts do not move when the answer arrives
    m_by->setSizePolicy(kept);
    connect(m_by, &QComboBox::currentIndexChanged, this, &AnswerPanel::showBars);
    m_reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    bars->addWidget(m_by);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* column = inColumn(this, {m_sentence, m_reason, m_figures, bars});
    column->setContentsMargins(0, kHalfGrid, 0, 0);
    column->setSpacing(kHalfGrid);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setExplanation(nullptr);
}

void AnswerPanel::setRun(const RunPtr& run, std::vector<ComponentTotal> totals)
{
    m_run = run;
    m_totals = std::move(totals);
    setExplanation(nullptr);
}

void AnswerPanel::showFigures(const RunInfo& info, const RunMetrics& metrics)
{
    showLine(energyText(metrics.energy.total_mj), info, metrics);
    m_figures->setToolTip(
        richText(explainedEnergyLabel(info.power.source, metrics.energy.provenance)));
}

void AnswerPanel::showFigures(const Run& run)
{
    showFigures(run.info, run.metrics);
    const Tally known = knownEnergy(run);
    if (!known.partial())
        return;
    showLine(toQString(formatEnergy(known)), run.info, run.metrics);
    const double covered =
        static_cast<double>(known.energy_duration_ns) / static_cast<double>(known.duration_ns);
    m_figures->setToolTip(richText(tr("At least: samples cover %1 of the run.")
                                       .arg(toQString(energy::coverageText(covered)))));
}

void AnswerPanel::setFiguresShown(bool shown)
{
    m_figures->setVisible(shown);
}

// Figures that a part of a run does not have are left out.
void AnswerPanel::showLine(const QString& energy, const RunInfo& info, const RunMetrics& metrics)
{
    QStringList figures{energy};
    for (const auto figure :
         {RunFigure::JoulesPerToken, RunFigure::TokensPerSecond, RunFigure::Duration}) {
        if (const auto value = valueOf(figure, info, metrics))
            figures << toQString(formatFigure(figure, value));
    }
    if (const auto first = valueOf(RunFigure::TimeToFirstToken, info, metrics))
        figures << tr("first token after %1")
                       .arg(toQString(formatFigure(RunFigure::TimeToFirstToken, first)));
    m_figures->setText(figures.join(u" · "_s));
}

void AnswerPanel::setExplanation(const ExplanationPtr& explanation)
{
    m_explanation = explanation;
    fillSentences();
    m_reason->setText(explanation ? leadText(*explanation) : QString());
    m_reason->setToolTip({}); // belonged to the previous run
    showBars();
}

void AnswerPanel::fillSentences()
{
    m_sentences = m_explanation ? answerTexts(m_explanation->diagnosis) : QStringList{QString()};
    m_sentence->setToolTip(richText(m_sentences.front()));
}

void AnswerPanel::showBars()
{
    m_shown.clear();
    if (m_explanation && m_run)
        m_shown = rankedBars(*m_explanation, *m_run, m_totals,
                             static_cast<AnswerBy>(m_by->currentData().toInt()));
    m_shown.resize(std::min(m_shown.size(), m_bars.size()));
    for (std::size_t i = 0; i < m_shown.size(); ++i)
        m_bars[i]->showBar(m_shown[i].bar);
    showWhatFits();
}

void AnswerPanel::follow(std::size_t bar)
{
    if (bar >= m_shown.size())
        return;
    const RankedBar& chosen = m_shown[bar];
    Q_EMIT placeRequested(chosen.bar.place);
    if (chosen.layer)
        Q_EMIT layerRequested(*chosen.layer);
    if (chosen.token)
        Q_EMIT tokenRequested(*chosen.token);
}

void AnswerPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

// Shows the longest sentence that fits. Bars have equal widths; bars that do not fit are in
// Why.
void AnswerPanel::showWhatFits()
{
    const auto fits = std::ranges::find_if(m_sentences, [this](const QString& sentence) {
        return m_sentence->fontMetrics().horizontalAdvance(sentence) <= width();
    });
    const QString& sentence = fits == m_sentences.end() ? m_sentences.back() : *fits;
    if (m_sentence->text() != sentence)
        m_sentence->setText(sentence);
    m_by->setVisible(m_explanation != nullptr && !m_explanation->bars.empty());
    std::size_t fit = 0;
    int widest = 0;
    while (fit < m_shown.size()) {
        widest = std::max(widest, m_bars[fit]->widthNeeded());
        const int room = width() - m_by->sizeHint().width();
        if (fit > 0 && (widest + 2 * kGrid) * static_cast<int>(fit + 1) > room)
            break;
        ++fit;
    }
    for (std::size_t i = 0; i < m_bars.size(); ++i)
        m_bars[i]->setVisible(i < fit);
}

} // namespace ep::ui
