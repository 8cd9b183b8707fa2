// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/scene_view.h"

#include "chart_paint.h"

#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

QPointF toPointF(viz::Point point)
{
    return {point.x, point.y};
}

QFont sceneFont(QFont font, bool bold = false)
{
    font.setPixelSize(static_cast<int>(viz::kSceneFont));
    font.setBold(bold);
    return font;
}

bool isCut(const viz::SceneText& text, const QFont& font)
{
    return text.room
        && QFontMetricsF(sceneFont(font, text.bold)).horizontalAdvance(toQString(text.text))
        > *text.room;
}

// Area of a text that has limited room.
QRectF areaOf(const viz::SceneText& text)
{
    constexpr double kHeight = 20.0;
    const double width = text.room.value_or(0.0);
    const double left = text.align == viz::TextAlign::Left ? 0.0
        : text.align == viz::TextAlign::Right              ? -width
                                                           : -width / 2.0;
    const QRectF along(left, -kHeight / 2.0, width, kHeight);
    const QRectF turned(-kHeight / 2.0, -left - width, kHeight, width);
    return (text.upwards ? turned : along).translated(toPointF(text.at));
}

class ScenePainter {
public:
    ScenePainter(QPainter& painter, const viz::ScenePalette& palette)
        : m_painter(painter)
        , m_palette(palette)
    {
    }

    void operator()(const viz::SceneRect& shape) const
    {
        const QRectF rect = toRectF(shape.rect);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        if (provenancePattern(shape.hatch) != Qt::SolidPattern)
            m_painter.fillRect(rect,
                               hatching(shape.hatch, toColour(m_palette[viz::Ink::Missing]),
                                        toColour(m_palette.sequential.at(0.5))));
        else if (shape.fill)
            m_painter.fillRect(rect, colour(*shape.fill));
        if (shape.stroke) {
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(colour(*shape.stroke), 1.0));
            m_painter.drawRect(rect);
        }
    }

    void operator()(const viz::ScenePath& path) const
    {
        QPolygonF polygon;
        for (const viz::Point& point : path.points)
            polygon << toPointF(point);
        m_painter.setRenderHint(QPainter::Antialiasing);
        if (path.filled) {
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(colour(path.paint));
            m_painter.drawPolygon(polygon);
            return;
        }
        QPen pen(colour(path.paint), path.width, penStyle(path.dash));
        pen.setCapStyle(Qt::FlatCap);
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(polygon);
    }

    void operator()(const viz::SceneMarker& marker) const
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        const QPointF c = toPointF(marker.at);
        const double r = marker.size / 2.0;
        m_painter.setPen(marker.hollow ? QPen(colour(marker.paint), 1.5) : QPen(Qt::NoPen));
        m_painter.setBrush(marker.hollow ? QBrush(Qt::NoBrush) : QBrush(colour(marker.paint)));
        switch (marker.shape) {
        case viz::MarkerShape::Circle:
            m_painter.drawEllipse(c, r, r);
            break;
        case viz::MarkerShape::Square:
            m_painter.drawRect(QRectF(c - QPointF(r, r), c + QPointF(r, r)));
            break;
        case viz::MarkerShape::Triangle:
            m_painter.drawPolygon(
                QPolygonF{c + QPointF(0, -r), c + QPointF(r, r), c + QPointF(-r, r)});
            break;
        case viz::MarkerShape::Diamond:
            m_painter.drawPolygon(QPolygonF{c + QPointF(0, -r), c + QPointF(r, 0),
                                            c + QPointF(0, r), c + QPointF(-r, 0)});
            break;
        }
    }

    void operator()(const viz::SceneText& text) const
    {
        const bool special = text.bold || text.upwards; // saving is slow for each cell of a heatmap
        if (special)
            m_painter.save();
        if (text.bold) {
            QFont font = m_painter.font();
            font.setBold(true);
            m_painter.setFont(font);
        }
        QPointF at = toPointF(text.at);
        if (text.upwards) {
            m_painter.translate(at);
            m_painter.rotate(-90.0);
            at = {};
        }
        m_painter.setPen(toColour(text.on ? viz::textColourOn(text.on->colour(m_palette))
                                          : m_palette[text.ink]));
        constexpr double kWide = 4000.0;
        const double left = text.align == viz::TextAlign::Left ? 0.0
            : text.align == viz::TextAlign::Right              ? -kWide
                                                               : -kWide / 2.0;
        const auto flag = text.align == viz::TextAlign::Left ? Qt::AlignLeft
            : text.align == viz::TextAlign::Right            ? Qt::AlignRight
                                                             : Qt::AlignHCenter;
        QString shown = toQString(text.text);
        if (text.room)
            shown = QFontMetricsF(m_painter.font())
                        .elidedText(shown, text.cut_in_middle ? Qt::ElideMiddle : Qt::ElideRight,
                                    *text.room);
        m_painter.drawText(QRectF(at.x() + left, at.y() - 20.0, kWide, 40.0),
                           static_cast<int>(flag | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
        if (special)
            m_painter.restore();
    }

private:
    QColor colour(const viz::Paint& paint) const
    {
        QColor colour = toColour(paint.colour(m_palette));
        colour.setAlphaF(static_cast<float>(paint.opacity));
        return colour;
    }
    static Qt::PenStyle penStyle(viz::Dash dash)
    {
        switch (dash) {
        case viz::Dash::Dashed:
            return Qt::DashLine;
        case viz::Dash::Dotted:
            return Qt::DotLine;
        case viz::Dash::DashDot:
            return Qt::DashDotLine;
        case viz::Dash::Solid:
            break;
        }
        return Qt::SolidLine;
    }

    QPainter& m_painter;
    const viz::ScenePalette& m_palette;
};

} // namespace

void paintItems(QPainter& painter, const viz::Scene& scene, const viz::ScenePalette& palette)
{
    painter.save();
    const ScenePainter paint(painter, palette);
    for (const viz::SceneItem& item : scene.items)
        std::visit(paint, item);
    painter.restore();
}

void paintScene(QPainter& painter, const viz::Scene& scene, const viz::ScenePalette& palette)
{
    painter.save();
    painter.setFont(sceneFont(painter.font()));
    if (!scene.empty.empty()) {
        painter.setPen(toColour(palette[viz::Ink::Muted]));
        painter.drawText(QRectF(16.0, 8.0, scene.width - 32.0, scene.height - 16.0),
                         static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                         toQString(scene.empty));
    } else {
        paintItems(painter, scene, palette);
    }
    painter.restore();
}

SceneView::SceneView(QWidget* parent)
    : PaintedView(parent)
{
    describe();
}

void SceneView::setBuilder(Builder builder)
{
    m_builder = std::move(builder);
    m_scene.reset();
    m_mark = -1;
    describe();
    contentChanged();
}

// Describes the scene's layout, or the mark under the cursor.
void SceneView::describe()
{
    const auto& marks = scene().marks;
    QString text = term(scene().summary.empty() ? Message(scene().empty) : scene().summary);
    if (m_mark >= 0 && m_mark < static_cast<int>(marks.size()))
        text = toQString(marks[static_cast<std::size_t>(m_mark)].text);
    setAccessibleDescription(text.isEmpty() ? tr("Nothing to show yet.") : text);
}

const viz::Scene& SceneView::scene() const
{
    if (!m_scene)
        m_scene = m_builder ? m_builder(width(), height()) : viz::Scene();
    return *m_scene;
}

void SceneView::paintContent(QPainter& painter)
{
    paintScene(painter, scene(), theme().scenePalette());
}

void SceneView::paintOverlay(QPainter& painter)
{
    const auto& marks = scene().marks;
    if (hasFocus() && m_mark >= 0 && m_mark < static_cast<int>(marks.size())) {
        painter.setPen(QPen(theme().focus, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(
            toRectF(marks[static_cast<std::size_t>(m_mark)].area).adjusted(-1, -1, 1, 1));
    }
    PaintedView::paintOverlay(painter);
}

QString SceneView::toolTipAt(const QPointF& position) const
{
    if (const viz::SceneMark* mark = scene().markAt(toPoint(position)))
        return richText(mark->text);
    for (const viz::SceneItem& item : scene().items) {
        const auto* text = std::get_if<viz::SceneText>(&item);
        if (text && isCut(*text, font()) && areaOf(*text).contains(position))
            return richText(text->text);
    }
    return {};
}

void SceneView::resizeEvent(QResizeEvent* event)
{
    m_scene.reset();
    PaintedView::resizeEvent(event);
    describe();
}

void SceneView::showMark(int mark)
{
    const auto& marks = scene().marks;
    m_mark = mark;
    describe();
    update();
    const viz::SceneMark& shown = marks[static_cast<std::size_t>(mark)];
    const QRectF area = toRectF(shown.area);
    QToolTip::showText(mapToGlobal(area.bottomRight().toPoint()), richText(shown.text), this);
}

void SceneView::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(scene().marks.size());
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if (count > 0 && (forward || back)) {
        showMark(forward ? std::min(m_mark + 1, count - 1) : std::max(m_mark - 1, 0));
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_mark >= 0
               && m_mark < count) {
        activate(&scene().marks[static_cast<std::size_t>(m_mark)]);
    } else {
        PaintedView::keyPressEvent(event);
    }
}

void SceneView::activate(const viz::SceneMark* mark)
{
    if (mark && !mark->link.empty())
        Q_EMIT linkActivated(toQString(mark->link));
}

void SceneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        activate(scene().markAt(toPoint(event->position())));
    PaintedView::mouseReleaseEvent(event);
}

void SceneView::mouseMoveEvent(QMouseEvent* event)
{
    const viz::SceneMark* mark = scene().markAt(toPoint(event->position()));
    setCursor(mark && !mark->link.empty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    PaintedView::mouseMoveEvent(event);
}

} // namespace ep::ui
