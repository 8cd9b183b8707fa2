// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_filter_json.h"
#include "support/sample_run.h"

#include "ep/ui/models/run_list_model.h"

#include <QJsonDocument>

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

RunFilter filterOfAllKinds()
{
    RunFilter filter;
    filter.text = "Füchse";
    for (const RunWords& words : runWords())
        (filter.*words.wanted) = {std::string("a ") + words.id, "b"};
    filter.from_ms = 1'700'000'000'000;
    filter.until_ms = 1'800'000'000'000;
    filter.last_days = 2;
    filter.least_joules = 0.045;
    filter.most_joules = 0.5;
    return filter;
}

TEST(RunFilterJson, BringsBackWhatItWrote)
{
    for (const RunFilter& filter : {RunFilter(), filterOfAllKinds()})
        EXPECT_EQ(runFilterFromJson(toJson(filter)), filter);
    EXPECT_TRUE(toJson({}).isEmpty());
}

TEST(RunFilterJson, ReadsWhatIsNoFilterAsNone)
{
    for (const char* text : {"", "[]", "{\"models\": 3, \"from_ms\": \"soon\"}"}) {
        EXPECT_EQ(runFilterFromJson(QJsonDocument::fromJson(text).object()), RunFilter()) << text;
    }
}

TEST(RunFilterProxy, FiltersAndSortsAList)
{
    const ep::Run sample = test::makeSampleRun();
    auto runs = std::make_shared<std::vector<RunSummary>>();
    for (int i = 0; i < 10; ++i) {
        RunSummary run{sample.info, sample.metrics};
        run.info.id = "run-" + std::to_string(i);
        run.info.title.clear();
        run.info.model.name = i % 2 == 0 ? "even" : "odd";
        run.info.tags = {"t" + std::to_string(i % 4)};
        run.metrics.joules_per_token = i == 5 ? std::nullopt : std::optional(0.01 * (i + 1));
        runs->push_back(std::move(run));
    }
    RunListModel model;
    RunFilterProxy proxy(model);
    model.setRuns(runs);
    RunFilter filter;
    filter.models = {"even"};
    proxy.setFilter(filter);
    EXPECT_EQ(proxy.rowCount(), 5);
    proxy.setText(QStringLiteral("t2"));
    EXPECT_EQ(proxy.rowCount(), 2);
    EXPECT_EQ(proxy.filter().models, filter.models);
    proxy.setFilter({});
    // Runs without a value come last in both directions.
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        proxy.sort(model.columnOf(u"joules_per_token"), order);
        EXPECT_EQ(model.run(proxy.mapToSource(proxy.index(9, 0)).row()).info.id, "run-5");
    }
}

} // namespace
} // namespace ep::ui
