// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"

#include "ep/core/answer_sections.h"
#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>

#include <cmath>

namespace ep::ui {

void TokenStreamView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const bool exporting = isBeingExported(*this);
    painter.setFont(font());
    const QRect area = viewport()->rect();
    painter.fillRect(area, m_theme.surface);
    if (m_tokens.empty()) {
        paintEmpty(painter, area, m_theme, m_emptyText);
    } else {
        const int legend =
            static_cast<int>(scaleLegendHeight(QFontMetricsF(font()), viewport()->width()));
        const QRect text = area.adjusted(0, 0, 0, -legend);
        const double top = verticalScrollBar()->value();
        painter.save();
        painter.setClipRect(text);
        painter.translate(0.0, -top);
        const auto [first, last] = m_flow.visible(top, top + text.height());
        for (std::size_t i = first; i < last; ++i)
            paintChip(painter, i, exporting);
        painter.restore();
        paintLegend(painter, QRect(text.left(), text.bottom() + 1, text.width(), legend));
    }
    if (hasFocus() && !exporting)
        paintFocusRing(painter, area, m_theme);
}

void TokenStreamView::paintChip(QPainter& painter, std::size_t index, bool exporting) const
{
    const Chip& chip = m_tokens[index];
    const QRectF rect = toRectF(m_flow.chip(index));
    if (colourValue(chip.token)) {
        const QColor fill = m_theme.scale(fraction(chip.token));
        painter.fillRect(rect, fill);
        painter.setPen(m_theme.textOn(fill));
    } else {
        // The hatching is below the line of text, so that it stays readable.
        paintMissing(painter, QRectF(rect.left(), rect.bottom() - 4.0, rect.width(), 4.0), m_theme);
        painter.setPen(m_theme.text);
    }
    paintElided(painter, rect.adjusted(kPadding, 0.0, 1.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                chip.text);
    if (chip.section == kThinkingSection) // a bar above the text, joined to that of the next token
        painter.fillRect(QRectF(rect.left(), rect.top() - 2.0, rect.width() + kSpacing, 2.0),
                         m_theme.mutedText);
    if (isAfterAnswer(chip.token)) {
        painter.setPen(QPen(m_theme.warning, 1.5));
        painter.drawLine(rect.topLeft() + QPointF(0.0, 1.0), rect.topRight() + QPointF(0.0, 1.0));
        painter.drawLine(rect.bottomLeft(), rect.topRight());
    }
    if (!matches(chip))
        paintVeil(painter, rect, m_theme);
    if (exporting)
        return;
    const auto& chosen =
        m_controller ? m_controller->selection().tokens : std::optional<viz::TokenRange>();
    painter.setBrush(Qt::NoBrush);
    if (index == m_cursor) {
        painter.setPen(QPen(m_theme.focus, 2.0));
        painter.drawRect(rect);
    } else if (chosen && chosen->contains(chip.token.index)) {
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 2.0, rect.width() + kSpacing, 2.0),
                         m_theme.focus);
    }
}

bool TokenStreamView::isAfterAnswer(const TokenSpan& token) const
{
    return m_controller && m_controller->answerEnd() && token.index >= *m_controller->answerEnd();
}

void TokenStreamView::paintLegend(QPainter& painter, const QRect& area) const
{
    painter.fillRect(area, m_theme.surface);
    painter.setPen(QPen(m_theme.grid, 1.0));
    painter.drawLine(area.topLeft(), area.topRight());
    viz::ScaleLegend legend;
    const bool energy = colouredByEnergy();
    const auto shown = [energy](double value) {
        return energy ? formatEnergy(Millijoules{value})
                      : formatDuration(std::llround(value * 1e6));
    };
    if (!m_scaled.empty()) {
        const auto& [low, high, exceeded] = scale();
        legend.low = shown(low);
        legend.high = (exceeded ? "≥ " : "") + shown(high);
    }
    if (energy) {
        if (m_withEnergy < count())
            legend.missing = provenanceLabel(Provenance::Missing).toStdString();
        legend.provenance = m_worst;
        const QString how = energyLabel(m_source, m_worst);
        legend.caption = m_sequencesAtOnce > 1 ? tr("Energy per step of %1 sequences · %2")
                                                     .arg(m_sequencesAtOnce)
                                                     .arg(how)
                                                     .toStdString()
                                               : tr("Energy per token · %1").arg(how).toStdString();
    } else {
        legend.caption = tr("Time per token · no energy recorded").toStdString();
    }
    paintScaleLegend(painter, QRectF(area).adjusted(kMargin, 1.0, -kMargin, 0.0), m_theme, legend);
}

} // namespace ep::ui
