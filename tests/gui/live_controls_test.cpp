// SPDX-License-Identifier: GPL-3.0-or-later
// How much a newcomer meets on Live at 1280 x 800.
#include "gui/window_test.h"
#include "widgets/figure_cards.h"

#include "ep/ui/charts/painted_view.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTest>

#include <algorithm>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;

class LiveControlsTest : public WindowTest {
protected:
    // Visible controls of the page; parts of a control, such as the field of a spin box, do not
    // count.
    std::vector<std::string> controls()
    {
        std::vector<std::string> names;
        for (const QWidget* widget : find<QWidget>("livePage").findChildren<QWidget*>()) {
            const bool control = qobject_cast<const QAbstractButton*>(widget)
                || qobject_cast<const QComboBox*>(widget)
                || qobject_cast<const QAbstractSpinBox*>(widget)
                || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QTabBar*>(widget)
                || qobject_cast<const QPlainTextEdit*>(widget);
            const QWidget* parent = widget->parentWidget();
            const bool part = qobject_cast<const QComboBox*>(parent)
                || qobject_cast<const QAbstractSpinBox*>(parent)
                || qobject_cast<const QLineEdit*>(parent);
            if (control && !part && widget->isVisible())
                names.push_back(widget->objectName().toStdString());
        }
        return names;
    }
    template <typename T>
    int shown()
    {
        const auto all = find<QWidget>("livePage").findChildren<T*>();
        return static_cast<int>(
            std::ranges::count_if(all, [](const T* one) { return one->isVisible(); }));
    }
};

TEST_F(LiveControlsTest, AtMostNineAtFirstSight)
{
    QFile::remove(settingsFile());
    openWindow();
    window().resize(1280, 800);
    ASSERT_TRUE(waitForModel());
    EXPECT_LE(controls().size(), 9U) << testing::PrintToString(controls());
    for (const char* needed :
         {"modelCombo", "promptEdit", "startStopButton", "compareWith", "maxTokens"})
        EXPECT_THAT(controls(), testing::Contains(needed));
    EXPECT_EQ(shown<ui::FigureCards>(), 0) << "no empty tiles";
    EXPECT_EQ(shown<ui::PaintedView>(), 0) << "no empty panels";
    EXPECT_FALSE(find<QWidget>("statusEnergy").isVisible()) << "no dashes below";
    showMore();
    EXPECT_GT(controls().size(), 9U);
}

TEST_F(LiveControlsTest, AtMostEightDuringARun)
{
    engineScript.layer_time = std::chrono::milliseconds(2);
    openWindow();
    window().resize(1280, 800);
    ASSERT_TRUE(waitForModel());
    typePrompt(u"go on"_s);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return !labelText("liveRun").isEmpty(); }));
    EXPECT_LE(controls().size(), 8U) << testing::PrintToString(controls());
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
}

// Arrow keys pass over the entries below the models; only a choice in the open list triggers one.
TEST_F(LiveControlsTest, TheListOfModelsEndsWithWhatElseCanBeMeasured)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& combo = find<QComboBox>("modelCombo");
    const QString model = combo.currentText();
    EXPECT_GE(combo.findText(u"Record a Command…"_s), 0);
    bool asked = false;
    QObject::connect(&find<QAction>("liveRecord"), &QAction::triggered, &combo,
                     [&] { asked = true; });
    QTest::keyClick(&combo, Qt::Key_End);
    EXPECT_EQ(combo.currentText(), model);
    EXPECT_FALSE(asked);
}

} // namespace
} // namespace ep::test
