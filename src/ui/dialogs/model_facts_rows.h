// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QString>

#include <utility>
#include <vector>

namespace ep::ui {

// The properties of a model, one row each: name and value. Unknown properties have no row.
std::vector<std::pair<QString, QString>> factRows(const ModelFacts& facts);

} // namespace ep::ui
