// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/app_style.h"

#include <QApplication>
#include <QCheckBox>
#include <QImage>
#include <QPalette>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::ui {
namespace {

double luminance(const QColor& colour)
{
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF())
        + 0.0722 * linear(colour.blueF());
}

// Of the pixel that stands out most.
double contrastIn(const QImage& image, const QColor& window)
{
    double most = 1.0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double a = luminance(image.pixelColor(x, y)) + 0.05;
            const double b = luminance(window) + 0.05;
            most = std::max(most, std::max(a, b) / std::min(a, b));
        }
    }
    return most;
}

TEST(AppStyleTest, AnEmptyCheckBoxIsSeenInBothThemes)
{
    AppStyle style;
    for (const bool dark : {false, true}) {
        QPalette palette;
        palette.setColor(QPalette::Window, dark ? QColor(45, 45, 45) : QColor(240, 240, 240));
        palette.setColor(QPalette::Base, dark ? QColor(30, 30, 30) : QColor(255, 255, 255));
        palette.setColor(QPalette::WindowText, dark ? QColor(230, 230, 230) : QColor(20, 20, 20));
        QCheckBox box;
        box.setStyle(&style);
        box.setPalette(palette);
        box.resize(box.sizeHint());
        const QImage empty = box.grab().toImage();
        EXPECT_GE(contrastIn(empty, palette.color(QPalette::Window)), 3.0) << dark;
        box.setChecked(true);
        EXPECT_TRUE(box.grab().toImage() != empty) << dark;
    }
}

} // namespace
} // namespace ep::ui
