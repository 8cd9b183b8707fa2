// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ep::test {

inline const QString kDash = QString::fromUtf8("\u2014"); // shown where a value is missing

} // namespace ep::test
