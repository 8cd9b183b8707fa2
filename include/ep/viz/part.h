// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ep::viz {

// Coarse parts of a token's energy, few enough to have distinguishable colours. Charts stack them
// in this order.
enum class Part : std::uint8_t {
    Embedding,
    Attention, // projections and attention core
    Mlp, // including router and experts
    Norm,
    KvCache,
    Layers, // remainder of the layers outside their components
    Head, // final norm and LM head
    Sampling,
    Rest, // remainder of the token outside its sections
};
inline constexpr std::size_t kPartCount = 9;
inline constexpr std::array<Part, kPartCount> kParts{Part::Embedding, Part::Attention, Part::Mlp,
                                                     Part::Norm,      Part::KvCache,   Part::Layers,
                                                     Part::Head,      Part::Sampling,  Part::Rest};

std::string_view title(Part part);
Part partOf(Component component);
Part partOf(Section section); // Section::Layers: its remainder
std::string_view title(Operation operation); // "QK matmul"

} // namespace ep::viz
