// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Servers split characters at token boundaries: a part then has incomplete UTF-8, or an escaped
// surrogate without its other half. Neither is valid JSON.
namespace ep::attach {

// The JSON text with each half replaced by a placeholder that JSON allows.
std::string withHalvesMarked(std::string_view json);

// Joins the halves across the parts of one text.
class HalfJoiner {
public:
    // The characters that this part completes; a half at its end waits for the next part.
    std::string join(std::string_view part);
    std::string finish(); // U+FFFD if a half is still waiting

private:
    std::string m_bytes; // bytes of the incomplete character
    unsigned m_high = 0; // surrogate; 0: none
};

} // namespace ep::attach
