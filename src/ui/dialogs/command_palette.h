// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace ep::ui {

// An entry of the command palette: something to do or a place to go to.
struct PaletteEntry {
    QString title; // "New Run", "demo-llama-5m"
    QString kind; // "File", "Run", "Model", "Token"
    QString detail; // shown beside the title, and searched too
    QString keys; // its shortcut, if any
    std::function<void()> choose;
};

// How well all words of the query match; absent: not at all. Matches at the beginning of the title
// count most, then those at the beginning of any of its words, then those anywhere.
std::optional<int> paletteScore(const QString& query, const PaletteEntry& entry);

// Indices of the best matches, best first; ties keep their order. An empty query matches all.
std::vector<std::size_t> paletteMatches(const QString& query,
                                        const std::vector<PaletteEntry>& entries, std::size_t most);

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
