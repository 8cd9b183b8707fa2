// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/scene.h"

#include <QObject>
#include <QTextObjectInterface>
#include <QtGlobal>

#include <vector>

class QPagedPaintDevice;
class QTextDocument;

namespace ep::ui {

// The name by which a document's image refers to the scene with that index.
QString scenePictureName(std::size_t index);

// Draws the images of a document as scenes, in vectors. Qt's own images take their size from the
// resolution of the screen, and lose their proportions outside of the GUI thread. Register it for
// QTextFormat::ImageObject on the layout; it must outlive the layout.
class ScenePictures : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    // The scenes must outlive this object; no picture is wider than `width` dots of the device,
    // which has `dotsPerInch`.
    ScenePictures(const std::vector<viz::Scene>& scenes, double width, double dotsPerInch);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    const viz::Scene* sceneOf(const QTextFormat& format) const;

    const std::vector<viz::Scene>& m_scenes;
    double m_width;
    double m_dotsPerPixel;
};

// Something that is never split between two pages: a line of text, a picture, or a row of a table.
struct PaperStrip {
    qreal top = 0.0;
    qreal bottom = 0.0;
    bool beginsSection = false; // the style sheet requires a new page
    bool withNext = false; // headings, and the first row of a table
};

// The strips of a document laid out on one endless page, from top to bottom. A row that is higher
// than a page is split into its lines.
std::vector<PaperStrip> stripsOf(const QTextDocument& document, qreal height);

// Splits strips into pages of that height, as indices of their first strips. A section begins a
// new page unless all of it fits on the rest of one. No page ends with a strip that must stay with
// the next one, unless both together are higher than a page.
std::vector<std::size_t> pagesOf(const std::vector<PaperStrip>& strips, qreal height);

// Prints with these pages instead of QTextDocument::print(), which leaves headings at the end of
// pages. Title and page number are at the bottom. Images are the scenes with their names.
void printOnPaper(QTextDocument& document, const std::vector<viz::Scene>& scenes,
                  QPagedPaintDevice& device);

} // namespace ep::ui
