// SPDX-License-Identifier: GPL-3.0-or-later
#include "stroke_picture.h"

#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using namespace ep;
using ui::StrokePicture;

constexpr int kColumns = 150; // more than two tiles
constexpr int kRows = 40;

QImage drawn(const std::vector<StrokePicture::Lane>& lanes)
{
    StrokePicture picture;
    picture.clear(QRectF(0, 0, kColumns, kRows), 1.0);
    picture.add(lanes);
    QImage image(kColumns, kRows, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    return image;
}

// The share of the row that the stroke covers.
double coverage(const viz::LaneStroke& stroke, int row)
{
    return std::clamp(std::min(stroke.bottom, row + 1.0) - std::max(stroke.top, row * 1.0), 0.0,
                      1.0);
}

// The red that a painter would produce: every lane over the previous ones, in floating point.
double expectedRed(const std::vector<StrokePicture::Lane>& lanes, int column, int row)
{
    double red = 255.0;
    for (const StrokePicture::Lane& lane : lanes) {
        for (const viz::LaneStroke& stroke : lane.strokes) {
            if (std::lround(stroke.x) != column)
                continue;
            const double share = coverage(stroke, row);
            red = lane.pen.color().red() * share + red * (1.0 - share);
        }
    }
    return red;
}

TEST(StrokePicture, LaterLanesLieAboveEarlierOnes)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-5.0, kRows + 5.0);
    for (const bool whole : {false, true}) { // ends on whole pixels, and anywhere
        std::vector<StrokePicture::Lane> lanes;
        for (const int red : {200, 20, 120, 60}) {
            StrokePicture::Lane& lane = lanes.emplace_back();
            lane.pen = QPen(QColor(red, 0, 0));
            for (int column = -2; column < kColumns + 2; ++column) {
                if (random() % 5 == 0)
                    continue;
                double from = place(random);
                double to = place(random);
                if (whole) {
                    from = std::round(from);
                    to = std::round(to);
                }
                lane.strokes.push_back({column * 1.0, std::min(from, to), std::max(from, to)});
            }
        }
        const QImage image = drawn(lanes);
        for (int column = 0; column < kColumns; ++column) {
            for (int row = 0; row < kRows; ++row)
                ASSERT_NEAR(qRed(image.pixel(column, row)), expectedRed(lanes, column, row), 2.5)
                    << column << ", " << row << (whole ? ", whole" : "");
        }
    }
}

TEST(StrokePicture, DashesLeaveColumnsFree)
{
    StrokePicture::Lane lane;
    lane.pen = QPen(Qt::black, 2.0);
    lane.pen.setDashPattern({2.0, 1.0}); // in pen widths: four columns drawn, two blank
    for (int column = 0; column < kColumns; ++column)
        lane.strokes.push_back({column * 1.0, 0.0, kRows * 1.0});
    const QImage image = drawn({lane});
    for (int column = 0; column < kColumns; ++column)
        EXPECT_EQ(qRed(image.pixel(column, kRows / 2)), column % 6 < 4 ? 0 : 255) << column;
}

} // namespace
