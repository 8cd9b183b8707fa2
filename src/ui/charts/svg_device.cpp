// SPDX-License-Identifier: GPL-3.0-or-later
#include "svg_device.h"

#include "chart_paint.h"

#include "ep/core/safe_text.h"
#include "ep/ui/to_qstring.h"

#include <QBuffer>
#include <QFont>
#include <QFontInfo>
#include <QImage>
#include <QLinearGradient>
#include <QLocale>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QPixmap>

#include <algorithm>

namespace ep::ui {

namespace {

QString svgNumber(double value)
{
    return QLocale::c().toString(value, 'g', 7);
}

QString xmlText(const QString& text)
{
    return toQString(ep::xmlText(text.toStdString()));
}

// `name="#rrggbb"`, and its opacity if it is not opaque.
QString colourAttributes(const QString& name, const QColor& colour, double opacity)
{
    QString text = QStringLiteral(" %1=\"%2\"").arg(name, colour.name());
    const double alpha = colour.alphaF() * opacity;
    if (alpha < 1.0)
        text += QStringLiteral(" %1-opacity=\"%2\"").arg(name, svgNumber(alpha));
    return text;
}

QString pathData(const QPainterPath& path)
{
    QString data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        switch (e.type) {
        case QPainterPath::MoveToElement:
            data += QLatin1Char('M');
            break;
        case QPainterPath::LineToElement:
            data += QLatin1Char('L');
            break;
        case QPainterPath::CurveToElement:
            data += QLatin1Char('C');
            break;
        case QPainterPath::CurveToDataElement:
            data += QLatin1Char(' ');
            break;
        }
        data += svgNumber(e.x) + QLatin1Char(' ') + svgNumber(e.y);
    }
    return data;
}

} // namespace

class SvgDevice::Engine : public QPaintEngine {
public:
    Engine()
        : QPaintEngine(PaintEngineFeatures(AllFeatures & ~PorterDuff & ~PerspectiveTransform
                                           & ~ConicalGradientFill & ~RadialGradientFill
                                           & ~MaskedBrush & ~BlendModes))
    {
    }

    bool begin(QPaintDevice*) override
    {
        setActive(true);
        return true;
    }
    bool end() override
    {
        setActive(false);
        return true;
    }
    Type type() const override { return SVG; }

    void updateState(const QPaintEngineState& now) override
    {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyPen)
            m_pen = now.pen();
        if (dirty & DirtyBrush)
            m_brush = now.brush();
        if (dirty & DirtyFont)
            m_font = now.font();
        if (dirty & DirtyOpacity)
            m_opacity = now.opacity();
        if (dirty & DirtyTransform)
            m_transform = now.transform();
        if (dirty & (DirtyClipPath | DirtyClipRegion | DirtyClipEnabled | DirtyTransform))
            updateClip();
    }

    void drawPath(const QPainterPath& path) override
    {
        body +=
            QStringLiteral("<path d=\"%1\"%2%3/>\n")
                .arg(pathData(path),
                     path.fillRule() == Qt::OddEvenFill ? QStringLiteral(" fill-rule=\"evenodd\"")
                                                        : QString(),
                     shapeAttributes());
    }
    void drawRects(const QRectF* rects, int count) override
    {
        for (int i = 0; i < count; ++i)
            body += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"%5/>\n")
                        .arg(svgNumber(rects[i].x()), svgNumber(rects[i].y()),
                             svgNumber(rects[i].width()), svgNumber(rects[i].height()),
                             shapeAttributes());
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        QString list;
        for (int i = 0; i < count; ++i)
            list += svgNumber(points[i].x()) + QLatin1Char(',') + svgNumber(points[i].y())
                + QLatin1Char(' ');
        const bool open = mode == PolylineMode;
        body +=
            QStringLiteral("<%1 points=\"%2\"%3%4/>\n")
                .arg(open ? QStringLiteral("polyline") : QStringLiteral("polygon"), list.trimmed(),
                     mode == OddEvenMode ? QStringLiteral(" fill-rule=\"evenodd\"") : QString(),
                     open ? strokeAttributes() + QStringLiteral(" fill=\"none\"")
                             + transformAttribute()
                          : shapeAttributes());
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QFont font = item.font();
        const QFontInfo info(font);
        QString attributes = QStringLiteral(" font-family=\"%1\" font-size=\"%2\"")
                                 .arg(xmlText(info.family()), svgNumber(info.pixelSize()));
        if (font.bold())
            attributes += QStringLiteral(" font-weight=\"bold\"");
        if (font.italic())
            attributes += QStringLiteral(" font-style=\"italic\"");
        body += QStringLiteral("<text x=\"%1\" y=\"%2\"%3%4%5 xml:space=\"preserve\">%6</text>\n")
                    .arg(svgNumber(at.x()), svgNumber(at.y()), attributes,
                         colourAttributes(QStringLiteral("fill"), m_pen.color(), m_opacity),
                         transformAttribute(), xmlText(item.text()));
    }
    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override
    {
        drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
    }
    void drawImage(const QRectF& target, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags) override
    {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        image.copy(source.toAlignedRect()).save(&buffer, "PNG");
        body += QStringLiteral("<image x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"%5 "
                               "xlink:href=\"data:image/png;base64,%6\"/>\n")
                    .arg(svgNumber(target.x()), svgNumber(target.y()), svgNumber(target.width()),
                         svgNumber(target.height()), transformAttribute(),
                         QString::fromLatin1(png.toBase64()));
    }

    QString defs;
    QString body;
    bool clipping = false; // a group is open

private:
    void updateClip()
    {
        if (std::exchange(clipping, false))
            body += QStringLiteral("</g>\n");
        if (!painter()->hasClipping())
            return;
        const QPainterPath path = painter()->transform().map(painter()->clipPath());
        const QString data = pathData(path);
        if (data != m_lastClip) {
            m_lastClip = data;
            ++m_ids;
            m_clipId = m_ids;
            defs += QStringLiteral("<clipPath id=\"c%1\"><path d=\"%2\"/></clipPath>\n")
                        .arg(QString::number(m_clipId), data);
        }
        body += QStringLiteral("<g clip-path=\"url(#c%1)\">\n").arg(m_clipId);
        clipping = true;
    }

    QString transformAttribute() const
    {
        const QTransform& t = m_transform;
        if (t.isIdentity())
            return {};
        return QStringLiteral(" transform=\"matrix(%1 %2 %3 %4 %5 %6)\"")
            .arg(svgNumber(t.m11()), svgNumber(t.m12()), svgNumber(t.m21()), svgNumber(t.m22()),
                 svgNumber(t.dx()), svgNumber(t.dy()));
    }

    QString strokeAttributes() const
    {
        if (m_pen.style() == Qt::NoPen)
            return QStringLiteral(" stroke=\"none\"");
        const double width = std::max(1.0, m_pen.widthF()); // 0 is a hairline
        QString text = colourAttributes(QStringLiteral("stroke"), m_pen.color(), m_opacity)
            + QStringLiteral(" stroke-width=\"%1\"").arg(svgNumber(width));
        if (m_pen.style() != Qt::SolidLine) {
            QStringList dashes;
            const auto pattern = m_pen.dashPattern();
            for (const double dash : pattern)
                dashes << svgNumber(dash * width);
            text += QStringLiteral(" stroke-dasharray=\"%1\"").arg(dashes.join(QLatin1Char(' ')));
        }
        return text;
    }

    QString fillAttributes()
    {
        const QString fill = QStringLiteral("fill");
        switch (m_brush.style()) {
        case Qt::NoBrush:
            return QStringLiteral(" fill=\"none\"");
        case Qt::SolidPattern:
        case Qt::TexturePattern:
        case Qt::RadialGradientPattern:
        case Qt::ConicalGradientPattern:
            return colourAttributes(fill, m_brush.color(), m_opacity);
        case Qt::LinearGradientPattern:
            return QStringLiteral(" fill=\"url(#%1)\"").arg(addGradient());
        default:
            return QStringLiteral(" fill=\"url(#%1)\"").arg(addHatch());
        }
    }

    QString shapeAttributes()
    {
        return fillAttributes() + strokeAttributes() + transformAttribute();
    }

    QString addGradient()
    {
        const auto* gradient = static_cast<const QLinearGradient*>(m_brush.gradient());
        const QString id = QStringLiteral("g%1").arg(++m_ids);
        defs +=
            QStringLiteral("<linearGradient id=\"%1\" gradientUnits=\"userSpaceOnUse\" "
                           "x1=\"%2\" y1=\"%3\" x2=\"%4\" y2=\"%5\">")
                .arg(id, svgNumber(gradient->start().x()), svgNumber(gradient->start().y()),
                     svgNumber(gradient->finalStop().x()), svgNumber(gradient->finalStop().y()));
        const auto stops = gradient->stops();
        for (const auto& [offset, colour] : stops)
            defs += QStringLiteral("<stop offset=\"%1\"%2/>")
                        .arg(svgNumber(offset),
                             colourAttributes(QStringLiteral("stop-color"), colour, 1.0));
        defs += QStringLiteral("</linearGradient>\n");
        return id;
    }

    QString addHatch()
    {
        QString lines;
        const auto style = m_brush.style();
        if (style != Qt::FDiagPattern)
            lines += QStringLiteral("M0 8L8 0");
        if (style == Qt::FDiagPattern || style == Qt::DiagCrossPattern)
            lines += QStringLiteral("M0 0L8 8");
        const QString stroke =
            colourAttributes(QStringLiteral("stroke"), m_brush.color(), m_opacity);
        const QString key = lines + stroke;
        if (key == m_lastHatch)
            return m_hatchId;
        m_lastHatch = key;
        m_hatchId = QStringLiteral("h%1").arg(++m_ids);
        defs += QStringLiteral("<pattern id=\"%1\" width=\"8\" height=\"8\" "
                               "patternUnits=\"userSpaceOnUse\"><path d=\"%2\"%3/></pattern>\n")
                    .arg(m_hatchId, lines, stroke);
        return m_hatchId;
    }

    QPen m_pen;
    QBrush m_brush;
    QFont m_font;
    QTransform m_transform;
    double m_opacity = 1.0;
    int m_ids = 0;
    int m_clipId = 0;
    QString m_lastClip;
    QString m_lastHatch;
    QString m_hatchId;
};

SvgDevice::SvgDevice(QSize size, const QString& title)
    : m_size(size)
    , m_title(title)
    , m_engine(std::make_unique<Engine>())
{
}

SvgDevice::~SvgDevice() = default;

QByteArray SvgDevice::document() const
{
    const QString text =
        QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "
                       "width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\">\n<title>%3</title>\n"
                       "<defs>\n%4</defs>\n%5%6</svg>\n")
            .arg(QString::number(m_size.width()), QString::number(m_size.height()),
                 xmlText(m_title), m_engine->defs, m_engine->body,
                 m_engine->clipping ? QStringLiteral("</g>\n") : QString());
    return text.toUtf8();
}

QPaintEngine* SvgDevice::paintEngine() const
{
    return m_engine.get();
}

int SvgDevice::metric(PaintDeviceMetric metric) const
{
    constexpr int kDpi = 96;
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return m_size.width() * 254 / (10 * kDpi);
    case PdmHeightMM:
        return m_size.height() * 254 / (10 * kDpi);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDpi;
    case PdmNumColors:
        return 1 << 24;
    case PdmDepth:
        return 32;
    case PdmDevicePixelRatio:
        return 1;
    default:
        return QPaintDevice::metric(metric);
    }
}

} // namespace ep::ui
