// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/study_choices.h"

#include "text.h"

#include "ep/model/dtype.h"
#include "ep/power/source.h"

#include <QComboBox>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QStringList dtypeWords()
{
    QStringList words;
    for (const std::string& word : model::dtypeChoices())
        words << toQString(word);
    return words;
}

QStringList deviceWords()
{
    QStringList devices{u"auto"_s, u"cpu"_s};
#ifdef Q_OS_MACOS
    devices << u"mps"_s;
#else
    if (QFileInfo::exists(u"/dev/nvidiactl"_s))
        devices << u"cuda"_s;
#endif
    return devices;
}

void addPowerSources(QComboBox& box, bool withNone)
{
    for (const power::SourceKind& source : power::sourceKinds()) {
        if (source.kind == "replay" || (source.kind == "none" && !withNone))
            continue;
        box.addItem(toQString(source.kind), toQString(source.kind));
    }
}

std::function<Result<std::filesystem::path>(const std::string&)>
modelFinder(std::vector<model::ModelListing> known)
{
    return [known = std::move(known)](const std::string& wanted) -> Result<std::filesystem::path> {
        const auto listed = std::ranges::find(known, wanted, &model::ModelListing::name);
        if (listed != known.end())
            return listed->path;
        if (std::filesystem::path(wanted).is_absolute())
            return std::filesystem::path(wanted);
        return Error{ErrorCode::NotFound, {"The model %1 is no longer there.", wanted}};
    };
}

} // namespace ep::ui
