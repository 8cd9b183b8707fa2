// SPDX-License-Identifier: GPL-3.0-or-later
// Causes that lie in the state of the machine during the run.
#include "evidence.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kRecorded = 0.98; // certainty of what the system reported
constexpr double kGuessed = 0.6; // certainty if something else could explain the same
constexpr double kSlowEnough = 0.05; // share of the least time; a smaller delay needs no cause
constexpr double kBusyOthers = 0.05; // share of all cores above which other programs matter

const PowerQuality* qualityOf(const Scene& scene)
{
    const auto& quality = scene.parts.run.info.power.quality;
    return quality ? &*quality : nullptr;
}

double otherShare(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality ? quality->other_cpu_share.value_or(0.0) : 0.0;
}

bool lowMode(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality && quality->power_mode == PowerMode::Low;
}

bool onBattery(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality && quality->on_battery.value_or(false);
}

bool othersBusy(const Scene& scene)
{
    return otherShare(scene) >= kBusyOthers;
}

// Number of conditions that could have slowed all parts alike.
int reasonsToBeSlow(const Scene& scene)
{
    return (lowMode(scene) ? 1 : 0) + (othersBusy(scene) ? 1 : 0);
}

Clue uniform(const Scene& scene, double share)
{
    Clue clue;
    clue.explained = [&scene, share](const Prices& prices) {
        return share * prices.watts * uniformDelay(scene, prices);
    };
    clue.figures = {formatSignificant(scene.usual_slowness, 2)};
    return clue;
}

} // namespace

Clue slowRun(const Scene& scene)
{
    if (!scene.measured_ceilings || !scene.has_energies)
        return {.certainty = 0.5};
    if (reasonsToBeSlow(scene) > 0 || scene.usual_slowness < 1.0 + kSlowEnough)
        return {};
    return uniform(scene, 1.0);
}

Clue lowPower(const Scene& scene)
{
    if (!lowMode(scene) && !onBattery(scene))
        return {};
    if (!scene.measured_ceilings || !scene.has_energies)
        return lowMode(scene) ? Clue{.certainty = kRecorded,
                                     .fact = true,
                                     .remark = "The machine was in low-power "
                                               "mode."}
                              : Clue{.certainty = 0.5};
    const int reasons = std::max(1, reasonsToBeSlow(scene));
    Clue clue = uniform(scene, 1.0 / reasons);
    clue.certainty = lowMode(scene) ? kRecorded : kGuessed;
    clue.fact = lowMode(scene);
    if (reasons > 1)
        clue.sd = 0.25 * clue.explained({.watts = 1.0}); // the share of each is unknown
    clue.figures.insert(clue.figures.begin(), lowMode(scene) ? "low-power mode" : "battery");
    return clue;
}

Clue otherLoad(const Scene& scene)
{
    if (!othersBusy(scene))
        return {};
    if (!scene.measured_ceilings || !scene.has_energies) // known, but not what it cost
        return {
            .certainty = kRecorded, .fact = true, .figures = {formatPercent(otherShare(scene))}};
    const double share = 1.0 / std::max(1, reasonsToBeSlow(scene));
    Clue clue;
    clue.explained = [&scene, share](const Prices& prices) {
        const double slow = share * prices.watts * uniformDelay(scene, prices);
        if (scene.of_time)
            return slow;
        Amount all;
        for (const WorkNode& node : scene.nodes)
            all += node.amount;
        return slow + scene.run_used * std::fmax(0.0, scene.total - prices.of(all));
    };
    clue.certainty = kRecorded;
    clue.fact = true;
    clue.figures = {formatPercent(otherShare(scene))};
    return clue;
}

Clue throttling(const Scene& scene)
{
    if (scene.throttled_s <= 0.0 || !scene.has_energies)
        return {};
    const PowerQuality* quality = qualityOf(scene);
    const ThermalPressure pressure = quality ? quality->thermal : ThermalPressure::Unknown;
    const bool known = pressure != ThermalPressure::Unknown;
    // Without the thermal state heat is a guess, which a recorded reason for slow steps rules out.
    if (pressure == ThermalPressure::Nominal || (!known && reasonsToBeSlow(scene) > 0))
        return {};
    Clue clue;
    clue.fact = known;
    clue.explained = [seconds = scene.throttled_s](const Prices& prices) {
        return seconds * prices.watts;
    };
    clue.sd = 0.1 * scene.throttled_s * (scene.of_time ? 1.0 : 0.0);
    clue.certainty = known ? kRecorded : kGuessed;
    clue.figures = {formatPercent(scene.throttled_share),
                    known ? std::string(name(pressure)) : "unknown"};
    return clue;
}

Clue fallback(const Scene& scene)
{
    if (scene.parts.run.info.device == "cpu" || scene.parts.run.info.device.empty())
        return {}; // a processor has no slower device to fall back to
    if (!scene.has_ceilings || !scene.has_energies)
        return {.certainty = 0.5};
    std::vector<std::string> parts;
    for (const WorkNode& node : scene.nodes) {
        if (fellBehind(scene, node, scene.prices))
            parts.push_back(std::string(name(node.phase)) + ' ' + node.word());
    }
    if (parts.empty())
        return {};
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double lost = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (!fellBehind(scene, node, scene.prices))
                continue;
            const double usual = prices.least(node.amount) * scene.usual_slowness;
            lost += usedShare(scene, node) * (node.amount.seconds - usual);
        }
        return lost * prices.watts;
    };
    clue.certainty = 0.95; // the kernel itself may be that slow
    clue.figures = {joined(parts, ", ")};
    return clue;
}

} // namespace ep::energy
