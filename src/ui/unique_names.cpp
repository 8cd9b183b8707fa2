// SPDX-License-Identifier: GPL-3.0-or-later
#include "unique_names.h"

namespace ep::ui {

QString UniqueNames::next(const QString& name)
{
    QString unique = name;
    for (int number = 2;; ++number) {
        const QString compared =
            unique.normalized(QString::NormalizationForm_D).toUpper().toCaseFolded();
        if (!m_taken.contains(compared)) {
            m_taken.insert(compared);
            return unique;
        }
        unique = name + QStringLiteral("-%1").arg(number);
    }
}

} // namespace ep::ui
