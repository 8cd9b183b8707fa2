// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_panel.h"

#include "diagnosis_text.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/answer_bar.h"
#include "widgets/elided_label.h"
#include "widgets/fit_to_text.h"

#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/energy/quality.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new ElidedLabel(this))
    , m_figures(new ElidedLabel(this))
    , m_reason(new ElidedLabel(this))
    , m_by(new QComboBox(this))
{
    setObjectName(u"answerPanel"_s);
    m_sentence->setObjectName(u"answerSentence"_s);
    setType(*m_sentence, TypeSize::Title, true);
    m_figures->setObjectName(u"runFigures"_s);
    m_figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMuted(*m_figures);
    m_reason->setObjectName(u"answerReason"_s);
    auto* bars = new QHBoxLayout;
    bars->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        auto* bar = new AnswerBar(this);
        bar->setObjectName(u"answerBar%1"_s.arg(i));
        // Reserves the bars' height, so that the charts do not move when bars arrive.
        QSizePolicy policy = bar->sizePolicy();
        policy.setRetainSizeWhenHidden(i == 0);
        bar->setSizePolicy(policy);
        connect(bar, &QAbstractButton::clicked, this, [this, i] { follow(i); });
        bars->addWidget(bar, 1);
        m_bars[i] = bar;
    }
    m_by->setObjectName(u"answerBy"_s);
    m_by->setAccessibleName(tr("What the energy is divided by"));
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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kHalfGrid, 0, 0);
    column->setSpacing(kHalfGrid);
    column->addWidget(m_sentence);
    column->addWidget(m_reason);
    column->addWidget(m_figures);
    column->addLayout(bars);
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
