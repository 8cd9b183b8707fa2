// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/source.h"

#include <utility>

namespace ep::power {

void Source::deliver(PowerSample sample)
{
    // NVIDIA cards with and without counters may be mixed; then all samples count as power.
    const bool counters = facts().sample_kind == SampleKind::Counter || kind() == "nvml";
    if (m_readings.clean(sample, counters))
        Q_EMIT sampleReady(sample);
}

} // namespace ep::power
