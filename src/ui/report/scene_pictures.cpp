// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/scene_pictures.h"

#include "ep/ui/charts/scene_view.h"

#include <QPainter>
#include <QTextFormat>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr double kPixelsPerInch = 96.0; // a scene uses CSS pixels

} // namespace

QString scenePictureName(std::size_t index)
{
    return QStringLiteral("chart:%1").arg(index);
}

ScenePictures::ScenePictures(const std::vector<viz::Scene>& scenes, double width,
                             double dotsPerInch)
    : m_scenes(scenes)
    , m_width(width)
    , m_dotsPerPixel(dotsPerInch / kPixelsPerInch)
{
}

QSizeF ScenePictures::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const viz::Scene* scene = sceneOf(format);
    if (!scene)
        return {};
    const double scale = std::min(m_dotsPerPixel, m_width / scene->width);
    return {scene->width * scale, scene->height * scale};
}

void ScenePictures::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                               const QTextFormat& format)
{
    const viz::Scene* scene = sceneOf(format);
    if (!scene)
        return;
    painter->save();
    painter->translate(rect.topLeft());
    painter->scale(rect.width() / scene->width, rect.height() / scene->height);
    paintScene(*painter, *scene, viz::ScenePalette::light());
    painter->restore();
}

const viz::Scene* ScenePictures::sceneOf(const QTextFormat& format) const
{
    const QString name = format.toImageFormat().name();
    for (std::size_t i = 0; i < m_scenes.size(); ++i) {
        if (name == scenePictureName(i))
            return &m_scenes[i];
    }
    return nullptr;
}

} // namespace ep::ui
