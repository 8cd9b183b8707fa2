// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <string>

namespace ep::text {

// The settings that the pre-tokenizer and the decoder of that name share: spaces are written as a
// visible character, and a text may get one in front.
struct Metaspace {
    enum class Prefix { Always, First, Never };

    std::string replacement; // one character
    Prefix prefix = Prefix::Always;
    bool split = true; // at each replacement; pre-tokenizer only
};

Metaspace readMetaspace(const json::Value& json);

} // namespace ep::text
