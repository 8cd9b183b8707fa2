// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"
#include "support/gguf_writer.h"
#include "support/tiny_model.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

namespace {

using namespace ep;
using testing::Contains;
using testing::HasSubstr;

class ModelLibraryTest : public test::WindowTest {
protected:
    void openLibrary()
    {
        openWindow();
        ASSERT_TRUE(waitForModel());
        find<QAction>("actionLibrary").trigger();
        ASSERT_TRUE(waitFor([this] { return rows() > 0; }));
    }
    QAbstractItemView& table() { return find<QAbstractItemView>("libraryTable"); }
    int rows() { return table().model()->rowCount(); }
    void choose(int row) { table().setCurrentIndex(table().model()->index(row, 0)); }

    std::vector<std::string> factNames()
    {
        std::vector<std::string> names;
        const auto& facts = find<QTableWidget>("libraryFacts");
        for (int row = 0; row < facts.rowCount(); ++row)
            names.push_back(facts.item(row, 0)->text().toStdString());
        return names;
    }
    std::filesystem::path elsewhere() const
    {
        return std::filesystem::path(folder().toStdString()) / "elsewhere";
    }
    std::filesystem::path addGguf(const char* name) const
    {
        std::filesystem::create_directories(elsewhere());
        test::smallGguf().write(elsewhere() / name);
        return elsewhere() / name;
    }
};

TEST_F(ModelLibraryTest, ShowsEveryModelWithItsFacts)
{
    openLibrary();
    EXPECT_EQ(shownCells(table(), 0), QStringList{QStringLiteral("tiny (bundled)")});
    EXPECT_EQ(table().model()->headerData(2, Qt::Horizontal).toString(), QLatin1String("Format"));
    EXPECT_FALSE(table().model()->index(0, 2).data().toString().isEmpty());
    EXPECT_THAT(factNames(), Contains("Parameters"));
    EXPECT_THAT(factNames(), Contains("Stored as"));
    EXPECT_THAT(factNames(), Contains("Attention heads"));
    EXPECT_TRUE(find<QPushButton>("useModel").isEnabled());
}

TEST_F(ModelLibraryTest, AddsAFolderAndTakesAModelFromIt)
{
    test::writeTinyModel(elsewhere() / "newcomer");
    openLibrary();
    click("addFolder");
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = seek<QFileDialog>("folderDialog")) != nullptr; }));
    Q_EMIT dialog->fileSelected(QString::fromStdString(elsewhere().string()));
    dialog->reject();
    ASSERT_TRUE(waitFor([this] { return rows() == 2; }));
    EXPECT_EQ(shownCells(table(), 0)[1], QStringLiteral("newcomer"));

    choose(1);
    click("useModel");
    auto& combo = find<QComboBox>("modelCombo");
    EXPECT_TRUE(waitFor([&] { return combo.currentText() == QLatin1String("newcomer"); }));

    // Remembered at the next start.
    openLibrary();
    EXPECT_TRUE(waitFor([this] { return rows() == 2; }));
}

TEST_F(ModelLibraryTest, ABrowsedModelIsThereAfterARestart)
{
    test::writeTinyModel(elsewhere() / "newcomer");
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QAction>("browseFolder").trigger();
    auto* dialog = seek<QFileDialog>("modelDialog");
    ASSERT_NE(dialog, nullptr);
    Q_EMIT dialog->fileSelected(QString::fromStdString((elsewhere() / "newcomer").string()));
    dialog->reject();
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_TRUE(waitFor([&] { return combo.currentText() == QLatin1String("newcomer"); }));
    openLibrary(); // in another window
    EXPECT_TRUE(waitFor([this] { return rows() == 2; }));
}

TEST_F(ModelLibraryTest, AGgufFileIsChosenByItselfOrWithItsFolder)
{
    const std::filesystem::path file = addGguf("newcomer.gguf");
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QAction>("browseFile").trigger();
    auto* dialog = seek<QFileDialog>("modelDialog");
    ASSERT_NE(dialog, nullptr);
    Q_EMIT dialog->fileSelected(QString::fromStdString(file.string()));
    dialog->reject();
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_TRUE(waitFor([&] { return combo.currentText() == QLatin1String("newcomer"); }));
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("parameters"));

    // Remembered at the next start.
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(find<QComboBox>("modelCombo").currentText(), QLatin1String("newcomer"));
}

TEST_F(ModelLibraryTest, AFolderWithGgufFilesOffersThem)
{
    addGguf("apple.gguf");
    addGguf("pear.gguf");
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QAction>("browseFolder").trigger();
    Q_EMIT seek<QFileDialog>("modelDialog")
        ->fileSelected(QString::fromStdString(elsewhere().string()));
    seek<QFileDialog>("modelDialog")->reject();
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_TRUE(waitFor([&] { return combo.currentText() == QLatin1String("apple"); }));
    EXPECT_GE(combo.findText(QStringLiteral("pear")), 0);
}

TEST_F(ModelLibraryTest, SaysWhyAModelCannotBeTaken)
{
    addUnsupportedModel();
    openLibrary();
    choose(0);
    EXPECT_THAT(labelText("libraryProblem").toStdString(), HasSubstr("Mamba"));
    EXPECT_FALSE(find<QPushButton>("useModel").isEnabled());
}

} // namespace
