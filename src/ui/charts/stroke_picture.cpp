// SPDX-License-Identifier: GPL-3.0-or-later
#include "stroke_picture.h"

#include <QImage>
#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

// The colour with this coverage over what is there.
unsigned blended(unsigned below, const QColor& colour, double coverage)
{
    const double alpha = colour.alphaF() * coverage;
    const auto channel = [&](int value, unsigned under) {
        return static_cast<unsigned>(std::lround(value * alpha + under * (1.0 - alpha)));
    };
    return channel(255, below >> 24U) << 24U | channel(colour.red(), below >> 16U & 255U) << 16U
        | channel(colour.green(), below >> 8U & 255U) << 8U | channel(colour.blue(), below & 255U);
}

// Whether each device pixel along x belongs to a dash; empty: all of them do.
std::vector<bool> dashesOf(const QPen& pen, double ratio)
{
    std::vector<bool> drawn;
    bool dash = true;
    double end = 0.0;
    for (const qreal part : pen.dashPattern()) {
        end += part * pen.widthF() * ratio;
        drawn.resize(static_cast<std::size_t>(std::max(1L, std::lround(end))), dash);
        dash = !dash;
    }
    return drawn;
}

} // namespace

void StrokePicture::clear(const QRectF& area, double ratio)
{
    constexpr int kCacheLine = 16; // pixels
    m_ratio = ratio;
    m_left = std::floor(area.left() * ratio) / ratio;
    m_top = std::floor(area.top() * ratio) / ratio;
    m_columns = std::max(0, static_cast<int>(std::ceil((area.right() - m_left) * ratio)));
    m_rows = std::max(0, static_cast<int>(std::ceil((area.bottom() - m_top) * ratio)));
    // An odd number of cache lines: the pixels of a column lie in different sets of the cache.
    m_stride = kCacheLine * ((m_columns + kCacheLine - 1) / kCacheLine | 1);
    m_pixels.assign(static_cast<std::size_t>(m_stride) * static_cast<std::size_t>(m_rows), 0);
}

void StrokePicture::add(std::span<const viz::LaneStroke> strokes, const QPen& pen)
{
    const QColor colour = pen.color();
    const unsigned full = qPremultiply(colour.rgba());
    const std::vector<bool> dashes = dashesOf(pen, m_ratio);
    for (const viz::LaneStroke& stroke : strokes) {
        const long column = std::lround((stroke.x - m_left) * m_ratio);
        if (column < 0 || column >= m_columns)
            continue;
        if (!dashes.empty() && !dashes[static_cast<std::size_t>(column) % dashes.size()])
            continue;
        const double top = std::clamp((stroke.top - m_top) * m_ratio, 0.0, m_rows * 1.0);
        const double bottom = std::clamp((stroke.bottom - m_top) * m_ratio, 0.0, m_rows * 1.0);
        if (!(bottom > top))
            continue;
        unsigned* const pixels = m_pixels.data() + column;
        const auto pixel = [&](int row) -> unsigned& {
            return pixels[static_cast<std::ptrdiff_t>(row) * m_stride];
        };
        const int first = static_cast<int>(std::ceil(top));
        const int end = static_cast<int>(std::floor(bottom));
        if (first > end) { // inside of one pixel
            pixel(end) = blended(pixel(end), colour, bottom - top);
            continue;
        }
        if (first > top)
            pixel(first - 1) = blended(pixel(first - 1), colour, first - top);
        for (int row = first; row < end; ++row)
            pixel(row) = full;
        if (bottom > end)
            pixel(end) = blended(pixel(end), colour, bottom - end);
    }
}

void StrokePicture::paint(QPainter& painter) const
{
    if (m_pixels.empty())
        return;
    QImage image(reinterpret_cast<const uchar*>(m_pixels.data()), m_columns, m_rows,
                 static_cast<qsizetype>(m_stride) * 4, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_ratio);
    painter.drawImage(QPointF(m_left, m_top), image);
}

} // namespace ep::ui
