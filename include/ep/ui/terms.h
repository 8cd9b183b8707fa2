// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace ep::ui {

// A word or sentence of the lower areas (a phase, a cause, a warning, an error) in the window's
// language. These areas do not use Qt, so their texts are in the translation context "ep::terms",
// and tests go through all of them. Without a translation, the text is returned unchanged. One
// with numbers ("Layer 3") is looked up as "Layer %1", one with names by the sentences in
// resources/translations/sentences.txt; several sentences or clauses are translated one by one.
QString term(std::string_view word);

} // namespace ep::ui
