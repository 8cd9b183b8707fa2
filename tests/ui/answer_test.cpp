// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer.h"

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

EnergyValue energyOf(double millijoules)
{
    EnergyValue energy;
    energy.total_mj = Millijoules{millijoules};
    energy.provenance = Provenance::Modelled;
    return energy;
}

// 1 J: prefill 200 mJ, decode 800 mJ.
Run someRun()
{
    Run run;
    run.trace.time = {0, 100 * kMs};
    run.metrics.energy = energyOf(1000.0);
    run.trace.phases = {{Phase::Prefill, {0, 20 * kMs}, energyOf(200.0)},
                        {Phase::Decode, {20 * kMs, 100 * kMs}, energyOf(800.0)}};
    return run;
}

ComponentTotal total(std::int32_t layer, Component component, double millijoules, Nanoseconds time)
{
    ComponentTotal part;
    part.layer = layer;
    part.component = component;
    part.tokens = 1;
    part.sum.add(time, Millijoules{millijoules}, Provenance::Modelled);
    return part;
}

TEST(Answer, RanksComponentsOverAllLayersByEnergy)
{
    const std::vector<ComponentTotal> totals{
        total(0, Component::QProj, 100.0, 40 * kMs), total(1, Component::QProj, 100.0, 30 * kMs),
        total(0, Component::DownProj, 300.0, 10 * kMs), total(0, Component::Attention, 150.0, kMs),
        total(0, Component::UpProj, 20.0, kMs)};
    const Answer answer = answerOf(someRun(), totals);
    ASSERT_EQ(answer.bars.size(), 3U);
    EXPECT_EQ(answer.bars[0].component, Component::DownProj);
    EXPECT_EQ(answer.bars[1].component, Component::QProj);
    EXPECT_EQ(answer.bars[2].component, Component::Attention);
    EXPECT_DOUBLE_EQ(answer.bars[0].share, 0.3);
    EXPECT_EQ(answer.bars[1].value.toStdString(), "200 mJ · 20.0 %");
    EXPECT_TRUE(answer.sentence.contains(QStringLiteral("30.0 %")));
    EXPECT_TRUE(answer.sentence.contains(QStringLiteral("Decode took 80.0 %")))
        << answer.sentence.toStdString();
    EXPECT_EQ(answer.basis.toStdString(), "modelled");
}

TEST(Answer, ASectionCanBeTheLargest)
{
    ep::Run run = someRun();
    SectionSpan head;
    head.section = Section::LmHead;
    head.time = {0, kMs};
    head.energy = energyOf(600.0);
    run.trace.sections = {head};
    const Answer answer =
        answerOf(run, std::vector<ComponentTotal>{total(0, Component::QProj, 100.0, kMs)});
    ASSERT_EQ(answer.bars.size(), 2U);
    EXPECT_DOUBLE_EQ(answer.bars[0].share, 0.6);
    EXPECT_FALSE(answer.bars[0].component);
}

TEST(Answer, WithoutLayersThePhasesAreRanked)
{
    const Answer answer = answerOf(someRun(), {});
    ASSERT_EQ(answer.bars.size(), 2U);
    EXPECT_EQ(answer.bars[0].phase, Phase::Decode);
}

TEST(Answer, WithoutEnergyItSaysThatItIsByTime)
{
    ep::Run run = someRun();
    run.metrics.energy = {};
    for (PhaseSpan& phase : run.trace.phases)
        phase.energy = {};
    ComponentTotal slow = total(0, Component::QProj, 0.0, 50 * kMs);
    slow.sum = {};
    slow.sum.add(50 * kMs, std::nullopt, Provenance::Missing);
    const Answer answer = answerOf(run, std::vector<ComponentTotal>{slow});
    ASSERT_EQ(answer.bars.size(), 1U);
    EXPECT_DOUBLE_EQ(answer.bars[0].share, 0.5);
    EXPECT_TRUE(answer.sentence.contains(QStringLiteral("by time")));
    EXPECT_FALSE(answer.sentence.contains(u'J'));
}

TEST(Answer, NothingIsSaidAboutNothing)
{
    EXPECT_TRUE(answerOf(ep::Run(), {}).sentence.isEmpty());
}

} // namespace
} // namespace ep::ui
