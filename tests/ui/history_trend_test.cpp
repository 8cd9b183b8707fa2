// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_trend.h"
#include "support/sample_run.h"

#include "ep/core/run.h"

#include <gmock/gmock.h>

#include <set>

namespace ep::ui {
namespace {

std::vector<std::string> textsIn(const viz::Scene& scene)
{
    std::vector<std::string> texts;
    for (const viz::SceneItem& item : scene.items) {
        if (const auto* text = std::get_if<viz::SceneText>(&item))
            texts.push_back(text->text);
    }
    return texts;
}

RunSummary summaryOf(const char* model, const char* source, Provenance provenance)
{
    Run run = test::makeSampleRun();
    run.info.model.name = model;
    run.info.power.source = source;
    run.metrics.energy.provenance = provenance;
    run.metrics.joules_per_token = 0.5;
    return {run.info, run.metrics};
}

TEST(HistoryTrend, NamesRunsThatNameNoModel)
{
    const RunSummary ours = summaryOf("toy", "modelled", Provenance::Modelled);
    const RunSummary imported = summaryOf("", kImportedSource, Provenance::Imported);
    const viz::Scene scene = trendOf({&ours, &imported}, 900.0, 300.0);
    EXPECT_THAT(textsIn(scene),
                testing::IsSupersetOf({"toy, f32, “Once upon a time…”, modelled",
                                       "Without a model, f32, “Once upon a time…”, imported"}));
    for (const viz::SceneMark& mark : scene.marks)
        EXPECT_NE(mark.text.front(), ',') << mark.text;
    EXPECT_EQ(scene.marks.size(), 2U);
}

TEST(HistoryTrend, NamesEachSecondOnce)
{
    std::vector<RunSummary> runs;
    for (int i = 0; i < 8; ++i) {
        runs.push_back(summaryOf("toy", "modelled", Provenance::Modelled));
        runs.back().info.created_at_ms += 400 * i;
    }
    std::vector<const RunSummary*> shown;
    for (const RunSummary& run : runs)
        shown.push_back(&run);
    std::vector<std::string> times;
    for (const std::string& text : textsIn(trendOf(shown, 900.0, 300.0))) {
        if (text.size() == 8 && text[2] == ':')
            times.push_back(text);
    }
    EXPECT_GE(times.size(), 2U);
    EXPECT_EQ(std::set<std::string>(times.begin(), times.end()).size(), times.size());
}

} // namespace
} // namespace ep::ui
