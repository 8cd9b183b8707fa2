// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chip.h"

#include "theme/design.h"

#include "ep/ui/rich_text.h"
#include "ep/ui/theme.h"

#include <QPainter>

namespace ep::ui {

Chip::Chip(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setContentsMargins(kGrid, kHalfGrid, kGrid, kHalfGrid);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setType(*this, TypeSize::Small);
}

void Chip::showFact(const QString& text, const QString& explanation, Tone tone)
{
    m_tone = tone;
    setText(text);
    setToolTip(richText(explanation));
    setAccessibleDescription(explanation);
    update();
}

void Chip::paintEvent(QPaintEvent* event)
{
    const Theme theme = Theme::fromPalette(palette());
    const QColor line = m_tone == Tone::Good ? theme.success
        : m_tone == Tone::Doubtful           ? theme.warning
                                             : theme.grid;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1.0, m_tone == Tone::Doubtful ? Qt::DashLine : Qt::SolidLine));
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(frame, frame.height() / 2.0, frame.height() / 2.0);
    painter.end();
    QLabel::paintEvent(event);
}

void ProvenanceBadge::showEnergyOf(const PowerInfo& power, Provenance provenance)
{
    const QString text = tr("energy %1").arg(energyLabel(power.source, provenance));
    const bool doubtful = !powerOriginLabel(power.source).isEmpty()
        || provenance == Provenance::Modelled || provenance == Provenance::Missing;
    showFact(text, energyExplanation(power.source, provenance),
             doubtful                                 ? Tone::Doubtful
                 : provenance == Provenance::Measured ? Tone::Good
                                                      : Tone::Plain);
}

} // namespace ep::ui
