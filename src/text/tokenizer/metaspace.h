// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <string>

namespace ep::text {

// The settings shared by the Metaspace pre-tokenizer and decoder: spaces are replaced by a visible
// character, and one may be prepended to a text.
struct Metaspace {
    enum class Prefix { Always, First, Never };

    std::string replacement; // one character
    Prefix prefix = Prefix::Always;
    bool split = true; // splits at each replacement; pre-tokenizer only
};

Metaspace readMetaspace(const json::Value& json);

} // namespace ep::text
