// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_fixture.h"

#include "ep/ui/charts/phase_views.h"

namespace ep::ui {
namespace {

class PhaseViewsTest : public test::CostChartTest {
protected:
    // A run with samples of 1 ms and their phases, one of them far too high.
    static RunPtr sampledRun(bool modelled = false)
    {
        ep::Run run = test::makeCostRun({.tokens = 30});
        for (int i = 0; i < 120; ++i) {
            PowerSample sample;
            sample.window.begin_ns = run.trace.time.begin_ns + i * 1'000'000;
            sample.window.end_ns = sample.window.begin_ns + 1'000'000;
            sample.phase = i < 40 ? Phase::Prefill : Phase::Decode;
            sample.phase_confidence = i == 40 ? 0.5 : 1.0;
            const double watts = (i < 40 ? 20.0 : 10.0) + 0.1 * (i % 5);
            sample.power_mw[Rail::Cpu] = Milliwatts{watts * 1000.0};
            sample.total_mw = Milliwatts{i == 100 ? 40'000.0 : watts * 1000.0};
            sample.modelled = modelled;
            run.trace.samples.push_back(sample);
        }
        for (PhaseSpan& span : run.trace.phases) {
            span.energy.rails_mj[Rail::Cpu] = *span.energy.total_mj * 0.25;
            span.energy.rails_mj[Rail::Gpu] = *span.energy.total_mj * 0.75;
        }
        return std::make_shared<const ep::Run>(std::move(run));
    }
};

TEST_F(PhaseViewsTest, BoxesAndSamplesAnswer)
{
    const RunPtr run = sampledRun();
    SelectionController controller;
    controller.setRun(run);
    PhasePowerView view;
    view.setController(&controller);
    view.setRun(run);
    show(view, {900, 360});
    ASSERT_EQ(view.data().boxes.size(), 2U);
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 1));
    EXPECT_EQ(controller.selection().phase, Phase::Decode);
    const QString box = toolTipAt(view, centreOf(view, 0));
    for (const char* part : {"Prefill: 40 samples (measured), median 20.2 W", "0 anomalies"})
        EXPECT_TRUE(box.contains(QString::fromUtf8(part))) << box.toStdString();
    const QString anomaly = view.describeItem(2 + 100);
    EXPECT_TRUE(anomaly.contains(QStringLiteral("anomaly, |z| is above 3.5")))
        << anomaly.toStdString();
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 2 + 60));
    EXPECT_EQ(controller.selection().time, run->trace.samples[60].window);
    EXPECT_EQ(view.table().rows.size(), 2U);
}

TEST_F(PhaseViewsTest, FiltersHideSamples)
{
    PhasePowerView view;
    view.setRun(sampledRun());
    show(view, {900, 360});
    viz::PhasePowerFilter filter;
    filter.least_confidence = 0.9;
    view.setFilter(filter);
    EXPECT_EQ(view.data().hidden, 1U);
    filter.rail = Rail::Gpu;
    view.setFilter(filter);
    EXPECT_EQ(view.itemCount(), 0U);
    EXPECT_FALSE(view.grab().isNull());
    filter = {};
    filter.phases[static_cast<std::size_t>(Phase::Prefill)] = false;
    view.setFilter(filter);
    EXPECT_EQ(view.data().boxes.size(), 1U);
}

TEST_F(PhaseViewsTest, RailsStackAndSayWhatIsMissing)
{
    SelectionController controller;
    const RunPtr run = sampledRun();
    controller.setRun(run);
    RailBarsView view;
    view.setController(&controller);
    view.setRun(run);
    show(view, {800, 240});
    ASSERT_GE(view.itemCount(), 3U);
    EXPECT_TRUE(view.describeItem(2).contains(QStringLiteral("GPU: ")));
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 2));
    EXPECT_EQ(controller.selection().phase, Phase::Decode);
    view.setNet(true); // has no effect without a baseline
    EXPECT_TRUE(view.describeItem(2).contains(QStringLiteral("— (missing)")))
        << view.describeItem(2).toStdString();
    EXPECT_FALSE(contains(view.grab().toImage(), view.theme().channel(Channel::Gpu)));
}

TEST_F(PhaseViewsTest, PicturesInBothThemes)
{
    for (const bool modelled : {false, true}) {
        PhasePowerView power;
        power.setRun(sampledRun(modelled));
        show(power, {900, 360});
        expectPicture(power, [](const Theme& theme) { return theme.phase(Phase::Decode); });
        RailBarsView rails;
        rails.setRun(sampledRun(modelled));
        show(rails, {800, 240});
        expectPicture(rails, [](const Theme& theme) { return theme.channel(Channel::Gpu); });
        for (PaintedView* view : std::initializer_list<PaintedView*>{&power, &rails})
            for (const QSize size : {QSize(1, 1), QSize(50, 40), QSize(2560, 700)}) {
                view->resize(size);
                EXPECT_FALSE(view->grab().isNull());
            }
    }
}

} // namespace
} // namespace ep::ui
