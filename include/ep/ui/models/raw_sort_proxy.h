// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace ep::ui {

// Role of the raw value of a cell: a number, a string, or an invalid variant if missing.
inline constexpr int kRawRole = Qt::UserRole + 1;

// Sorts by kRawRole. Missing values come last in both directions.
class RawSortProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RawSortProxy(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace ep::ui
