// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"

#include <optional>
#include <string>
#include <vector>

// The one rule for readings that cannot be true, used by every source: such a reading is missing,
// and said once. Drivers report errors as numbers (-1, or all bits set), and counters jump when
// firmware or drivers are restarted.
namespace ep::power {

// The most that a rail of one machine can draw, by the largest machines that are built.
Milliwatts mostPossible(Rail rail);
// The most that one device can draw: 1.2 times its rated power, or of one that states none, or one
// beyond any device, the most that a card, processor or memory of this rail can draw.
Milliwatts mostOfDevice(Rail rail, std::optional<Milliwatts> rated);

// Whether a driver says "error" by this number. Its unit is that of the driver.
bool isErrorCode(double reading);

class ReadingCheck {
public:
    // A power as the driver gives it, if it can be true. sensor: name of the file or device, for
    // the message. Negative powers are errors.
    std::optional<Milliwatts> power(const std::string& sensor, std::optional<double> reading,
                                    double perMilliwatt, Milliwatts most);
    // The advance of a counter over a window, if it can be true. A counter that is published in
    // batches may show more than the energy of its window.
    std::optional<Millijoules> energy(const std::string& sensor, Millijoules advance,
                                      Nanoseconds window, Milliwatts most);
    // Removes rails and totals from a sample that cannot be true, whatever source it comes from.
    // counters: its energies are advances of counters, see energy(). False: nothing is left of it.
    bool clean(PowerSample& sample, bool counters);

    void noteUnreadable(const std::string& sensor);
    void note(const std::string& sensor, std::string sentence); // the first of each sensor counts
    // One sentence for each sensor that gave an impossible reading, or none.
    const std::vector<std::string>& faults() const { return m_faults; }

private:
    void noteImpossible(const std::string& sensor, const std::string& reading);

    std::vector<std::string> m_noted; // names of sensors
    std::vector<std::string> m_faults;
};

} // namespace ep::power
