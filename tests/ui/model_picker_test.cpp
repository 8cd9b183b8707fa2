// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/model_picker.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <QComboBox>
#include <QTest>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace ep;

class ModelPickerTest : public testing::Test {
protected:
    ModelPickerTest()
    {
        test::writeTinyModel(bundled());
        test::writeTinyModel(other());
    }
    std::filesystem::path bundled() const { return m_folder.path() / "shipped" / "tiny"; }
    std::filesystem::path other() const { return m_folder.path() / "elsewhere" / "own"; }
    ui::ModelPicker& picker() { return m_picker; }
    QComboBox& combo() { return *m_picker.findChild<QComboBox*>(); }

    // The models of the list once no more arrive; a separator follows them.
    std::vector<std::string> settled()
    {
        QTest::qWait(300);
        std::vector<std::string> names;
        for (int i = 0; i < combo().count() && !combo().itemText(i).isEmpty(); ++i)
            names.push_back(combo().itemText(i).toStdString());
        return names;
    }
    std::string current() { return combo().currentText().toStdString(); }

private:
    test::TempFolder m_folder;
    ui::ModelPicker m_picker{{m_folder.path() / "shipped"}};
};

using Names = std::vector<std::string>;

TEST_F(ModelPickerTest, WhatIsChosenDuringTheSearchIsListedOnce)
{
    picker().search({}, {});
    picker().choose(bundled());
    EXPECT_EQ(settled(), Names{"tiny (bundled)"});
    EXPECT_EQ(current(), "tiny (bundled)");
}

TEST_F(ModelPickerTest, WhatIsChosenDuringTheSearchStaysChosen)
{
    picker().search({}, {});
    picker().choose(other());
    EXPECT_EQ(settled(), (Names{"tiny (bundled)", "own"}));
    EXPECT_EQ(current(), "own");
    picker().choose(other());
    EXPECT_EQ(settled().size(), 2U);
}

TEST_F(ModelPickerTest, ASearchKeepsWhatWasAddedBefore)
{
    picker().choose(other());
    EXPECT_EQ(settled(), Names{"own"});
    picker().search({}, other());
    EXPECT_EQ(settled(), (Names{"tiny (bundled)", "own"}));
    EXPECT_EQ(current(), "own");
}

} // namespace
