// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run_filter.h"

#include <QJsonObject>

// Filters as stored in the settings.
namespace ep::ui {

QJsonObject toJson(const RunFilter& filter);
RunFilter runFilterFromJson(const QJsonObject& object); // unknown parts are ignored

} // namespace ep::ui
