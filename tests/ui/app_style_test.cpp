// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/app_style.h"
#include "widgets/collapsible_box.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QPalette>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyleOptionHeader>
#include <QStyleOptionSlider>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

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

// The contrast of the pixel that stands out most.
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

QPalette paletteOf(bool dark)
{
    QPalette palette;
    palette.setColor(QPalette::Window, dark ? QColor(45, 45, 45) : QColor(240, 240, 240));
    palette.setColor(QPalette::Base, dark ? QColor(30, 30, 30) : QColor(255, 255, 255));
    palette.setColor(QPalette::WindowText, dark ? QColor(230, 230, 230) : QColor(20, 20, 20));
    return palette;
}

TEST(AppStyleTest, ControlsAreSeenInBothThemes)
{
    AppStyle style;
    for (const bool dark : {false, true}) {
        const QPalette palette = paletteOf(dark);
        QPushButton button;
        QComboBox combo;
        QLineEdit line;
        QSpinBox number;
        number.setSpecialValueText(QStringLiteral(" "));
        QScrollBar bar(Qt::Vertical);
        bar.setRange(0, 100);
        for (QWidget* control :
             std::initializer_list<QWidget*>{&button, &combo, &line, &number, &bar}) {
            control->setStyle(&style);
            control->setPalette(palette);
            control->resize(control->sizeHint().expandedTo(QSize(12, 80)));
            EXPECT_GE(contrastIn(control->grab().toImage(), palette.color(QPalette::Window)), 3.0)
                << control->metaObject()->className() << (dark ? ", dark" : "");
        }
    }
}

TEST(AppStyleTest, OnlyTheKeyboardDrawsARingAroundACell)
{
    AppStyle style;
    QTableWidget table;
    for (const bool keyboard : {false, true}) {
        table.setAttribute(Qt::WA_KeyboardFocusChange, keyboard);
        QStyleOptionFocusRect option;
        option.initFrom(&table);
        option.rect = {0, 0, 40, 20};
        option.state |= QStyle::State_Item;
        QImage image(40, 20, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        const QImage blank = image;
        QPainter painter(&image);
        style.drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, &table);
        painter.end();
        EXPECT_EQ(image != blank, keyboard);
    }
}

TEST(AppStyleTest, AScrollBarIsAHandleWithoutArrows)
{
    AppStyle style;
    QScrollBar bar(Qt::Vertical);
    bar.setStyle(&style);
    bar.setRange(0, 1'000'000);
    bar.setPageStep(1);
    bar.resize(bar.sizeHint().width(), 200);
    const auto handleAt = [&](int value) {
        bar.setValue(value);
        QStyleOptionSlider option;
        option.initFrom(&bar);
        option.orientation = Qt::Vertical;
        option.minimum = bar.minimum();
        option.maximum = bar.maximum();
        option.pageStep = bar.pageStep();
        option.sliderPosition = bar.value();
        EXPECT_TRUE(
            style.subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarAddLine, &bar)
                .isEmpty());
        return style.subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider,
                                    &bar);
    };
    EXPECT_EQ(handleAt(0).top(), 0);
    EXPECT_GE(handleAt(0).height(), 24) << "large enough to be seized";
    EXPECT_EQ(handleAt(1'000'000).bottom(), 199);
    const int middle = handleAt(500'000).center().y();
    QTest::mousePress(&bar, Qt::LeftButton, {}, {5, middle});
    QTest::mouseMove(&bar, {5, 199});
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, {5, 199});
    EXPECT_GT(bar.value(), 900'000);
}

// Nothing moves unless the user acts, so there is no motion to reduce.
TEST(AppStyleTest, NothingMovesByItself)
{
    const AppStyle style;
    EXPECT_EQ(style.styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, nullptr, nullptr), 0);
}

TEST(AppStyleTest, AnEmptyCheckBoxIsSeenInBothThemes)
{
    AppStyle style;
    for (const bool dark : {false, true}) {
        const QPalette palette = paletteOf(dark);
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

// The leftmost column that is not like the first one, which is empty.
int firstPaintedColumn(const QImage& image)
{
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            if (image.pixel(x, y) != image.pixel(0, y))
                return x;
        }
    }
    return image.width();
}

TEST(AppStyleTest, ABoxHasItsArrowBeforeItsTitleWhetherOpenOrNot)
{
    AppStyle style;
    CollapsibleBox box(QStringLiteral("Sampling"));
    auto* const title = box.findChild<QToolButton*>(QStringLiteral("boxTitle"));
    ASSERT_TRUE(title);
    title->setStyle(&style);
    title->resize(title->sizeHint());
    const int closed = firstPaintedColumn(title->grab().toImage());
    box.setExpanded(true);
    const int open = firstPaintedColumn(title->grab().toImage());
    EXPECT_LT(closed, 16);
    EXPECT_LE(std::abs(open - closed), 3) << closed << " and " << open;
}

// A head of two lines in the width of a narrow column.
QImage narrowHead(const AppStyle& style, const QString& text)
{
    QStyleOptionHeaderV2 head;
    head.palette = paletteOf(false);
    head.rect = QRect(0, 0, 90, 50);
    head.text = text;
    head.textElideMode = Qt::ElideNone;
    head.fontMetrics = QFontMetrics(QApplication::font());
    QImage image(head.rect.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    style.drawControl(QStyle::CE_Header, &head, &painter, nullptr);
    return image;
}

TEST(AppStyleTest, EachLineOfAHeadIsElidedByItself)
{
    AppStyle style;
    const QFontMetrics metrics(QApplication::font());
    const QString first = QStringLiteral("int8");
    const QString second = QStringLiteral("1 run, modelled by a model");
    const int width = 90 - 2 * style.pixelMetric(QStyle::PM_HeaderMargin, nullptr, nullptr);
    const QString cut = metrics.elidedText(second, Qt::ElideRight, width);
    ASSERT_NE(cut, second);
    EXPECT_EQ(narrowHead(style, first + u'\n' + second), narrowHead(style, first + u'\n' + cut));
}

// The leftmost column with text in the head of a table whose cells are aligned like this.
int headBegin(AppStyle& style, Qt::Alignment cells)
{
    QTableWidget table(1, 1);
    table.setHorizontalHeaderLabels({QStringLiteral("N")});
    auto* cell = new QTableWidgetItem(QStringLiteral("1"));
    cell->setTextAlignment(cells);
    table.setItem(0, 0, cell);
    QHeaderView* head = table.horizontalHeader();
    head->setStyle(&style);
    head->resizeSection(0, 200);
    table.resize(300, 100);
    const QImage image = head->viewport()->grab(QRect(1, 2, 180, 12)).toImage();
    return firstPaintedColumn(image);
}

TEST(AppStyleTest, HeadsAreAlignedLikeTheirCells)
{
    AppStyle style;
    EXPECT_LT(headBegin(style, Qt::AlignLeft | Qt::AlignVCenter), 20);
    EXPECT_GT(headBegin(style, Qt::AlignRight | Qt::AlignVCenter), 100);
}

} // namespace
} // namespace ep::ui
