// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/format_choices.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/model/describe.h"
#include "ep/model/format.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QString formatTitle(const model::SizedFormat& format)
{
    const QString name = toQString(format.name);
    const QString title = format.word != "auto" ? name
        : format.name.empty()                   ? translated("As stored")
                                                : translated("As stored (%1)").arg(name);
    return format.weight_bytes > 0 ? title + u", "_s + toQString(formatBytes(format.weight_bytes))
                                   : title;
}

QString formatHint(const model::SizedFormat& format)
{
    return format.larger_than_stored
        ? translated("Weights that are stored in fewer bits are enlarged: the model costs what a "
                     "file in %1 costs, and is no more accurate than it is stored.")
              .arg(toQString(format.name))
        : QString();
}

Formats formatsOfAnyModel()
{
    Formats formats;
    for (const std::string& word : model::formatChoices())
        formats.push_back({.word = word, .name = word == "auto" ? std::string() : word});
    return formats;
}

Formats formatsOf(const std::filesystem::path& model)
{
    const auto described = model::describeModel(model);
    return described ? model::sizedFormats(*described) : formatsOfAnyModel();
}

void addFormats(QComboBox& box, const Formats& formats)
{
    for (const model::SizedFormat& format : formats) {
        box.addItem(formatTitle(format), toQString(format.word));
        if (const QString hint = formatHint(format); !hint.isEmpty())
            box.setItemData(box.count() - 1, richText(hint), Qt::ToolTipRole);
    }
}

void offerFormats(QComboBox& box, const Formats& formats)
{
    const QString before = box.currentData().toString();
    const QSignalBlocker quiet(&box);
    box.clear();
    addFormats(box, formats);
    chooseFormat(box, formats, before.isEmpty() ? u"auto"_s : before);
}

void chooseFormat(QComboBox& box, const Formats& formats, const QString& word)
{
    const std::string name = model::formatName(word.toStdString());
    const auto own = std::ranges::find(formats, name, &model::SizedFormat::name);
    const QString data = own == formats.end() ? toQString(name) : toQString(own->word);
    if (box.findData(data) < 0)
        box.addItem(data, data);
    box.setCurrentIndex(box.findData(data));
}

} // namespace ep::ui
