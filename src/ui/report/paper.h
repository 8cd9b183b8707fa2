// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

class QPagedPaintDevice;
class QTextDocument;

namespace ep::viz {
struct Scene;
}

namespace ep::ui {

// What is never divided between two pages: a line of text, a picture, or a row of a table.
struct PaperStrip {
    qreal top = 0.0;
    qreal bottom = 0.0;
    bool beginsSection = false; // where the style sheet asks for a new page
    bool withNext = false; // headings, and the first row of a table
};

// The strips of a document laid out on one endless page, from top to bottom. A row that is higher
// than a page is divided into its lines.
std::vector<PaperStrip> stripsOf(const QTextDocument& document, qreal height);

// Pages of that height, as indices of their first strips. A section begins a page unless all of it
// fits on the rest of one. No page ends with a strip that stays with the next one, unless these are
// higher than a page together.
std::vector<std::size_t> pagesOf(const std::vector<PaperStrip>& strips, qreal height);

// QTextDocument::print() with these pages, because it leaves headings at the end of a page. The
// title and the number of the page are below each. Images are the scenes with their names.
void printOnPaper(QTextDocument& document, const std::vector<viz::Scene>& scenes,
                  QPagedPaintDevice& device);

} // namespace ep::ui
