// SPDX-License-Identifier: GPL-3.0-or-later
// Running totals: those that begin again at zero, and energies that may be one.
#include "collector.h"
#include "log.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {

namespace {

// Where counters end, in joules: 32 bits in units of 2^-14 and 2^-16 J, as model-specific registers
// have them, max_energy_range_uj of powercap, and 32 bits in uJ and mJ.
constexpr std::array kRegisterRanges{4'294.967296,  65'536.0,       262'144.0,    65'532.610987,
                                     65'712.999613, 262'143.328850, 4'294'967.296};
constexpr std::array kMicrojouleRanges{4'294.967296, 65'532.610987, 65'712.999613, 262'143.328850,
                                       4'294'967.296};

} // namespace

// A counter that falls began again at zero, or was started anew. It began again if a known range
// makes the power of that step what the power of the others is.
void Collector::joinWraps(Rail& rail)
{
    constexpr double kMicrojoule = 1.5e-6;
    const std::span<const double> ranges = rail.spec.unit_j < kMicrojoule
        ? std::span<const double>(kMicrojouleRanges)
        : std::span<const double>(kRegisterRanges);
    for (const auto& drop : rail.drops) {
        const Reading& before = drop.first;
        const Reading& now = drop.second;
        const double seconds = toSeconds(now.at_ns - before.at_ns);
        const auto fits = [&](double range) {
            const double watts = (range - before.value + now.value) / seconds;
            return before.value <= range && watts <= 3.0 * rail.most_w
                && watts >= rail.least_w / 3.0;
        };
        std::vector<double> fitting;
        if (seconds > 0.0 && rail.most_w > 0.0)
            std::ranges::copy_if(ranges, std::back_inserter(fitting), fits);
        if (fitting.empty() || (rail.range_j > 0.0 && fitting.front() != rail.range_j)) {
            rail.restarts.add(now.row);
            addGap(rail, before.at_ns, now.at_ns, true);
            continue;
        }
        const auto [least, most] = std::ranges::minmax(fitting);
        rail.range_j = fitting.front();
        rail.wrapped.add(now.row);
        constexpr double kMatters = 0.005;
        rail.wrap_unsure = rail.wrap_unsure || most - least > kMatters * rail.joules;
        const double joules = rail.range_j - before.value + now.value;
        const auto watts = static_cast<float>(joules / seconds);
        const Window window{before.at_ns, now.at_ns, joules, watts, watts};
        rail.joules += joules;
        rail.covered_s += seconds;
        rail.windows.insert(
            std::ranges::lower_bound(rail.windows, window.begin_ns, {}, &Window::begin_ns), window);
    }
    rail.drops.clear();
}

// Energies without a length may be a running total; only values that fall rule that out.
Status Collector::checkMeaning(const Rail& rail, const ReadOptions& options)
{
    constexpr std::int64_t kSometimes = 10;
    const bool wanted = options.rails.empty()
        || std::ranges::find(options.rails, rail.spec.name) != options.rails.end();
    if (!rail.spec.unsure || !wanted || rail.falls * kSometimes >= rail.samples)
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"%1 may be a running total or the energy of each row; state which "
                  "(--energies).",
                  rail.spec.name}};
}

} // namespace ep::powerlog
