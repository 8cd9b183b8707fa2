// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widget_fixture.h"

#include "ep/ui/charts/power_chart.h"

#include <cmath>
#include <optional>

namespace ep::ui {

inline constexpr Nanoseconds kSecond = 1'000'000'000;

class PowerChartTest : public test::WidgetTest {
protected:
    static PowerSample sample(double beginSeconds, double endSeconds, double cpu,
                              std::optional<double> gpu = {})
    {
        PowerSample result;
        result.window = {std::llround(beginSeconds * 1e9), std::llround(endSeconds * 1e9)};
        result.power_mw[Rail::Cpu] = Milliwatts{cpu};
        if (gpu)
            result.power_mw[Rail::Gpu] = Milliwatts{*gpu};
        return result;
    }

    static void feed(PowerChart& chart, int count)
    {
        for (int i = 0; i < count; ++i)
            chart.addSample(sample(i * 0.1, (i + 1) * 0.1, 1000.0 + i % 7, 3000.0));
        chart.refresh();
    }

    // The strip, which receives mouse and keys.
    static QWidget& strip(PowerChart& chart) { return *chart.focusProxy(); }
};

} // namespace ep::ui
