// SPDX-License-Identifier: GPL-3.0-or-later
#include "stroke_picture.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace ep::ui {

namespace {

constexpr int kCacheLine = 16; // pixels
constexpr int kTile = 4 * kCacheLine; // columns

// Blends a premultiplied colour with this coverage under what is already there.
unsigned blendedUnder(unsigned above, unsigned colour, double coverage)
{
    const double share = coverage * (255U - (above >> 24U)) / 255.0;
    unsigned result = 0;
    for (const unsigned shift : {0U, 8U, 16U, 24U}) {
        const double below = (colour >> shift & 255U) * share;
        result |= std::min(255U, static_cast<unsigned>((above >> shift & 255U) + below + 0.5))
            << shift;
    }
    return result;
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

struct StrokePicture::Ink {
    Ink(const QPen& pen, double ratio)
        : colour(qPremultiply(pen.color().rgba()))
        , dashes(dashesOf(pen, ratio))
    {
    }

    bool covers(int column) const
    {
        return dashes.empty() || dashes[static_cast<std::size_t>(column) % dashes.size()];
    }

    unsigned colour; // premultiplied
    std::vector<bool> dashes;
};

// Rows of a column that an upper stroke has filled, where nothing is drawn any more.
struct StrokePicture::Filled {
    int first = 0;
    int end = 0;

    void add(int from, int to)
    {
        if (from <= end && to >= first && end > first) {
            first = std::min(first, from);
            end = std::max(end, to);
        } else if (to - from > end - first) {
            *this = {from, to};
        }
    }
};

void StrokePicture::clear(const QRectF& area, double ratio)
{
    m_ratio = ratio;
    m_left = std::floor(area.left() * ratio) / ratio;
    m_top = std::floor(area.top() * ratio) / ratio;
    m_columns = std::max(0, static_cast<int>(std::ceil((area.right() - m_left) * ratio)));
    m_rows = std::max(0, static_cast<int>(std::ceil((area.bottom() - m_top) * ratio)));
    // An odd number of cache lines, so that pixels of a column are in different cache sets.
    m_stride = kCacheLine * ((m_columns + kCacheLine - 1) / kCacheLine | 1);
    m_pixels.assign(static_cast<std::size_t>(m_stride) * static_cast<std::size_t>(m_rows), 0);
}

void StrokePicture::add(std::span<const Lane> lanes)
{
    struct Pending {
        Ink ink;
        std::span<const viz::LaneStroke> strokes; // not drawn yet
    };
    std::vector<Pending> pending; // from the top down: filled pixels are not drawn again
    pending.reserve(lanes.size());
    for (const Lane& lane : std::views::reverse(lanes))
        pending.push_back({Ink(lane.pen, m_ratio), lane.strokes});
    // Draws all lanes of a few columns, whose pixels stay in the cache, then the next columns.
    for (int begin = 0; begin < m_columns; begin += kTile) {
        std::array<Filled, kTile> filled;
        for (Pending& lane : pending) {
            std::size_t drawn = 0;
            for (; drawn < lane.strokes.size(); ++drawn) {
                const int column = columnOf(lane.strokes[drawn]);
                if (column >= begin + kTile)
                    break;
                if (column >= begin && column < m_columns && lane.ink.covers(column))
                    draw(lane.strokes[drawn], column, lane.ink.colour,
                         filled[static_cast<std::size_t>(column - begin)]);
            }
            lane.strokes = lane.strokes.subspan(drawn);
        }
    }
}

int StrokePicture::columnOf(const viz::LaneStroke& stroke) const
{
    return static_cast<int>(std::floor((stroke.x - m_left) * m_ratio + 0.5));
}

void StrokePicture::draw(const viz::LaneStroke& stroke, int column, unsigned colour, Filled& filled)
{
    const double top = std::clamp((stroke.top - m_top) * m_ratio, 0.0, m_rows * 1.0);
    const double bottom = std::clamp((stroke.bottom - m_top) * m_ratio, 0.0, m_rows * 1.0);
    if (!(bottom > top))
        return;
    unsigned* const pixels = m_pixels.data() + column;
    const auto blend = [&](int row, double coverage) {
        unsigned& pixel = pixels[static_cast<std::ptrdiff_t>(row) * m_stride];
        pixel = blendedUnder(pixel, colour, coverage);
    };
    const auto fill = [&](int from, int to) {
        for (int row = from; row < to; ++row) {
            unsigned& pixel = pixels[static_cast<std::ptrdiff_t>(row) * m_stride];
            pixel = pixel == 0 ? colour : blendedUnder(pixel, colour, 1.0);
        }
    };
    const int end = static_cast<int>(bottom);
    const int first = static_cast<int>(top) + (static_cast<int>(top) < top ? 1 : 0);
    if (first > end) { // inside one pixel
        blend(end, bottom - top);
        return;
    }
    if (first > top)
        blend(first - 1, first - top);
    fill(first, std::min(end, filled.first));
    fill(std::max(first, filled.end), end);
    if (bottom > end)
        blend(end, bottom - end);
    if (colour >> 24U == 255U)
        filled.add(first, end);
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
