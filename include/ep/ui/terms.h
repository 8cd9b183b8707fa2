// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace ep::ui {

// A word or sentence of the lower areas (a phase, a cause, a warning, an error) in the language of
// the window. They know no Qt, so their texts are in the context "ep::terms" of the translation,
// and tests go through all of them. A text without a translation is returned as it is; one with
// numbers ("Layer 3") is looked up without them ("Layer %1"), and one with names by the sentences
// of resources/translations/sentences.txt; several sentences or clauses one by one.
QString term(std::string_view word);

} // namespace ep::ui
