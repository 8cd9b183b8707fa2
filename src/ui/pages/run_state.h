// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// What Live is doing with its runs.
enum class RunState { Ready, Loading, Running, Stopping };

} // namespace ep::ui
