// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace ep::ui {

// Parts without a stretch factor get their preferred size; the others share the rest.
inline void resetSplitter(QSplitter& splitter)
{
    constexpr int kShare = 1000; // large compared with preferred sizes
    QList<int> sizes;
    for (int i = 0; i < splitter.count(); ++i) {
        const QWidget& part = *splitter.widget(i);
        const bool across = splitter.orientation() == Qt::Horizontal;
        const int stretch =
            across ? part.sizePolicy().horizontalStretch() : part.sizePolicy().verticalStretch();
        const int asked = across ? part.sizeHint().width() : part.sizeHint().height();
        sizes << (stretch > 0 ? stretch * kShare : asked);
    }
    splitter.setSizes(sizes);
}

} // namespace ep::ui
