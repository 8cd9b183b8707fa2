// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/computed_model.h"

#include <QString>

#include <filesystem>
#include <vector>

class QComboBox;

namespace ep::ui {

// The formats of a model as every list shows them: from the smallest to the largest, with their
// sizes, and the stored one under one name.
using Formats = std::vector<model::SizedFormat>;

// "q8_0, 145 MB", "As stored (q4_1), 98.4 MB"; without a size if it is unknown.
QString formatTitle(const model::SizedFormat& format);
// A caution about a format that enlarges stored weights; empty for other formats.
QString formatHint(const model::SizedFormat& format);
// All formats without sizes, for no model or several.
Formats formatsOfAnyModel();
// The formats of the model in a folder or GGUF file, without sizes if it cannot be described. Reads
// the headers of its files.
Formats formatsOf(const std::filesystem::path& model);

// Adds the formats, whose data are their words.
void addFormats(QComboBox& box, const Formats& formats);
// Offers these formats instead of others, and keeps the choice.
void offerFormats(QComboBox& box, const Formats& formats);
// Chooses the format; the stored one also by its own name. A format that is not offered is added.
void chooseFormat(QComboBox& box, const Formats& formats, const QString& word);

} // namespace ep::ui
