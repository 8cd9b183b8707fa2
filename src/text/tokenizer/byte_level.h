// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ep::text {

// The alphabet of byte-level BPE: every byte maps to a printable character, so that a vocabulary of
// strings can contain any bytes ("Ġ" is the space).

void appendByteLevel(std::string& text, std::string_view bytes);

// The bytes for the characters; nullopt if one is outside of the alphabet.
std::optional<std::string> fromByteLevel(std::string_view text);

} // namespace ep::text
