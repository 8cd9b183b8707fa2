// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/scene.h"

#include <QObject>
#include <QTextObjectInterface>

#include <vector>

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

} // namespace ep::ui
