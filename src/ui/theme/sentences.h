// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::ui {

// A sentence of the lower areas ("The samples cover %1 of the run.") and values for %1, %2, ...
struct RecognisedSentence {
    std::string pattern;
    std::vector<std::string_view> varying;
};

// The sentence in resources/translations/sentences.txt that this text is an instance of. The texts
// stay English below the window, because terminal, database and JSON share them.
std::optional<RecognisedSentence> recognised(std::string_view text);

} // namespace ep::ui
