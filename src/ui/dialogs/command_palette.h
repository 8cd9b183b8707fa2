// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/palette_search.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace ep::ui {

// Everything that the window can do or show, found by typing: Up and Down move, Return chooses,
// Escape closes.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    // Finds entries for a query: parts and tokens of the run, which are too many to list.
    using Search = std::function<std::vector<PaletteEntry>(const QString& query)>;

    CommandPalette(std::vector<PaletteEntry> entries, Search search, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find();
    void choose();
    const PaletteEntry& entryAt(std::size_t index) const; // given entries, then found ones
    const PaletteEntry* chosen() const;

    std::vector<PaletteEntry> m_entries;
    std::vector<PaletteEntry> m_found; // found by the search
    Search m_search;
    QLineEdit* m_query;
    QListWidget* m_list;
};

} // namespace ep::ui
