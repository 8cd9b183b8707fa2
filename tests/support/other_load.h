// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/chance.h"

#include "ep/core/time_range.h"

#include <vector>

// The power of another program, which has nothing to do with a run.
namespace ep::test {

enum class Wave { None, Square, Bursts, Ramps };

class OtherLoad {
public:
    OtherLoad() = default; // none
    // Between 0 and `most_mw`, from time 0 to `end`. Half periods of a square wave, bursts and
    // ramps last 0.1 to 1 s.
    OtherLoad(Wave wave, double most_mw, Nanoseconds end, Chance& chance);

    double until(Nanoseconds time) const; // mJ from time 0 on
    double over(const TimeRange& range) const
    {
        return until(range.end_ns) - until(range.begin_ns);
    }

private:
    void add(double seconds, double endMw);

    std::vector<double> m_times{0.0}; // s; power follows lines between them
    std::vector<double> m_mw{0.0};
    std::vector<double> m_sums{0.0};
};

} // namespace ep::test
