// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace ep::ui {

// Which runs a list shows. All conditions hold together; an empty one always holds; within a list
// of words any of them will do.
struct RunListFilter {
    QString text; // every word of it somewhere in title, prompt, response, notes, model, ...
    QStringList models;
    QStringList tags;
    QStringList experiments;
    QStringList devices;
    QStringList depths;
    QStringList sources;
    QStringList statuses; // stored words: "complete"
    std::optional<qint64> from_ms; // made at that moment or later, wall clock
    std::optional<qint64> until_ms; // made before
    std::optional<int> last_days; // made within so many days before now
    std::optional<double> least_joules; // per token
    std::optional<double> most_joules;

    bool operator==(const RunListFilter&) const = default;
    // Everything but the text, which looks at more than the summary.
    bool accepts(const RunSummary& run, qint64 nowMs) const;
    bool onlyText() const; // no other condition

    QJsonObject toJson() const;
    static RunListFilter fromJson(const QJsonObject& object); // unknown parts are ignored
};

} // namespace ep::ui
