// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sparkline.h"

#include "theme/design.h"

#include "ep/ui/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <limits>
#include <utility>

namespace ep::ui {

Sparkline::Sparkline(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Sparkline::showValues(std::vector<std::optional<double>> values, int marked,
                           const QString& description)
{
    m_values = std::move(values);
    m_marked = marked;
    setAccessibleDescription(description);
    setToolTip(description);
    update();
}

QSize Sparkline::sizeHint() const
{
    return {20 * kGrid, 5 * kGrid};
}

void Sparkline::paintEvent(QPaintEvent*)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const auto& value : m_values) {
        if (value) {
            low = std::min(low, *value);
            high = std::max(high, *value);
        }
    }
    if (high < low)
        return;
    const Theme theme = Theme::fromPalette(palette());
    const QRectF plot = QRectF(rect()).adjusted(kHalfGrid, kHalfGrid, -kHalfGrid, -kHalfGrid);
    const double span = high > low ? high - low : 1.0;
    const auto last = static_cast<double>(std::max<std::size_t>(1, m_values.size() - 1));
    const auto place = [&](std::size_t i) {
        const double fraction = high > low ? (*m_values[i] - low) / span : 0.5;
        return QPointF(plot.left() + plot.width() * static_cast<double>(i) / last,
                       plot.bottom() - plot.height() * fraction);
    };
    QPainterPath line;
    bool drawing = false;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        if (!m_values[i])
            drawing = false;
        else if (std::exchange(drawing, true))
            line.lineTo(place(i));
        else
            line.moveTo(place(i));
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.outline, 1.5));
    painter.drawPath(line);
    const auto index = static_cast<std::size_t>(m_marked);
    if (m_marked >= 0 && index < m_values.size() && m_values[index]) {
        painter.setPen(QPen(theme.surface, 1.5));
        painter.setBrush(theme.focus);
        painter.drawEllipse(place(index), 4.0, 4.0);
    }
}

} // namespace ep::ui
