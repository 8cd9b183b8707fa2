// SPDX-License-Identifier: GPL-3.0-or-later
// The list of History with 10,000 runs: from the file to the model, a keystroke in the search
// field, sorting, and the trend.
#include "pages/history_trend.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"
#include "ep/ui/models/run_list_model.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace ep;
using ui::RunFilterProxy;
using ui::RunListModel;

constexpr int kRuns = 10'000;
constexpr int kWords = 150; // per response

// Runs of four models with a page of text each.
RunSummary summaryOf(int index)
{
    static const ep::Run sample = test::makeSampleRun();
    RunSummary run{sample.info, sample.metrics};
    run.info.id = "run-" + std::to_string(index);
    run.info.created_at_ms = 1'700'000'000'000 + index * 600'000LL;
    run.info.model.name = "model-" + std::to_string(index % 4);
    run.info.prompt = "Tell me about number " + std::to_string(index);
    run.info.response.clear();
    for (int word = 0; word < kWords; ++word)
        run.info.response += "word" + std::to_string((index * 31 + word * 7) % 1000) + ' ';
    run.info.tags = {"t" + std::to_string(index % 20)};
    run.metrics.joules_per_token = 0.01 + 0.0001 * (index * 37 % 1000);
    return run;
}

ui::RunList runs()
{
    static const ui::RunList list = [] {
        auto all = std::make_shared<std::vector<RunSummary>>();
        for (int i = 0; i < kRuns; ++i)
            all->push_back(summaryOf(i));
        return ui::RunList(all);
    }();
    return list;
}

struct List {
    List()
        : proxy(model)
    {
        model.setRuns(runs());
        proxy.sort(model.columnOf(u"date"), Qt::DescendingOrder);
    }
    RunListModel model;
    RunFilterProxy proxy;
};

void readFromFile(benchmark::State& state)
{
    const test::TempFolder folder;
    auto store = store::Store::open(folder.path() / "runs.db");
    // Writing them takes longer than everything else: EP_BENCH_RUNS=10000 sets their number.
    const char* wanted = std::getenv("EP_BENCH_RUNS");
    const std::size_t count = wanted ? std::strtoul(wanted, nullptr, 10) : 500;
    for (std::size_t i = 0; i < std::min(count, runs()->size()); ++i) {
        const RunSummary& run = (*runs())[i];
        if (!(*store)->saveRun({run.info, run.metrics, {}}))
            state.SkipWithError("a run could not be saved");
    }
    for (auto _ : state) {
        const auto list = (*store)->list();
        if (!list || list->size() < std::min(count, runs()->size()))
            state.SkipWithError("the runs are not there");
    }
}
BENCHMARK(readFromFile)->Unit(benchmark::kMillisecond);

void fillModel(benchmark::State& state)
{
    List list;
    for (auto _ : state)
        list.model.setRuns(runs());
}
BENCHMARK(fillModel)->Unit(benchmark::kMillisecond);

void keystroke(benchmark::State& state)
{
    List list;
    const QString text = QStringLiteral("word97");
    int length = 0;
    for (auto _ : state) {
        length = length % static_cast<int>(text.size()) + 1;
        list.proxy.setText(text.left(length));
        benchmark::DoNotOptimize(list.proxy.rowCount());
    }
}
BENCHMARK(keystroke)->Unit(benchmark::kMillisecond);

void sortByColumn(benchmark::State& state)
{
    List list;
    bool up = false;
    for (auto _ : state) {
        up = !up;
        list.proxy.sort(list.model.columnOf(state.range(0) == 0 ? u"joules_per_token" : u"prompt"),
                        up ? Qt::AscendingOrder : Qt::DescendingOrder);
    }
}
BENCHMARK(sortByColumn)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void trend(benchmark::State& state)
{
    std::vector<const RunSummary*> shown;
    for (const RunSummary& run : *runs())
        shown.push_back(&run);
    for (auto _ : state)
        benchmark::DoNotOptimize(ui::trendOf(shown, 1200.0, 220.0));
}
BENCHMARK(trend)->Unit(benchmark::kMillisecond);

} // namespace
