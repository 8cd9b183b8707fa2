// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ep::viz {

// What a token's energy goes into, coarse enough for colours that can be told apart. What a chart
// stacks, it stacks in this order.
enum class Part : std::uint8_t {
    Embedding,
    Attention, // projections and attention core
    Mlp, // router and experts included
    Norm,
    KvCache,
    Layers, // what the components of the layers leave over
    Head, // final norm and LM head
    Sampling,
    Rest, // what the sections leave over
};
inline constexpr std::size_t kPartCount = 9;
inline constexpr std::array<Part, kPartCount> kParts{Part::Embedding, Part::Attention, Part::Mlp,
                                                     Part::Norm,      Part::KvCache,   Part::Layers,
                                                     Part::Head,      Part::Sampling,  Part::Rest};

std::string_view title(Part part);
Part partOf(Component component);
Part partOf(Section section); // Layers: what is left of them
std::string_view title(Operation operation); // "QK matmul"

} // namespace ep::viz
