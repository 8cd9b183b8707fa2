// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/terms.h"

#include <QCoreApplication>

#include <string>

namespace ep::ui {

QString term(std::string_view word)
{
    return QCoreApplication::translate("ep::terms", std::string(word).c_str());
}

} // namespace ep::ui
