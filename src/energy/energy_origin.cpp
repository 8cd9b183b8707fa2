// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/energy_origin.h"

#include <array>

namespace ep::energy {

namespace {

constexpr EnergyOrigin kReplayed{
    "replayed",
    "from the power of a recorded capture, not of this run; it says nothing about this machine",
    "Replayed from recorded power"};
constexpr EnergyOrigin kSimulated{
    "simulated", "from the power of a simulated machine; it says nothing about this one",
    "Simulated, not measured",
    "The power of this run was simulated, not measured: only its time is explained."};

constexpr std::array<EnergyOrigin, 6> kOrigins{{
    {"measured", "integrated from a sensor over at least one whole sample", "Measured by %1"},
    {"attributed", "a share of a measured window, split by time",
     "Attributed: the run's share of the samples of %1"},
    {"calibrated",
     "a share of a measured window, split by costs measured on this machine, which only decoded "
     "tokens have",
     "Attributed: the run's share of the samples of %1"},
    {"modelled", "from a model of the machine, not from a sensor",
     "Modelled from the use of the processor, not measured",
     "The power of this run was modelled, not measured: only its time is explained."},
    {"imported", "read from another program's recording of power",
     "Imported from a recording of another program",
     "The power of this run was recorded by another program: only its time is explained."},
    {"missing", "no sensor covered this part, or it is too uncertain to be shown",
     "No energy from the power source %1",
     "The energy of this run is not known: only its time is explained."},
}};

} // namespace

const EnergyOrigin& originOf(std::string_view source, Provenance provenance)
{
    if (provenance != Provenance::Missing) {
        if (source == "replay")
            return kReplayed;
        if (source == "simulated")
            return kSimulated;
    }
    return kOrigins.at(static_cast<std::size_t>(provenance));
}

bool measuresThisMachine(std::string_view source)
{
    return source != "replay" && source != "simulated";
}

} // namespace ep::energy
