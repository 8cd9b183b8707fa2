// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/plausibility.h"

#include <cstdint>
#include <string_view>

namespace ep::powerlog {

// Ways to divide a device into rails. The parts of one division add up to at most their whole.
enum class Division : std::uint8_t {
    None,
    Processor, // cores, uncore and graphics of a package
    Chips, // chip and memory of a graphics card
    Inputs, // slot and connectors of a graphics card
};

// The device that a rail measures, judged by its name.
struct Kind {
    energy::Measured measured = energy::Measured::Part;
    const char* part = "part"; // like RailRecording::part
    Division division = Division::None; // the division that the part belongs to
    bool by_word = false; // only its name says that it is a whole; parts may disprove it
    bool generic = false; // a name that says nothing, such as "power"
};
// An unknown name is a part of its own and never a whole.
Kind kindOf(std::string_view rail);

} // namespace ep::powerlog
