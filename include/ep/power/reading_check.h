// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/power_sample.h"

#include <optional>
#include <string>
#include <vector>

// The only rule for impossible readings, which every source uses: such a reading is missing and is
// reported once. Drivers report errors as numbers (-1, or all bits set), and counters jump when
// firmware or drivers are restarted.
namespace ep::power {

// The most that one device can draw: 1.2 times its rated power. If that is not stated or beyond
// any device, the most that a card, processor or memory of this rail can draw.
Milliwatts mostOfDevice(Rail rail, std::optional<Milliwatts> rated);

// Whether this number is a driver's code for "error". Its unit is the driver's.
bool isErrorCode(double reading);

class ReadingCheck {
public:
    // A power reading of the driver, if it is possible. sensor: name of the file or device, for
    // the message. Negative powers are errors.
    std::optional<Milliwatts> power(const std::string& sensor, std::optional<double> reading,
                                    double perMilliwatt, Milliwatts most);
    // The advance of a counter over a window, if it is possible. A counter that is published in
    // batches may show more than the energy of its window.
    std::optional<Millijoules> energy(const std::string& sensor, Millijoules advance,
                                      Nanoseconds window, Milliwatts most);
    // Removes impossible rails and totals from a sample, whatever its source. counters: its
    // energies are advances of counters, see energy(). False: nothing is left of the sample.
    bool clean(PowerSample& sample, bool counters);

    void noteUnreadable(const std::string& sensor);
    void note(const std::string& sensor, Message sentence); // keeps a sensor's first sentence
    // One sentence for each sensor with an impossible reading, or without readings.
    const std::vector<Message>& faults() const { return m_faults; }

private:
    void noteImpossible(const std::string& sensor, const std::string& reading);

    std::vector<std::string> m_noted; // names of sensors
    std::vector<Message> m_faults;
};

} // namespace ep::power
