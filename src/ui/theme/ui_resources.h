// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// Makes ":/icons" and, if they were built, the translations in ":/i18n" available. The linker drops
// unreferenced resources of a static library. Any number of times, on the GUI thread.
void initResources();

} // namespace ep::ui
