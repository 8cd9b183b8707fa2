// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/dash.h"
#include "support/qt_warning_guard.h"
#include "support/sample_run.h"

#include "ep/core/run_figure.h"
#include "ep/ui/models/run_list_model.h"

#include <QAbstractItemModelTester>

#include <gmock/gmock.h>

#include <set>

namespace {

using namespace ep;
using ui::RunFilterProxy;
using ui::RunListModel;

using ep::test::kDash;

RunSummary summary(const std::string& id, const std::string& prompt, RunStatus status,
                   std::optional<double> joulesPerToken)
{
    ep::Run run = test::makeSampleRun({.id = id});
    run.info.title.clear();
    run.info.notes = {};
    RunSummary summary{run.info, run.metrics};
    summary.info.prompt = prompt;
    summary.info.experiment.clear();
    summary.info.status = status;
    summary.metrics.joules_per_token = joulesPerToken;
    return summary;
}

class RunListModelTest : public testing::Test {
protected:
    RunListModelTest()
        : tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning)
        , proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Warning)
    {
    }

    void fill(std::vector<RunSummary> runs)
    {
        model.setRuns(std::make_shared<const std::vector<RunSummary>>(std::move(runs)));
    }
    std::vector<std::string> prompts() const
    {
        std::vector<std::string> texts;
        for (int row = 0; row < proxy.rowCount(); ++row)
            texts.push_back(
                proxy.index(row, model.columnOf(u"prompt")).data().toString().toStdString());
        return texts;
    }

    QtWarningGuard guard;
    RunListModel model;
    RunFilterProxy proxy{model};
    QAbstractItemModelTester tester;
    QAbstractItemModelTester proxyTester;
};

TEST_F(RunListModelTest, KeepsRowsOfRunsThatStay)
{
    const auto run = [](const std::string& id, const std::string& prompt) {
        return summary(id, prompt, RunStatus::Complete, 1.0);
    };
    fill({run("e", "five"), run("c", "three"), run("b", "two")});
    const QPersistentModelIndex three = proxy.index(1, model.columnOf(u"prompt"));
    int resets = 0;
    QObject::connect(&model, &QAbstractItemModel::modelReset, &model, [&] { ++resets; });
    fill({run("f", "six"), run("e", "five"), run("d", "four"), run("c", "3"), run("a", "one")});
    EXPECT_EQ(resets, 0);
    EXPECT_EQ(prompts(), (std::vector<std::string>{"six", "five", "four", "3", "one"}));
    EXPECT_EQ(three.row(), 3);
    EXPECT_EQ(three.data().toString(), QStringLiteral("3"));
    EXPECT_NE(model.searchText(3).find('3'), std::string::npos);
    fill({run("c", "3"), run("f", "six")});
    EXPECT_EQ(resets, 1) << "another order";
    EXPECT_EQ(prompts(), (std::vector<std::string>{"3", "six"}));
    fill({});
    EXPECT_EQ(model.rowCount(), 0);
    model.setRuns(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(RunListModelTest, ShowsEveryColumnOfASampleRun)
{
    fill({summary("a", "Hello\nthere", RunStatus::Complete, 0.0123)});
    ASSERT_EQ(model.rowCount(), 1);
    for (int column = 0; column < model.columnCount(); ++column) {
        EXPECT_FALSE(
            model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        EXPECT_TRUE(model.index(0, column).data().isValid()) << column;
    }
    const auto cell = [this](QStringView column) {
        return model.index(0, model.columnOf(column)).data().toString().toStdString();
    };
    EXPECT_EQ(cell(u"prompt"), "Hello there"); // shown on one line
    EXPECT_EQ(cell(u"joules_per_token"), "12.3 mJ");
    EXPECT_EQ(cell(u"status"), "Complete");
    EXPECT_EQ(model.columnOf(u"colour"), -1);
}

// Every figure of a run has a column; most are hidden until chosen.
TEST_F(RunListModelTest, HasAColumnForEachFigure)
{
    std::set<QString> ids;
    for (const ui::RunColumn& column : model.columns())
        EXPECT_TRUE(ids.insert(column.id).second) << column.id.toStdString();
    for (const RunFigureFacts& facts : kRunFigures)
        EXPECT_TRUE(ids.contains(QString::fromLatin1(facts.id))) << facts.id;
    const auto peak = static_cast<std::size_t>(model.columnOf(u"peak_power"));
    EXPECT_FALSE(model.columns()[peak].shown);
    const auto energy = static_cast<std::size_t>(model.columnOf(u"energy"));
    EXPECT_TRUE(model.columns()[energy].shown);
}

TEST_F(RunListModelTest, ATitleStandsInForThePrompt)
{
    RunSummary titled = summary("a", "prompt", RunStatus::Complete, 0.0123);
    titled.info.title = "A title";
    fill({titled});
    EXPECT_EQ(prompts(), std::vector<std::string>{"A title"});
    proxy.setText(QStringLiteral("prompt title"));
    EXPECT_EQ(proxy.rowCount(), 1);
}

TEST_F(RunListModelTest, WhatIsMissingIsADashAndNotZero)
{
    RunSummary run = summary("a", "x", RunStatus::Complete, std::nullopt);
    run.metrics.energy = {};
    run.metrics.tokens_per_second.reset();
    fill({run});
    for (const char* id : {"energy", "joules_per_token", "tokens_per_second"}) {
        const int column = model.columnOf(QString::fromLatin1(id));
        EXPECT_EQ(model.index(0, column).data().toString(), kDash) << id;
        EXPECT_FALSE(model.index(0, column).data(ui::kRawRole).isValid()) << id;
    }
}

TEST_F(RunListModelTest, RunsThatDidNotEndWellAreMarked)
{
    fill({summary("a", "1", RunStatus::Complete, 1.0),
          summary("b", "2", RunStatus::Interrupted, 1.0), summary("c", "3", RunStatus::Failed, 1.0),
          summary("d", "4", RunStatus::Cancelled, 1.0)});
    const auto marked = [this](int row) {
        return model.index(row, model.columnOf(u"status")).data(Qt::ForegroundRole).isValid();
    };
    EXPECT_FALSE(marked(0));
    EXPECT_TRUE(marked(1));
    EXPECT_TRUE(marked(2));
    EXPECT_TRUE(marked(3));
    EXPECT_EQ(model.index(1, model.columnOf(u"status")).data().toString().toStdString(),
              "Interrupted");
}

TEST_F(RunListModelTest, SortsByValueWithTheMissingLast)
{
    fill({summary("a", "nine", RunStatus::Complete, 9.0),
          summary("b", "none", RunStatus::Complete, std::nullopt),
          summary("c", "eleven", RunStatus::Complete, 11.0)});
    const int perToken = model.columnOf(u"joules_per_token");
    proxy.sort(perToken, Qt::AscendingOrder);
    EXPECT_THAT(prompts(), testing::ElementsAre("nine", "eleven", "none"));
    proxy.sort(perToken, Qt::DescendingOrder);
    EXPECT_THAT(prompts(), testing::ElementsAre("eleven", "nine", "none"));
}

TEST_F(RunListModelTest, FiltersByAllWordsInAnyField)
{
    RunSummary tagged = summary("a", "first", RunStatus::Complete, 1.0);
    tagged.info.tags = {"Laptop"};
    fill({tagged, summary("b", "second", RunStatus::Failed, 1.0)});
    const std::vector<std::pair<const char*, int>> cases{
        {"", 2}, {"FIRST", 1}, {"laptop first", 1}, {"laptop second", 0}, {"failed", 1}, {" ", 2}};
    for (const auto& [text, rows] : cases) {
        proxy.setText(QString::fromUtf8(text));
        EXPECT_EQ(proxy.rowCount(), rows) << text;
    }
}

// Tags that a study sets are not the user's.
TEST_F(RunListModelTest, ShowsTheUsersTagsOnly)
{
    RunSummary tagged = summary("a", "first", RunStatus::Complete, 1.0);
    tagged.info.tags = {"cell:efd217fea#3", "Laptop"};
    fill({tagged});
    EXPECT_EQ(model.index(0, model.columnOf(u"tags")).data().toString().toStdString(), "Laptop");
}

TEST_F(RunListModelTest, FindsRowsById)
{
    fill(
        {summary("a", "1", RunStatus::Complete, 1.0), summary("b", "2", RunStatus::Complete, 1.0)});
    EXPECT_EQ(model.rowOf("b"), 1);
    EXPECT_EQ(model.rowOf("c"), std::nullopt);
    model.setRuns(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.rowOf("b"), std::nullopt);
}

} // namespace
