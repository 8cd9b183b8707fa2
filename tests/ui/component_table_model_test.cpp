// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/dash.h"
#include "support/qt_warning_guard.h"
#include "support/sample_run.h"

#include "ep/ui/models/component_table_model.h"

#include <QAbstractItemModelTester>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace {

using namespace ep;
using ui::ComponentTableModel;

using ep::test::kDash;

class ComponentTableModelTest : public testing::Test {
protected:
    ComponentTableModelTest()
        : tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning)
    {
    }

    void fill(const ep::Run& run)
    {
        viz::HeatmapAccumulator accumulator;
        accumulator.add(run.trace);
        model.setComponents(accumulator, "powermetrics");
    }

    QtWarningGuard guard;
    ComponentTableModel model;
    QAbstractItemModelTester tester;
};

TEST_F(ComponentTableModelTest, HasARowForEachComponentOfEachLayer)
{
    const ep::Run run = test::makeSampleRun({.layers = 3});
    fill(run);
    std::set<std::pair<int, Component>> parts;
    for (const Span& span : run.trace.components)
        parts.insert({span.layer, span.component});
    std::set<Component> components; // each one also summed over all layers
    for (const auto& [layer, component] : parts)
        components.insert(component);
    EXPECT_EQ(model.rowCount(), static_cast<int>(parts.size() + components.size()));
    for (const auto& [layer, component] : parts) {
        const auto row = model.rowOf(layer, component);
        ASSERT_TRUE(row.has_value());
        EXPECT_EQ(model.layerOf(*row), layer);
        EXPECT_EQ(model.componentOf(*row), component);
    }
    EXPECT_EQ(model.rowOf(3, Component::QProj), std::nullopt);
}

TEST_F(ComponentTableModelTest, TimeAndEnergyAreSumsOverTokens)
{
    const ep::Run run = test::makeSampleRun();
    fill(run);
    double time_ms = 0.0;
    double energy_mj = 0.0;
    float largest = 0.0F;
    for (const Span& span : run.trace.components) {
        if (span.layer != 1 || span.component != Component::DownProj)
            continue;
        time_ms += toMilliseconds(span.time.duration_ns());
        energy_mj += span.energy_mj->value;
        largest = std::max(largest, span.stats.value().max_abs);
    }
    const int row = model.rowOf(1, Component::DownProj).value();
    const auto raw = [&](int column) {
        return model.index(row, column).data(ui::kRawRole).toDouble();
    };
    EXPECT_NEAR(raw(ComponentTableModel::Time), time_ms, 1e-9);
    EXPECT_NEAR(raw(ComponentTableModel::Energy), energy_mj, 1e-9);
    EXPECT_NEAR(raw(ComponentTableModel::MaxAbs), static_cast<double>(largest), 1e-6);
}

TEST_F(ComponentTableModelTest, BeginsWithTheSumsOfComponentsOverAllLayers)
{
    fill(test::makeSampleRun({.layers = 3}));
    const Component component = model.componentOf(0);
    EXPECT_EQ(model.layerOf(0), ComponentTableModel::kAllLayers);
    EXPECT_EQ(model.index(0, ComponentTableModel::Layer).data().toString(), QStringLiteral("all"));
    for (const int column : {ComponentTableModel::Time, ComponentTableModel::Energy}) {
        double sum = 0.0;
        for (int layer = 0; layer < 3; ++layer)
            sum += model.index(model.rowOf(layer, component).value(), column)
                       .data(ui::kRawRole)
                       .toDouble();
        EXPECT_NEAR(model.index(0, column).data(ui::kRawRole).toDouble(), sum, 1e-9);
    }
    fill(test::makeSampleRun({.layers = 1})); // with one layer, the sum belongs to that layer
    EXPECT_EQ(model.layerOf(0), 0);
}

TEST_F(ComponentTableModelTest, WithoutPowerTheEnergyIsADash)
{
    fill(test::makeSampleRun({.power = false}));
    ASSERT_GT(model.rowCount(), 0);
    EXPECT_EQ(model.index(0, ComponentTableModel::Energy).data().toString(), kDash);
    EXPECT_FALSE(model.index(0, ComponentTableModel::Energy).data(ui::kRawRole).isValid());
    EXPECT_NE(model.index(0, ComponentTableModel::Time).data().toString(), kDash);
}

TEST_F(ComponentTableModelTest, SortsByValueThroughTheProxy)
{
    fill(test::makeSampleRun());
    ui::RawSortProxy proxy;
    const QAbstractItemModelTester proxyTester(
        &proxy, QAbstractItemModelTester::FailureReportingMode::Warning);
    proxy.setSourceModel(&model);
    proxy.sort(ComponentTableModel::Energy, Qt::DescendingOrder);
    for (int row = 1; row < proxy.rowCount(); ++row) {
        EXPECT_GE(proxy.index(row - 1, ComponentTableModel::Energy).data(ui::kRawRole).toDouble(),
                  proxy.index(row, ComponentTableModel::Energy).data(ui::kRawRole).toDouble());
    }
}

} // namespace
