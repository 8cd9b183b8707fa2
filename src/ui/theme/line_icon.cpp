// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/design.h"
#include "theme/ui_resources.h"

#include "ep/ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QXmlStreamReader>

#include <algorithm>
#include <memory>
#include <utility>

// The icons are drawn by hand in a subset of SVG (path with M L H V C Z, circle and rect), so that
// the program needs no SVG library and they take the colour of the theme.
namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kViewBox = 24.0;
constexpr double kStroke = 1.75;

struct LineDrawing {
    QPainterPath lines;
    QPainterPath filled;
};
using LineDrawingPtr = std::shared_ptr<const LineDrawing>;

// "M2 12 H6 L9 4": words separated by spaces, absolute coordinates.
QPainterPath pathOf(QStringView text)
{
    QPainterPath path;
    QChar command;
    QList<double> numbers;
    const auto needed = [](QChar c) -> qsizetype {
        return c == u'C' ? 6 : c == u'H' || c == u'V' ? 1 : 2;
    };
    for (QStringView word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (word.front().isLetter()) {
            command = word.front();
            numbers.clear();
            word = word.sliced(1);
            if (command == u'Z')
                path.closeSubpath();
        }
        if (word.isEmpty())
            continue;
        numbers << word.toDouble();
        if (numbers.size() < needed(command))
            continue;
        const QPointF at = path.currentPosition();
        if (command == u'M')
            path.moveTo(numbers[0], numbers[1]);
        else if (command == u'H')
            path.lineTo(numbers[0], at.y());
        else if (command == u'V')
            path.lineTo(at.x(), numbers[0]);
        else if (command == u'C')
            path.cubicTo(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
        else
            path.lineTo(numbers[0], numbers[1]);
        numbers.clear();
    }
    return path;
}

LineDrawingPtr readDrawing(const QString& file)
{
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        return nullptr;
    auto drawing = std::make_shared<LineDrawing>();
    QXmlStreamReader xml(&source);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() == u"svg")
            continue;
        const auto attributes = xml.attributes();
        const auto number = [&](const char* name) {
            return attributes.value(QLatin1StringView(name)).toDouble();
        };
        QPainterPath shape;
        if (xml.name() == u"path") {
            shape = pathOf(attributes.value("d"_L1));
        } else if (xml.name() == u"circle") {
            shape.addEllipse(QPointF(number("cx"), number("cy")), number("r"), number("r"));
        } else if (xml.name() == u"rect") {
            shape.addRoundedRect(number("x"), number("y"), number("width"), number("height"),
                                 number("rx"), number("rx"));
        }
        (attributes.hasAttribute("fill"_L1) ? drawing->filled : drawing->lines).addPath(shape);
    }
    return xml.hasError() ? nullptr : drawing;
}

class LineIconEngine : public QIconEngine {
public:
    explicit LineIconEngine(LineDrawingPtr drawing)
        : m_drawing(std::move(drawing))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const QPalette palette = QApplication::palette();
        QColor colour = palette.color(
            mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        if (state == QIcon::On && mode != QIcon::Disabled)
            colour = Theme::fromPalette(palette).focus;
        const double scale = std::min(rect.width(), rect.height()) / kViewBox;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center());
        painter->scale(scale, scale);
        painter->translate(-kViewBox / 2.0, -kViewBox / 2.0);
        painter->fillPath(m_drawing->filled, colour);
        painter->strokePath(m_drawing->lines,
                            QPen(colour, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({}, size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(m_drawing); }

private:
    LineDrawingPtr m_drawing;
};

} // namespace

QIcon lineIcon(QLatin1StringView name)
{
    initResources();
    static QHash<QString, LineDrawingPtr> read; // GUI thread only
    const QString file = u":/icons/line/%1.svg"_s.arg(name);
    if (!read.contains(file))
        read.insert(file, readDrawing(file));
    const LineDrawingPtr drawing = read.value(file);
    return drawing ? QIcon(new LineIconEngine(drawing)) : QIcon();
}

} // namespace ep::ui
