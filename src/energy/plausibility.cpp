// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/plausibility.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/core/power_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ep::energy {

namespace {

std::string wattsText(double watts)
{
    return formatPower(Milliwatts{watts * 1e3});
}

std::string joulesText(double joules)
{
    return formatEnergy(Millijoules{joules * kMillijoulesPerJoule});
}

constexpr std::array kMeasuredBy{Measured::Processor, Measured::GraphicsCard,
                                 Measured::NeuralEngine, Measured::Memory, Measured::Machine};
// One machine's, lower than what a reading may be (core/power_limits.h): these limits tell whether
// "10,278" in a log are ten watts or ten kilowatts.
constexpr std::array kPossibleWatts{1500.0, 1800.0, 500.0,    150.0,   600.0,
                                    500.0,  300.0,  25'000.0, 25'000.0};

} // namespace

double possibleWatts(Measured what)
{
    return wordOf(kPossibleWatts, what);
}

void RowList::add(std::int64_t row)
{
    ++m_count;
    if (!m_stretches.empty() && m_listed == m_count - 1
        && (row == m_stretches.back().last + 1 || row == m_stretches.back().last)) {
        m_stretches.back().last = row;
        m_listed = m_count;
    } else if (m_stretches.size() < kMaxStretches) {
        m_stretches.push_back({row, row});
        m_listed = m_count;
    }
}

std::string RowList::text(const char* word) const
{
    const bool many = m_count > 1;
    std::string text = std::string(word) + (many ? "s " : " ");
    const std::int64_t rest = m_count - m_listed;
    for (std::size_t i = 0; i < m_stretches.size(); ++i) {
        const Stretch& stretch = m_stretches[i];
        const bool last = i + 1 == m_stretches.size();
        text += i == 0 ? "" : last && rest == 0 ? " and " : ", ";
        text += std::to_string(stretch.first);
        if (stretch.last > stretch.first)
            text += " to " + std::to_string(stretch.last);
    }
    return rest > 0 ? text + " and " + std::to_string(rest) + " more" : text;
}

RailWatch::RailWatch(std::string name, Measured what, std::optional<double> ratedWatts)
    : m_name(std::move(name))
    , m_what(what)
    , m_rated(ratedWatts)
{
}

void RailWatch::look(double watts, std::int64_t row)
{
    m_least = std::min(m_least, watts);
    m_most = std::max(m_most, watts);
    if (watts < 0.0)
        m_negative.add(row);
    if (watts > possibleWatts(m_what)) {
        m_impossible.add(row);
        m_highest = std::max(m_highest, watts);
    }
    if (m_rated && watts > kAboveRated * *m_rated) {
        m_aboveRated.add(row);
        m_longestRun = std::max(m_longestRun, ++m_run);
    } else {
        m_run = 0;
    }
}

void RailWatch::addPower(double watts, std::int64_t row, std::optional<double> use)
{
    ++m_count;
    look(watts, row);
    if (use) {
        m_leastUse = std::min(m_leastUse, *use);
        m_mostUse = std::max(m_mostUse, *use);
    }
}

void RailWatch::addEnergy(double joules, double seconds, std::int64_t row)
{
    ++m_count;
    m_energies = true;
    look(seconds > 0.0 ? joules / seconds : std::min(joules, 0.0), row);
    constexpr std::size_t kMaxDifferent = 64;
    if (!m_manyDifferent)
        ++m_equal[joules];
    if (m_equal.size() > kMaxDifferent) {
        m_manyDifferent = true;
        m_equal.clear();
    }
    if (seconds > 0.0) {
        m_leastLength = std::min(m_leastLength, seconds);
        m_mostLength = std::max(m_mostLength, seconds);
    }
}

void RailWatch::addIncrement(double joules, double seconds, std::int64_t row)
{
    ++m_count;
    m_increments = true;
    m_steps += joules > 0.0 ? 1 : 0;
    if (seconds > 0.0)
        look(joules / seconds, row);
}

bool RailWatch::flatUnderLoad() const
{
    constexpr std::int64_t kMin = 8;
    constexpr double kLoad = 0.5; // change of the utilisation
    constexpr double kFlat = 0.005; // relative to the power
    return m_count >= kMin && m_mostUse - m_leastUse >= kLoad
        && m_most - m_least <= kFlat * std::abs(m_most);
}

void RailWatch::sameEnergies(std::vector<Implausible>& found) const
{
    constexpr std::int64_t kMin = 5;
    constexpr double kMajority = 0.8;
    if (!m_energies || m_manyDifferent || m_count < kMin)
        return;
    const auto most =
        std::ranges::max_element(m_equal, {}, [](const auto& entry) { return entry.second; });
    if (most->first == 0.0
        || static_cast<double>(most->second) < kMajority * static_cast<double>(m_count))
        return;
    const bool lengthsDiffer = m_mostLength > 1.2 * m_leastLength;
    found.push_back(
        {lengthsDiffer ? Concern::Poor : Concern::Doubtful,
         {lengthsDiffer ? "%1 of %2 rows of %3 state exactly %4, whatever their length: a counter "
                          "with one coarse step, such as that of a battery."
                        : "%1 of %2 rows of %3 state exactly %4.",
          most->second, m_count, m_name, joulesText(most->first)}});
}

bool RailWatch::isDead() const
{
    constexpr std::int64_t kFewRows = 3;
    const bool neverZero = m_what == Measured::Processor || m_what == Measured::GraphicsCard
        || m_what == Measured::Machine;
    return m_most == 0.0 && m_least == 0.0 && m_count >= kFewRows && neverZero;
}

std::vector<Implausible> RailWatch::findings(bool others) const
{
    std::vector<Implausible> found;
    if (m_count == 0)
        return found;
    if (m_negative.count() > 0)
        found.push_back({Concern::Poor,
                         {"%1 is negative in %2: a device cannot deliver energy to its supply.",
                          m_name, m_negative.text()}});
    if (m_impossible.count() > 0)
        found.push_back({Concern::Poor,
                         {"%1 reads up to %2 in %3, more than any such device draws (%4); the "
                          "unit may be wrong, or the sensor.",
                          m_name, wattsText(m_highest), m_impossible.text(),
                          wattsText(possibleWatts(m_what))}});
    constexpr std::int64_t kLongRun = 3;
    if (m_aboveRated.count() > 0) {
        const bool poor = m_longestRun >= kLongRun || m_most > 2.0 * *m_rated;
        found.push_back({poor ? Concern::Poor : Concern::Note,
                         {poor ? "%1 is above 1.2 x its rated %2 in %3 (up to %4)."
                               : "%1 is above 1.2 x its rated %2 in %3 (up to %4): a step of load "
                                 "that the sensor overshoots.",
                          m_name, wattsText(*m_rated), m_aboveRated.text(), wattsText(m_most)}});
    }
    if (flatUnderLoad())
        found.push_back(
            {others ? Concern::Doubtful : Concern::Poor,
             {"%1 stays at %2 while the device's use changes from %3 to %4: its "
              "counter does not move.",
              m_name, wattsText(m_most), formatPercent(m_leastUse), formatPercent(m_mostUse)}});
    constexpr std::int64_t kFewIncrements = 8;
    if (m_increments && m_count >= kFewIncrements && m_steps == 1)
        found.push_back({Concern::Poor,
                         {"The counter of %1 moves in a single step over %2 rows, so it says "
                          "nothing about when the energy was used.",
                          m_name, m_count + 1}});
    sameEnergies(found);
    return found;
}

std::optional<Implausible> partsAboveWhole(const std::string& parts, double partsJoules,
                                           const std::string& whole, double wholeJoules)
{
    constexpr double kSensors = 1.05; // the rails are read at slightly different times
    if (!(partsJoules > kSensors * wholeJoules) || !(partsJoules > 0.0))
        return std::nullopt;
    return Implausible{Concern::Poor,
                       {"%1 add up to %2, more than the %3 of %4, which contains them.", parts,
                        joulesText(partsJoules), joulesText(wholeJoules), whole}};
}

std::optional<Implausible> contradiction(const std::string& rail, double powerJoules,
                                         double statedJoules)
{
    constexpr double kApart = 1.25;
    const double larger = std::max(powerJoules, statedJoules);
    const double smaller = std::min(powerJoules, statedJoules);
    if (!(larger > 0.0) || larger <= kApart * smaller)
        return std::nullopt;
    return Implausible{Concern::Poor,
                       {"The power of %1 adds up to %2, but its energy is stated as %3, which "
                        "contradicts it.",
                        rail, joulesText(powerJoules), joulesText(statedJoules)}};
}

std::vector<Implausible> implausibleSamples(std::span<const PowerSample> samples,
                                            std::optional<Milliwatts> rated)
{
    std::vector<Implausible> found;
    double parts = 0.0;
    double system = 0.0;
    for (const Rail rail : kRails) {
        // Graphics inside a processor may draw nothing. A rail may also be the sum of several
        // cards, so only that of a single card is compared with the rated power.
        const Measured what = rail == Rail::Gpu ? Measured::Part : wordOf(kMeasuredBy, rail);
        RailWatch watch(std::string(ep::name(rail)), what,
                        rail == Rail::Gpu && rated ? std::optional(rated->value * 1e-3)
                                                   : std::nullopt);
        std::int64_t row = 0;
        for (const PowerSample& sample : samples) {
            ++row;
            const double seconds = toSeconds(sample.window.duration_ns());
            if (!(seconds > 0.0) || sample.modelled)
                continue;
            std::optional<double> watts;
            if (const auto& energy = sample.energy_mj[rail])
                watts = energy->value / kMillijoulesPerJoule / seconds;
            else if (const auto& power = sample.power_mw[rail])
                watts = power->value * 1e-3;
            if (!watts)
                continue;
            watch.addPower(*watts, row);
            if (rail == Rail::System)
                system += *watts * seconds;
            else if (sample.power_mw[Rail::System] || sample.energy_mj[Rail::System])
                parts += *watts * seconds;
        }
        // Rails that stay at zero are part of the samples' quality.
        auto own = watch.findings();
        found.insert(found.end(), own.begin(), own.end());
    }
    if (system > 0.0) {
        if (auto above = partsAboveWhole("The rails", parts, "system", system))
            found.push_back(*std::move(above));
    }
    return found;
}

} // namespace ep::energy
