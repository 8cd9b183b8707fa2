// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/safe_text.h"
#include "ep/ui/to_qstring.h"

#include <QString>

#include <string_view>

namespace ep::ui {

// Escapes text from outside for tool tips and other places where Qt interprets markup, so that it
// is shown unchanged.
inline QString richText(std::string_view utf8)
{
    if (utf8.empty())
        return {};
    const QString escaped = toQString(xmlText(utf8)).replace(u'\n', QStringLiteral("<br>"));
    // Without a tag, Qt would treat the text as plain and show the escapes.
    return QStringLiteral("<span>%1</span>").arg(escaped);
}

inline QString richText(const QString& text)
{
    return richText(std::string_view(text.toStdString()));
}

} // namespace ep::ui
