// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/power_history.h"

#include "ep/core/metrics.h"

#include <algorithm>

namespace ep::ui {

namespace {

Rail railOf(Channel channel)
{
    switch (channel) {
    case Channel::Gpu:
        return Rail::Gpu;
    case Channel::Ane:
        return Rail::Ane;
    case Channel::Dram:
        return Rail::Dram;
    case Channel::Cpu:
    case Channel::Total:
        break;
    }
    return Rail::Cpu;
}

} // namespace

std::optional<double> powerOf(const PowerSample& sample, Channel channel)
{
    const auto power =
        channel == Channel::Total ? totalPowerOf(sample) : ep::powerOf(sample, railOf(channel));
    return power ? std::optional(power->value) : std::nullopt;
}

Nanoseconds PowerHistory::gapLimit() const
{
    constexpr Nanoseconds kMin = 100'000'000;
    const viz::TimeSeries& total = of(Channel::Total);
    if (total.empty())
        return kMin;
    const Nanoseconds covered = total.summary(total.time()).covered_ns;
    return std::max(kMin, 3 * covered / static_cast<Nanoseconds>(total.size()));
}

std::optional<Nanoseconds> PowerHistory::sampleBeside(Nanoseconds time, int direction) const
{
    const viz::TimeSeries& total = of(Channel::Total);
    std::size_t next = total.firstFrom(direction < 0 ? time : time + 1);
    if (direction < 0) {
        while (next > 0 && total.window(next - 1).end_ns > time)
            --next;
        if (next-- == 0)
            return std::nullopt;
    }
    if (next >= total.size())
        return std::nullopt;
    const TimeRange window = total.window(next);
    return window.begin_ns + window.duration_ns() / 2;
}

void PowerHistory::add(const PowerSample& sample)
{
    for (const Channel channel : kChannels)
        series[static_cast<std::size_t>(channel)].append(sample.window, powerOf(sample, channel));
    modelled = modelled || sample.modelled;
}

PowerHistoryPtr powerHistoryOf(std::span<const PowerSample> samples)
{
    auto history = std::make_shared<PowerHistory>();
    for (const PowerSample& sample : samples)
        history->add(sample);
    history->findGaps();
    return history;
}

} // namespace ep::ui
