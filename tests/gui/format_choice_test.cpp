// SPDX-License-Identifier: GPL-3.0-or-later
// The formats that lists offer, and what becomes of a choice when the model or the run changes.
#include "gui/window_test.h"
#include "support/tiny_model.h"

#include <QComboBox>
#include <QSpinBox>
#include <QToolButton>

#include <gmock/gmock.h>

#include <filesystem>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class FormatChoiceTest : public test::WindowTest {
protected:
    std::filesystem::path models() const
    {
        return std::filesystem::path(folder().toStdString()) / "models";
    }
    QString chosen(const char* combo) { return find<QComboBox>(combo).currentData().toString(); }
    void chooseModel(const QString& name)
    {
        auto& combo = find<QComboBox>("modelCombo");
        for (int i = 0; i < combo.count(); ++i) {
            if (combo.itemText(i).startsWith(name))
                combo.setCurrentIndex(i);
        }
    }
};

// Formats are listed from the smallest to the largest; the stored format has one name.
TEST_F(FormatChoiceTest, FormatsAreListedWithTheirSizes)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    const auto& formats = find<QComboBox>("dtypeCombo");
    const int stored = formats.findData(u"auto"_s);
    EXPECT_EQ(formats.currentIndex(), stored);
    EXPECT_THAT(formats.itemText(stored).toStdString(), HasSubstr("As stored (f32), "));
    EXPECT_EQ(formats.findData(u"f32"_s), -1);
    EXPECT_THAT(formats.itemText(formats.findData(u"q8_0"_s)).toStdString(), HasSubstr("B"));
    EXPECT_LT(formats.findData(u"q4_0"_s), formats.findData(u"q8_0"_s));
    EXPECT_LT(formats.findData(u"q8_0"_s), formats.findData(u"bf16"_s));
    EXPECT_LT(formats.findData(u"bf16"_s), stored);
    click("compareWith");
    const auto& other = find<QComboBox>("compareOther");
    EXPECT_EQ(other.itemText(other.findData(u"q8_0"_s)),
              formats.itemText(formats.findData(u"q8_0"_s)));
    EXPECT_EQ(other.findData(u"auto"_s), -1) << "it is the first side";
}

TEST_F(FormatChoiceTest, AnotherModelIsComputedAsStored)
{
    test::writeTinyModel(models() / "other");
    openWindow();
    ASSERT_TRUE(waitForModel());
    chooseModel(u"other"_s);
    chooseInCombo("dtypeCombo", u"int8"_s);
    chooseInCombo("deviceCombo", u"cpu"_s);
    openWindow(); // the choice belongs to the model and is restored with it
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(chosen("dtypeCombo"), u"int8"_s);
    EXPECT_EQ(chosen("deviceCombo"), u"cpu"_s);
    chooseModel(u"tiny"_s);
    EXPECT_EQ(chosen("dtypeCombo"), u"auto"_s);
    EXPECT_EQ(chosen("deviceCombo"), u"auto"_s);
}

TEST_F(FormatChoiceTest, RunAgainSaysWhatItSets)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    runToTheEnd(u"once more"_s, 4);
    chooseInCombo("dtypeCombo", u"q8_0"_s);
    find<QSpinBox>("maxTokens").setValue(9);
    click("liveAnalyse");
    ASSERT_TRUE(waitFor([this] { return find<QToolButton>("analysisAgain").isVisible(); }));
    click("analysisAgain");
    EXPECT_EQ(chosen("dtypeCombo"), u"auto"_s);
    EXPECT_EQ(find<QSpinBox>("maxTokens").value(), 4);
    EXPECT_THAT(messageOf("liveMessage").toStdString(),
                AllOf(HasSubstr("Format"), HasSubstr("(was q8_0)"), HasSubstr("4 (was 9)"),
                      Not(HasSubstr("Depth"))));
}

} // namespace
