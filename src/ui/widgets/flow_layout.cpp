// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flow_layout.h"

#include <algorithm>

namespace ep::ui {

FlowLayout::FlowLayout(QWidget* parent, int spacing)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout() = default;

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

QSize FlowLayout::sizeHint() const
{
    QSize size(0, 0); // a default-constructed QSize is (-1, -1)
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        size.rwidth() += hint.width() + (size.width() > 0 ? spacing() : 0);
        size.setHeight(std::max(size.height(), hint.height()));
    }
    return size;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const
{
    struct Placed {
        QLayoutItem* item;
        QPoint at;
        QSize size;
    };
    std::vector<Placed> row;
    int x = rect.x();
    int y = rect.y();
    int height = 0; // height of the row
    const auto endRow = [&] {
        for (const Placed& placed : row) {
            const int above = (height - placed.size.height()) / 2;
            if (move)
                placed.item->setGeometry({placed.at + QPoint(0, above), placed.size});
        }
        row.clear();
    };
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (!row.empty() && x + size.width() > rect.x() + rect.width()) {
            endRow();
            x = rect.x();
            y += height + spacing();
            height = 0;
        }
        row.push_back({item.get(), {x, y}, size});
        x += size.width() + spacing();
        height = std::max(height, size.height());
    }
    endRow();
    return y + height - rect.y();
}

} // namespace ep::ui
