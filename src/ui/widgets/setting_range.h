// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/run_settings.h"

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace ep::ui {

// The whole range of a setting, by its name in the table of settings.
inline void setRangeOf(QSpinBox& box, std::string_view setting)
{
    const session::NumberSetting& row = session::numberSetting(setting);
    box.setRange(static_cast<int>(row.least), static_cast<int>(row.most));
}

inline void setRangeOf(QDoubleSpinBox& box, std::string_view setting)
{
    const session::NumberSetting& row = session::numberSetting(setting);
    box.setRange(row.least, row.most);
}

} // namespace ep::ui
