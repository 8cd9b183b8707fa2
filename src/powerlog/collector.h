// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rails.h"

#include "ep/energy/plausibility.h"
#include "ep/powerlog/read.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ep::powerlog {

// The index from which on all steps are about a thousand times, or a thousandth of, those before;
// the step in between may be anything. Absent: there is no such index.
std::optional<std::size_t> unitChangeIn(std::span<const double> steps);

// Whether values form two groups, of which one is about a thousand times the other with nothing in
// between. Constant memory.
class ValueGroups {
public:
    void add(double value, std::int64_t row);
    // A row of the smaller group; absent: there is one group, or the two are not that far apart.
    std::optional<std::int64_t> otherRow() const;

private:
    static constexpr int kBuckets = 400; // half octaves around 1
    struct Bucket {
        std::int64_t count = 0;
        std::int64_t row = 0; // first row of the bucket
    };
    std::array<Bucket, kBuckets> m_buckets{};
};

// A rail as its format describes it.
struct RailSpec {
    std::string name{};
    Rule rule = Rule::Trapezoid;
    energy::Measured measured = energy::Measured::Machine;
    std::string part = "system"; // like RailRecording::part
    bool from_start = false; // Interval, Joules: the time of a row is the start of its window
    bool coarse_stamps = false; // in whole seconds, so that windows are laid end to end
    std::string counted_with{}; // another rail that counts the same energy
    bool by_word = false; // only its name says that it is a whole
    bool unsure = false; // energies that may be a running total as well
    bool changes_only = false; // rows are written on changes, so long steps are not gaps
    double unit_j = 1.0; // of the values in the log

    void take(const Kind& kind)
    {
        measured = kind.measured;
        part = kind.part;
        by_word = kind.by_word;
    }
};

// One value of one rail: watts or joules.
struct Reading {
    Nanoseconds at_ns = 0;
    double value = std::numeric_limits<double>::quiet_NaN(); // NaN: not available
    double length_s = 0.0; // length of the row's window; 0: not stated
    std::int64_t row = 0;
    float use = std::numeric_limits<float>::quiet_NaN(); // utilisation of the device, 0..1
};

// Puts the readings of a log in order and adds them up. Holds a limited number of readings: sorted
// stretches of a long log are summed and dropped. Readings may be out of order within a stretch.
class Collector {
public:
    static constexpr std::size_t kMaxReadings = 1'500'000; // 48 MB
    static constexpr std::size_t kMaxWindows = 800'000; // 26 MB

    static constexpr std::size_t kMaxRails = 4096;
    static constexpr std::size_t kLongestName = 500; // bytes

    // Finds the rail of this name, or adds it; an error if the log has too many.
    Result<std::size_t> rail(const RailSpec& spec, std::int64_t row);
    void rename(std::size_t rail, const std::string& name);
    std::size_t railCount() const { return m_rails.size(); }
    void setRated(std::size_t rail, double watts) { m_rails[rail].watch.setRated(watts); }
    Status add(std::size_t rail, const Reading& reading);
    void note(Weight weight, Message text);
    std::int64_t readings() const { return m_total; }

    // Moves rails, times and findings into the recording; an error if there is no energy.
    Status finish(Recording& recording, const ReadOptions& options);

private:
    // Rows with one kind of fault.
    struct Rows {
        std::vector<std::int64_t> rows; // the first rows; count includes the others
        std::int64_t count = 0;
        void add(std::int64_t row);
        std::string text() const;
    };
    struct Rail {
        RailSpec spec;
        energy::RailWatch watch;
        std::vector<Reading> readings;
        std::vector<Window> windows;
        std::vector<Reading> last{}; // last reading of the previous stretch, if any
        std::int64_t samples = 0;
        std::int64_t unavailable = 0;
        double joules = 0.0;
        double covered_s = 0.0;
        double least_w = std::numeric_limits<double>::infinity();
        double most_w = -std::numeric_limits<double>::infinity();
        double overlap_s = 0.0;
        double stated_s = 0.0; // sum of the lengths
        Nanoseconds longest_step = 0; // longer steps are gaps
        Nanoseconds usual_step = 0;
        double gaps_s = 0.0;
        ValueGroups groups{};
        bool dead = false;
        std::int64_t falls = 0; // energies that are less than the one before
        std::vector<std::pair<Reading, Reading>> drops{}; // a counter that was less than before
        double range_j = 0.0; // after which the counter begins again
        bool wrap_unsure = false;
        Rows wrapped{};
        Rows restarts{};
    };

    Status flush();
    Status putInOrder(Rail& rail);
    void dropRepeats(Rail& rail);
    void sum(Rail& rail);
    void sumPower(Rail& rail, const Reading& before, const Reading& now, bool broken);
    void sumLength(Rail& rail, const Reading& now);
    void sumCounter(Rail& rail, const Reading& before, const Reading& now);
    void addWindow(Rail& rail, const Window& window);
    static void findGapLength(Rail& rail);
    void addGap(Rail& rail, Nanoseconds begin, Nanoseconds end, bool unavailable);
    static Status checkTimes(const Rail& rail);
    void describeTrouble(Recording& recording);
    void joinWraps(Rail& rail);
    static Status checkMeaning(const Rail& rail, const ReadOptions& options);
    void judge(std::vector<Finding>& findings);
    void judgeRail(Rail& rail, bool others, bool othersLive, std::vector<Finding>& findings);
    void judgeTwins(std::vector<Finding>& findings) const;
    void judgeDivision(Division division, std::string_view whole, std::vector<Finding>& findings);
    void judgeWholes(std::vector<Finding>& findings);

    std::vector<Rail> m_rails;
    std::map<std::string, std::size_t> m_names;
    std::size_t m_held = 0;
    std::int64_t m_total = 0;
    Nanoseconds m_first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds m_last = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds m_flushedUntil = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds m_largestBridged = 0; // largest bridged gap of the rail in which it is most unusual
    Nanoseconds m_usualStep = 0;

    Rows m_repeated, m_sameTime, m_setBack, m_unavailable; // of all rails together
    std::int64_t m_setBackFrom = 0;
    Nanoseconds m_setBackBy = 0;
    bool m_sorted = false;
    bool m_jitter = false;
    std::map<std::pair<Nanoseconds, Nanoseconds>, bool> m_gaps; // true: rows without values
    std::vector<Finding> m_notes;
};

} // namespace ep::powerlog
