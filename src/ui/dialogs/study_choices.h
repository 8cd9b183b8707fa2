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

// Choices in the dialogs that make many runs: for a study, and for which of two settings is
// cheaper.

// Devices that this computer may have; a study made elsewhere may name others.
QStringList deviceWords();
// The title of a device; one that was not found is marked, as it may only be hidden from this
// program.
QString deviceTitle(const QString& word);
// Power sources, as text and data. A recording is not offered, since it measures nothing.
void addPowerSources(QComboBox& box, bool withNone);
// Finds a model's folder by its name in the list; the full path of a folder is returned as it is.
std::function<Result<std::filesystem::path>(const std::string&)>
modelFinder(std::vector<model::ModelListing> known);

} // namespace ep::ui
