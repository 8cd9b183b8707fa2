// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/design.h"
#include "theme/ui_resources.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPalette>

#include <gtest/gtest.h>

#include <set>

namespace ep::ui {
namespace {

QStringList iconNames()
{
    initResources();
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/icons/line")).entryList())
        names << file.chopped(4); // removes ".svg"
    return names;
}

QImage drawn(const QString& name, int size, QIcon::Mode mode = QIcon::Normal,
             QIcon::State state = QIcon::Off)
{
    const QByteArray bytes = name.toLatin1();
    return lineIcon(QLatin1StringView(bytes)).pixmap(QSize(size, size), mode, state).toImage();
}

int inked(const QImage& image)
{
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            pixels += qAlpha(image.pixel(x, y)) > 40 ? 1 : 0;
    return pixels;
}

TEST(LineIcons, EachIsDrawnAndNoTwoLookTheSame)
{
    std::set<QByteArray> looks;
    ASSERT_GE(iconNames().size(), 25);
    for (const QString& name : iconNames()) {
        const QImage image = drawn(name, 24);
        EXPECT_GT(inked(image), name == QStringLiteral("more") ? 3 : 15) << name.toStdString();
        EXPECT_EQ(qAlpha(image.pixel(0, 0)), 0) << name.toStdString();
        looks.insert(
            QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
    }
    EXPECT_EQ(looks.size(), static_cast<std::size_t>(iconNames().size()));
}

TEST(LineIcons, TakeTheColourOfTheThemeAndOfTheirState)
{
    const QPalette before = QApplication::palette();
    QPalette palette = before;
    const auto colourAt = [](const QImage& image) {
        QColor darkest;
        int alpha = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const QColor c = image.pixelColor(x, y); c.alpha() > alpha) {
                    alpha = c.alpha();
                    darkest = c;
                }
        return darkest.rgb();
    };
    palette.setColor(QPalette::ButtonText, QColor(200, 10, 10));
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, QColor(10, 200, 10));
    QApplication::setPalette(palette);
    EXPECT_EQ(colourAt(drawn(QStringLiteral("stop"), 48)), QColor(200, 10, 10).rgb());
    EXPECT_EQ(colourAt(drawn(QStringLiteral("stop"), 48, QIcon::Disabled)),
              QColor(10, 200, 10).rgb());
    EXPECT_NE(colourAt(drawn(QStringLiteral("stop"), 48, QIcon::Normal, QIcon::On)),
              QColor(200, 10, 10).rgb());
    QApplication::setPalette(before);
}

TEST(LineIcons, AreDrawnAnewAtEverySize)
{
    // At three times the size, lines are about three times as long and three times as thick.
    const double small = inked(drawn(QStringLiteral("history"), 24));
    const double large = inked(drawn(QStringLiteral("history"), 72));
    EXPECT_GT(large, 5.0 * small);
    EXPECT_LT(large, 12.0 * small);
}

TEST(LineIcons, AnUnknownNameIsAnEmptyIcon)
{
    EXPECT_TRUE(lineIcon(QLatin1StringView("no such icon")).isNull());
}

} // namespace
} // namespace ep::ui
