// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_power.h"

#include <QDateTime>
#include <QTimeZone>

#include <cmath>

namespace ep::session {

Result<std::function<double(double)>> zoneFrom(const std::string& zone)
{
    const QString text = QString::fromStdString(zone).trimmed();
    if (text.compare(QStringLiteral("UTC"), Qt::CaseInsensitive) == 0
        || text.compare(QStringLiteral("Z"), Qt::CaseInsensitive) == 0)
        return std::function<double(double)>([](double local) { return local; });
    // "+02:00", "-0700", "+2"
    if (text.startsWith(u'+') || text.startsWith(u'-')) {
        QString digits = text.mid(1);
        digits.remove(u':');
        bool valid = false;
        const int number = digits.toInt(&valid);
        const int hours = digits.size() <= 2 ? number : number / 100;
        const int minutes = digits.size() <= 2 ? 0 : number % 100;
        if (valid && digits.size() <= 4 && hours <= 14 && minutes < 60) {
            const double seconds = (text.startsWith(u'-') ? -60.0 : 60.0) * (hours * 60 + minutes);
            return std::function<double(double)>(
                [seconds](double local) { return local - seconds; });
        }
    }
    const QTimeZone known(text.toUtf8());
    if (!known.isValid())
        return Error{
            ErrorCode::InvalidInput,
            {"“%1” is not a time zone; write +02:00, UTC or a name such as Europe/Berlin.", zone}};
    // A recording may have millions of rows, and an offset changes only at full quarters of an
    // hour, so the last answer is kept.
    struct Cache {
        double quarter = -1.0;
        double seconds = 0.0;
    };
    return std::function<double(double)>([known, cache = Cache{}](double local) mutable {
        const double quarter = std::floor(local / 900.0);
        if (quarter != cache.quarter) {
            const QDateTime wall =
                QDateTime::fromSecsSinceEpoch(static_cast<qint64>(local), Qt::UTC);
            const QDateTime there(wall.date(), wall.time(), known);
            cache = {quarter, static_cast<double>(there.offsetFromUtc())};
        }
        return local - cache.seconds;
    });
}

} // namespace ep::session
