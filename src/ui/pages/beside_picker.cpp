// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/beside_picker.h"

#include "dialogs/format_choices.h"
#include "pages/model_picker.h"
#include "text.h"

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// Prefix of an item's data.
constexpr auto kFormat = "format:"_L1;
constexpr auto kModel = "model:"_L1;

} // namespace

BesidePicker::BesidePicker(const ModelPicker& models)
    : m_models(models)
{
    setObjectName(u"besideCombo"_s);
    setAccessibleName(tr("Second column: another format or model for the same prompt"));
    setToolTip(accessibleName());
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fill();
    connect(&models, &ModelPicker::changed, this, &BesidePicker::fill);
}

void BesidePicker::fill()
{
    const QVariant before = currentData();
    const QSignalBlocker quiet(this);
    clear();
    addItem(tr("Nothing"), QString());
    const ModelChoice* own = m_models.current();
    const bool served = own != nullptr && own->server.has_value(); // servers choose their own
    if (!served)
        addFormats(*this, own && !own->formats.empty() ? own->formats : formatsOfAnyModel(),
                   kFormat);
    for (const ModelChoice& choice : m_models.choices()) {
        if (&choice != own && choice.problem.isEmpty())
            addItem(choice.displayName(), kModel + pathText(choice.folder));
    }
    setCurrentIndex(std::max(0, findData(before)));
}

std::optional<session::RunRequest> BesidePicker::beside(session::RunRequest run) const
{
    const QString chosen = currentData().toString();
    if (chosen.startsWith(kFormat)) {
        run.load.dtype = chosen.mid(kFormat.size()).toStdString();
        return run;
    }
    for (const ModelChoice& choice : m_models.choices()) {
        if (chosen != kModel + pathText(choice.folder))
            continue;
        run.load.folder = choice.folder;
        run.server = choice.server;
        return run;
    }
    return std::nullopt;
}

} // namespace ep::ui
