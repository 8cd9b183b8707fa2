// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/study_choices.h"

#include "text.h"

#include "ep/power/source.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

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

QString deviceTitle(const QString& word)
{
    const QString title = word == u"auto"_s ? translated("Automatic")
        : word == u"cpu"_s                  ? translated("CPU")
        : word == u"mps"_s                  ? translated("Apple GPU (mps)")
        : word == u"cuda"_s                 ? translated("NVIDIA GPU (cuda)")
                                            : word;
    const bool found = deviceWords().contains(word.section(u':', 0, 0));
    return found ? title : translated("%1, not found").arg(title);
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
