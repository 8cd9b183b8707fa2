// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/raw_sort_proxy.h"

namespace ep::ui {

RawSortProxy::RawSortProxy(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(kRawRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

bool RawSortProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool leftMissing = !left.data(kRawRole).isValid();
    const bool rightMissing = !right.data(kRawRole).isValid();
    if (leftMissing || rightMissing) {
        // Reversed here, because the base class reverses the result for descending order.
        if (leftMissing == rightMissing)
            return false;
        return sortOrder() == Qt::AscendingOrder ? rightMissing : leftMissing;
    }
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace ep::ui
