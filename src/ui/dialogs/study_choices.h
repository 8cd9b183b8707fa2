// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/library.h"

#include <QStringList>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

class QComboBox;

namespace ep::ui {

// What the dialogs that make many runs offer: a study, and which of two settings is cheaper.

QStringList dtypeWords(); // number formats, as files of studies have them
// Those that this computer may have; a study made elsewhere may name others.
QStringList deviceWords();
// Power sources, as text and data. A recording is none of them: it has no part in a measurement.
void addPowerSources(QComboBox& box, bool withNone);
// The folder of a model by its name in the list; the full path of a folder stays as it is.
std::function<Result<std::filesystem::path>(const std::string&)>
modelFinder(std::vector<model::ModelListing> known);

} // namespace ep::ui
