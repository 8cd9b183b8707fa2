// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_energy.h"
#include "models/run_figures.h"
#include "support/sample_run.h"

#include "ep/ui/charts/selection_controller.h"

#include <gtest/gtest.h>

#include <memory>

namespace ep::ui {
namespace {

QString valueOf(const FigureCard& card, const char* id)
{
    for (const FigureCard::Row& row : card.rows) {
        if (row.id == QLatin1String(id))
            return row.value;
    }
    return QStringLiteral("no such row");
}

struct CacheCase {
    int input;
    int output;
    const char* bytes;
    const char* share;
};

class CachedPositions : public testing::TestWithParam<CacheCase> { };

// The token that was chosen last is never fed back, so it takes no room.
TEST_P(CachedPositions, AreThoseThatWentThroughTheLayers)
{
    ep::Run run;
    run.info.model.kv_bytes_per_token = 1000;
    run.info.model.context_length = 512;
    run.info.input_tokens = GetParam().input;
    run.info.output_tokens = GetParam().output;
    const FigureCard card = kvCacheCard(run, {});
    EXPECT_EQ(valueOf(card, "kvEnd").toStdString(), GetParam().bytes);
    EXPECT_EQ(valueOf(card, "kvContext").toStdString(), GetParam().share);
}

INSTANTIATE_TEST_SUITE_P(Runs, CachedPositions,
                         testing::Values(CacheCase{11, 502, "512 kB", "100.0 %"},
                                         CacheCase{12, 1, "12.0 kB", "2.3 %"},
                                         CacheCase{12, 0, "12.0 kB", "2.3 %"}));

// The figures are those of a time: they must not bear the name of a part of it.
TEST(SelectedFigures, AreOfAllLayersAlsoWhenOneIsChosen)
{
    SelectionController chosen;
    chosen.setRun(std::make_shared<ep::Run>(test::makeSampleRun()));
    const auto title = [&] { return figuresOf(chosen, nullptr, {}).title.toStdString(); };
    EXPECT_EQ(title(), "The whole run");
    chosen.selectPart(1, Component::QProj);
    EXPECT_EQ(title(), "The whole run, all layers");
    chosen.selectToken(2);
    EXPECT_EQ(title(), "token 2, all layers");
}

} // namespace
} // namespace ep::ui
