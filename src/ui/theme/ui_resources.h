// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// Makes ":/icons" and, if built, the translations in ":/i18n" available, since the linker drops
// unreferenced resources of a static library. Any number of times, on the GUI thread.
void initResources();

} // namespace ep::ui
