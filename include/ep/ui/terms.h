// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace ep::ui {

// A word of the lower areas (a phase, component, metric, cause) in the language of the window. They
// know no Qt, so their words are in the context "ep::terms" of the translation, and a test goes
// through all of them. A word without a translation is returned as it is; one with
// numbers ("Layer 3") is looked up without them ("Layer %1").
QString term(std::string_view word);

} // namespace ep::ui
