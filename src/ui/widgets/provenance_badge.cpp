// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/provenance_badge.h"

#include "ep/ui/theme.h"

#include <QPainter>

namespace ep::ui {

ProvenanceBadge::ProvenanceBadge(QWidget* parent)
    : QLabel(parent)
{
    setContentsMargins(8, 2, 8, 2);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setProvenance(Provenance::Missing);
}

void ProvenanceBadge::setProvenance(Provenance provenance)
{
    m_provenance = provenance;
    setText(tr("energy %1").arg(provenanceLabel(provenance)));
    setToolTip(provenanceExplanation(provenance));
    update();
}

void ProvenanceBadge::paintEvent(QPaintEvent* event)
{
    const Theme theme = Theme::fromPalette(palette());
    QColor line = theme.outline;
    if (m_provenance == Provenance::Measured)
        line = theme.success;
    else if (m_provenance == Provenance::Modelled || m_provenance == Provenance::Missing)
        line = theme.warning;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(
        QPen(line, 1.0, m_provenance == Provenance::Measured ? Qt::SolidLine : Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    painter.end();
    QLabel::paintEvent(event);
}

} // namespace ep::ui
