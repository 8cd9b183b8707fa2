// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Finds power readings that cannot be right, from any source. Pure.
namespace ep::energy {

enum class Concern : std::uint8_t {
    Note, // worth knowing; the figures are still valid
    Doubtful, // may be wrong
    Poor, // cannot be right: nothing may be derived from the readings
};

struct Implausible {
    Concern concern = Concern::Note;
    Message reason; // one sentence that names the rows

    bool operator==(const Implausible&) const = default;
};

// The device that a rail measures, which limits the power that it can draw.
enum class Measured : std::uint8_t {
    Processor, // one processor package
    GraphicsCard,
    Graphics, // graphics inside a processor or system on a chip
    NeuralEngine,
    Memory,
    Board, // a small computer's board
    Usb,
    Machine, // at the wall, or all of the machine
    Part, // a part of another rail
};
// The largest power that a device of this kind may draw, with a margin for sensors that overshoot.
double possibleWatts(Measured what);

// "row 12", "rows 12 to 15 and 20", "rows 1, 3, 5 and 7 more".
class RowList {
public:
    void add(std::int64_t row);
    std::int64_t count() const { return m_count; }
    std::string text(const char* word = "row") const;

private:
    struct Stretch {
        std::int64_t first = 0;
        std::int64_t last = 0;
    };
    static constexpr std::size_t kMaxStretches = 3;
    std::vector<Stretch> m_stretches;
    std::int64_t m_count = 0;
    std::int64_t m_listed = 0;
};

// Examines the readings of one rail, one after the other; needs constant memory.
class RailWatch {
public:
    // rated: power of the device according to its maker, in watts.
    RailWatch(std::string name, Measured what, std::optional<double> ratedWatts = {});

    // Power at an instant, or mean power of a window, with the device's utilisation if known
    // (0..1).
    void addPower(double watts, std::int64_t row, std::optional<double> use = {});
    // Energy of a window; seconds: 0 if unknown.
    void addEnergy(double joules, double seconds, std::int64_t row);
    // Increment of a running total.
    void addIncrement(double joules, double seconds, std::int64_t row);
    void setRated(double watts) { m_rated = watts; }
    void setName(const std::string& name) { m_name = name; }

    bool flatUnderLoad() const;
    // others: whether another rail of the recording follows its load.
    std::vector<Implausible> findings(bool others = false) const;
    // Whether a device that always draws something reads zero in all rows.
    bool isDead() const;
    std::int64_t count() const { return m_count; }

private:
    void look(double watts, std::int64_t row);
    void sameEnergies(std::vector<Implausible>& found) const;

    std::string m_name;
    Measured m_what;
    std::optional<double> m_rated;
    std::int64_t m_count = 0;
    double m_least = std::numeric_limits<double>::infinity();
    double m_most = -std::numeric_limits<double>::infinity();
    double m_leastUse = std::numeric_limits<double>::infinity();
    double m_mostUse = -std::numeric_limits<double>::infinity();
    RowList m_negative;
    RowList m_impossible;
    RowList m_aboveRated;
    double m_highest = 0.0; // highest impossible reading
    std::int64_t m_run = 0; // length of the current run of readings above the rated power
    std::int64_t m_longestRun = 0;
    bool m_energies = false;
    std::map<double, std::int64_t> m_equal; // counts by energy, while there are few different ones
    bool m_manyDifferent = false;
    double m_leastLength = std::numeric_limits<double>::infinity();
    double m_mostLength = 0.0;
    bool m_increments = false;
    std::int64_t m_steps = 0; // number of increments above zero
};

// A whole and its parts, in joules over the same time. Poor if the parts add up to clearly
// more.
std::optional<Implausible> partsAboveWhole(const std::string& parts, double partsJoules,
                                           const std::string& whole, double wholeJoules);

// Compares the energy from power with the energy of a counter or a stated energy.
std::optional<Implausible> contradiction(const std::string& rail, double powerJoules,
                                         double statedJoules);

// Checks the samples of a run or a live source; row numbers count the samples from 1.
std::vector<Implausible> implausibleSamples(std::span<const PowerSample> samples,
                                            std::optional<Milliwatts> rated = {});

} // namespace ep::energy
