// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QString>

#include <utility>
#include <vector>

namespace ep::ui {

// A model's facts, one row each: name and value. What is not known has no row.
std::vector<std::pair<QString, QString>> factRows(const ModelFacts& facts);

} // namespace ep::ui
