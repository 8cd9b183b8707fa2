// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "ep/ui/models/run_list_model.h"

#include <QJsonDocument>

#include <gtest/gtest.h>

namespace {

using namespace ep;
using ui::RunFilterProxy;
using ui::RunListFilter;
using ui::RunListModel;

constexpr qint64 kDay = 86'400'000;

RunSummary runOf(int index)
{
    static const ep::Run sample = test::makeSampleRun();
    RunSummary run{sample.info, sample.metrics};
    run.info.id = "run-" + std::to_string(index);
    run.info.title.clear();
    run.info.created_at_ms = 1'700'000'000'000 + index * kDay;
    run.info.model.name = index % 2 == 0 ? "even" : "odd";
    run.info.device = index % 3 == 0 ? "mps" : "cpu";
    run.info.tags = {"t" + std::to_string(index % 4)};
    run.info.experiment = index < 4 ? "early" : "";
    run.info.status = index == 7 ? RunStatus::Cancelled : RunStatus::Complete;
    run.info.power.source = index == 5 ? "none" : "rapl";
    run.metrics.joules_per_token = index == 5 ? std::nullopt : std::optional(0.01 * (index + 1));
    return run;
}

TEST(RunListFilter, HoldsAllConditionsTogether)
{
    struct Case {
        const char* what;
        RunListFilter filter;
        int shown; // of ten runs
    };
    std::vector<Case> cases{{"everything", {}, 10}};
    const auto add = [&](const char* what, int shown, const auto& set) {
        RunListFilter filter;
        set(filter);
        cases.push_back({what, filter, shown});
    };
    const auto words = [](const char* word) { return QStringList{QString::fromLatin1(word)}; };
    add("model", 5, [&](RunListFilter& f) { f.models = words("even"); });
    add("either model", 10, [&](RunListFilter& f) { f.models = words("even") + words("odd"); });
    add("model and device", 2, [&](RunListFilter& f) {
        f.models = words("even");
        f.devices = words("mps");
    });
    add("tag", 3, [&](RunListFilter& f) { f.tags = words("t1"); });
    add("experiment", 4, [&](RunListFilter& f) { f.experiments = words("early"); });
    add("status", 1, [&](RunListFilter& f) { f.statuses = words("cancelled"); });
    add("source", 1, [&](RunListFilter& f) { f.sources = words("none"); });
    add("depth", 0, [&](RunListFilter& f) { f.depths = words("none"); });
    add("from", 4, [](RunListFilter& f) { f.from_ms = 1'700'000'000'000 + 6 * kDay; });
    add("until", 6, [](RunListFilter& f) { f.until_ms = 1'700'000'000'000 + 6 * kDay; });
    add("last days", 3, [](RunListFilter& f) { f.last_days = 2; });
    add("most joules, which a run without does not have", 4,
        [](RunListFilter& f) { f.most_joules = 0.045; });
    add("least joules", 5, [](RunListFilter& f) { f.least_joules = 0.045; });
    const qint64 now = 1'700'000'000'000 + 9 * kDay;
    for (const Case& c : cases) {
        int shown = 0;
        for (int i = 0; i < 10; ++i)
            shown += c.filter.accepts(runOf(i), now) ? 1 : 0;
        EXPECT_EQ(shown, c.shown) << c.what;
        EXPECT_EQ(RunListFilter::fromJson(c.filter.toJson()), c.filter) << c.what;
        EXPECT_EQ(c.filter.onlyText(), c.filter == RunListFilter()) << c.what;
    }
}

TEST(RunListFilter, ReadsWhatIsNoFilterAsNone)
{
    for (const char* text : {"", "[]", "{\"models\": 3, \"from_ms\": \"soon\"}"}) {
        EXPECT_EQ(RunListFilter::fromJson(QJsonDocument::fromJson(text).object()), RunListFilter())
            << text;
    }
}

TEST(RunListFilter, FiltersAndSortsAList)
{
    auto runs = std::make_shared<std::vector<RunSummary>>();
    for (int i = 0; i < 10; ++i)
        runs->push_back(runOf(i));
    RunListModel model;
    RunFilterProxy proxy(model);
    model.setRuns(runs);
    RunListFilter filter;
    filter.models = QStringList{QStringLiteral("even")};
    proxy.setFilter(filter);
    EXPECT_EQ(proxy.rowCount(), 5);
    proxy.setText(QStringLiteral("t2"));
    EXPECT_EQ(proxy.rowCount(), 2);
    EXPECT_EQ(proxy.filter().models, filter.models);
    proxy.setFilter({});
    // Runs without a value come last in both directions.
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        proxy.sort(RunListModel::EnergyPerToken, order);
        EXPECT_EQ(model.run(proxy.mapToSource(proxy.index(9, 0)).row()).info.id, "run-5");
    }
}

} // namespace
