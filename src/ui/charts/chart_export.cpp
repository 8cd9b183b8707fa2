// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/chart_export.h"

#include "ep/core/safe_text.h"
#include "ep/ui/charts/chart_table.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/models/raw_sort_proxy.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/ui/to_qstring.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFont>
#include <QFontInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImageWriter>
#include <QLinearGradient>
#include <QLocale>
#include <QMessageBox>
#include <QPageSize>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPdfWriter>
#include <QPen>
#include <QPixmap>
#include <QPushButton>
#include <QSaveFile>
#include <QSize>
#include <QStandardPaths>
#include <QTableView>
#include <QVBoxLayout>
#include <QVariant>
#include <QWidget>

#include <algorithm>
#include <functional>
#include <memory>

namespace ep::ui {

namespace {

// A paint device that writes SVG 1.1: shapes, text as text, images embedded as PNG. Supports what
// the charts use (solid, hatched and linear gradient brushes, rectangular and path clips, any
// affine transform), without QtSvg. Coordinates are logical pixels.
class SvgDevice : public QPaintDevice {
public:
    explicit SvgDevice(QSize size, const QString& title = {});
    ~SvgDevice() override;

    QByteArray document() const; // after painting has ended
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize m_size;
    QString m_title;
    std::unique_ptr<Engine> m_engine;
};

QString svgNumber(double value)
{
    return QLocale::c().toString(value, 'g', 7);
}

QString svgText(const QString& text)
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
                                 .arg(svgText(info.family()), svgNumber(info.pixelSize()));
        if (font.bold())
            attributes += QStringLiteral(" font-weight=\"bold\"");
        if (font.italic())
            attributes += QStringLiteral(" font-style=\"italic\"");
        body += QStringLiteral("<text x=\"%1\" y=\"%2\"%3%4%5 xml:space=\"preserve\">%6</text>\n")
                    .arg(svgNumber(at.x()), svgNumber(at.y()), attributes,
                         colourAttributes(QStringLiteral("fill"), m_pen.color(), m_opacity),
                         transformAttribute(), svgText(item.text()));
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
                 svgText(m_title), m_engine->defs, m_engine->body,
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

constexpr const char* kExporting = "ep_exporting";
constexpr const char* kBaseName = "ep_export_name";
constexpr const char* kFacts = "ep_export_facts";
constexpr int kCaptionMargin = 8;
constexpr double kPointsPerPixel = 0.75; // 96 pixels are an inch

// While this object exists, the chart paints itself for a file.
class Exporting {
public:
    explicit Exporting(QWidget& chart)
        : m_chart(chart)
    {
        m_chart.setProperty(kExporting, true);
    }
    ~Exporting() { m_chart.setProperty(kExporting, QVariant()); }
    Exporting(const Exporting&) = delete;
    Exporting& operator=(const Exporting&) = delete;

private:
    QWidget& m_chart;
};

// The font in pixels, as on the screen: a size in points would be multiplied by the resolution of
// a PDF file, which the painter's scale already includes.
QFont inPixels(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize());
    return font;
}

// Title and facts above a saved chart; nothing if no facts are known.
class Caption {
public:
    explicit Caption(const QWidget& chart)
        : m_facts(chart.property(kFacts).toString().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        , m_title(chart.accessibleName())
        , m_theme(Theme::fromPalette(chart.palette()))
        , m_font(inPixels(chart.font()))
        , m_chart(chart.size())
    {
    }

    int height() const
    {
        if (m_facts.isEmpty())
            return 0;
        const int lines = 1 + static_cast<int>(m_facts.size());
        return lines * QFontMetrics(m_font).height() + kCaptionMargin;
    }
    QSize wholeSize() const { return {m_chart.width(), m_chart.height() + height()}; }

    void paint(QPainter& painter) const
    {
        if (m_facts.isEmpty())
            return;
        QFont bold = m_font;
        bold.setBold(true);
        const QFontMetrics metrics(m_font);
        const QFontMetrics boldMetrics(bold);
        const int width = m_chart.width() - 2 * kCaptionMargin;
        const int line = metrics.height();
        painter.setFont(bold);
        painter.setPen(m_theme.text);
        painter.drawText(QRect(kCaptionMargin, kCaptionMargin / 2, width, line), Qt::AlignLeft,
                         boldMetrics.elidedText(m_title, Qt::ElideRight, width));
        painter.setFont(m_font);
        painter.setPen(m_theme.mutedText);
        int y = kCaptionMargin / 2;
        for (const QString& facts : m_facts) {
            y += line;
            painter.drawText(QRect(kCaptionMargin, y, width, line), Qt::AlignLeft,
                             metrics.elidedText(facts, Qt::ElideRight, width));
        }
    }

private:
    QStringList m_facts; // one per line
    QString m_title;
    Theme m_theme;
    QFont m_font;
    QSize m_chart;
};

void paintInto(QPaintDevice& device, QWidget& chart, double scale)
{
    const Exporting exporting(chart);
    const Caption caption(chart);
    QPainter painter(&device);
    painter.scale(scale, scale);
    painter.fillRect(QRect({}, caption.wholeSize()), Theme::fromPalette(chart.palette()).surface);
    caption.paint(painter);
    painter.translate(0, caption.height());
    chart.render(&painter, {}, {}, QWidget::DrawChildren);
}

Error cannotWrite(const QString& path, const QString& why)
{
    return {ErrorCode::Io,
            {"The chart could not be written to %1: %2; choose another place.", path.toStdString(),
             why.toStdString()}};
}

QString filterFor(const QString& suffix)
{
    if (suffix == QStringLiteral("png"))
        return translated("PNG image (*.png)");
    if (suffix == QStringLiteral("svg"))
        return translated("SVG drawing (*.svg)");
    if (suffix == QStringLiteral("pdf"))
        return translated("PDF document (*.pdf)");
    return translated("CSV table (*.csv)");
}

// Asks for a file of a type ("png", "svg", "pdf", "csv") and writes it; failures are shown in a
// message box.
void askAndSave(QWidget& parent, const QString& baseName, const QString& suffix,
                const std::function<Status(const QString& path)>& save)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    auto* dialog = makeFileDialog(&parent, translated("Save Chart"),
                                  QStringLiteral("saveChartDialog"), folder);
    dialog->setNameFilter(filterFor(suffix));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(baseName + QLatin1Char('.') + suffix);
    QObject::connect(
        dialog, &QFileDialog::fileSelected, &parent, [&parent, save](const QString& path) {
            const Status saved = save(path);
            if (saved)
                return;
            auto* box = new QMessageBox(QMessageBox::Warning, translated("Save Chart"),
                                        term(saved.error().message), QMessageBox::Ok, &parent);
            box->setObjectName(QStringLiteral("saveChartProblem"));
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        });
    dialog->open(); // modal to its window: on macOS a sheet
}

template <typename Reaction>
void addAction(QWidget& chart, const QString& id, const QString& text, Reaction reaction)
{
    auto* action = new QAction(text, &chart);
    action->setObjectName(id);
    QObject::connect(action, &QAction::triggered, &chart, reaction);
    chart.addAction(action);
}

void addTableActions(PaintedView& chart)
{
    const auto separator = new QAction(&chart);
    separator->setSeparator(true);
    chart.addAction(separator);
    addAction(chart, QStringLiteral("chartViewTable"), translated("View as Table…"),
              [&chart] { makeTableDialog(chart.table(), chart.accessibleName(), &chart)->open(); });
    addAction(chart, QStringLiteral("chartCopyTable"), translated("Copy Table"),
              [&chart] { QGuiApplication::clipboard()->setText(toTsv(chart.table())); });
    addAction(chart, QStringLiteral("chartSaveCsv"), translated("Save Table as CSV…"), [&chart] {
        askAndSave(chart, exportName(chart), QStringLiteral("csv"),
                   [&chart](const QString& path) { return saveTableCsv(chart.table(), path); });
    });
}

class TableTwinModel final : public QAbstractTableModel {
public:
    TableTwinModel(ChartTable table, QObject* parent)
        : QAbstractTableModel(parent)
        , m_table(std::move(table))
    {
    }

    const ChartTable& table() const { return m_table; }
    int rowCount(const QModelIndex& parent) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
    }
    int columnCount(const QModelIndex& parent) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_table.headings.size());
    }
    QVariant data(const QModelIndex& index, int role) const final
    {
        const auto& cell = m_table.rows[static_cast<std::size_t>(index.row())]
                                       [static_cast<std::size_t>(index.column())];
        switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case kRawRole:
            return cell.raw;
        case Qt::TextAlignmentRole:
            return QVariant(cell.raw.typeId() == QMetaType::QString
                                ? Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter)
                                : Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final
    {
        if (role != Qt::DisplayRole)
            return {};
        return orientation == Qt::Horizontal ? QVariant(m_table.headings[section])
                                             : QVariant(section + 1);
    }

private:
    ChartTable m_table;
};

} // namespace

void setExportFacts(QWidget& chart, const QString& facts)
{
    chart.setProperty(kFacts, facts);
}

QString exportName(const QWidget& chart)
{
    return chart.property(kBaseName).toString();
}

QImage renderChart(QWidget& chart, double scale)
{
    const Caption caption(chart);
    QImage image((QSizeF(caption.wholeSize()) * scale).toSize(),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Theme::fromPalette(chart.palette()).surface);
    const Exporting exporting(chart);
    chart.render(&image, QPoint(0, caption.height()));
    QPainter painter(&image);
    caption.paint(painter);
    return image;
}

QByteArray renderChartSvg(QWidget& chart)
{
    SvgDevice device(Caption(chart).wholeSize(), chart.accessibleName());
    paintInto(device, chart, 1.0);
    return device.document();
}

bool isBeingExported(const QWidget& widget)
{
    for (const QWidget* at = &widget; at; at = at->parentWidget()) {
        if (at->property(kExporting).toBool())
            return true;
    }
    return false;
}

void copyChartImage(QWidget& chart)
{
    QGuiApplication::clipboard()->setImage(renderChart(chart));
}

Status saveChartPng(QWidget& chart, const QString& path)
{
    QImageWriter writer(path, "png");
    if (!writer.write(renderChart(chart)))
        return cannotWrite(path, writer.errorString());
    return {};
}

Status saveChartSvg(QWidget& chart, const QString& path)
{
    if (const auto problem = writeWhole(path, renderChartSvg(chart)))
        return cannotWrite(path, *problem);
    return {};
}

Status saveChartPdf(QWidget& chart, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(path, file.errorString());
    {
        QPdfWriter writer(&file);
        writer.setTitle(chart.accessibleName());
        writer.setResolution(288);
        writer.setPageSize(
            QPageSize(QSizeF(Caption(chart).wholeSize()) * kPointsPerPixel, QPageSize::Point));
        writer.setPageMargins(QMarginsF());
        paintInto(writer, chart, 288.0 / 96.0);
    }
    if (!file.commit())
        return cannotWrite(path, file.errorString());
    return {};
}

void addExportActions(QWidget& chart, const QString& baseName)
{
    const bool there = chart.property(kBaseName).isValid();
    chart.setProperty(kBaseName, baseName);
    if (there)
        return;
    addAction(chart, QStringLiteral("chartCopyImage"), translated("Copy Image"),
              [&chart] { copyChartImage(chart); });
    const auto addSave = [&chart](const QString& suffix, const QString& text, const auto& save) {
        addAction(chart, QStringLiteral("chartSave") + suffix, text, [&chart, suffix, save] {
            askAndSave(chart, exportName(chart), suffix,
                       [&chart, save](const QString& path) { return save(chart, path); });
        });
    };
    addSave(QStringLiteral("png"), translated("Save as PNG…"), &saveChartPng);
    addSave(QStringLiteral("svg"), translated("Save as SVG…"), &saveChartSvg);
    addSave(QStringLiteral("pdf"), translated("Save as PDF…"), &saveChartPdf);
    if (auto* painted = qobject_cast<PaintedView*>(&chart))
        addTableActions(*painted);
    chart.setContextMenuPolicy(Qt::ActionsContextMenu);
}

QDialog* makeTableDialog(ChartTable table, const QString& title, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("chartTable"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* model = new TableTwinModel(std::move(table), dialog);
    auto* sorted = new RawSortProxy(dialog);
    sorted->setSourceModel(model);
    auto* view = new QTableView(dialog);
    view->setObjectName(QStringLiteral("chartTableView"));
    view->setAccessibleName(title);
    view->setModel(sorted);
    view->setSortingEnabled(true);
    view->sortByColumn(-1, Qt::AscendingOrder);
    view->setAlternatingRowColors(true);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->verticalHeader()->hide();
    view->resizeColumnsToContents();
    view->horizontalHeader()->setStretchLastSection(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    auto* copy = buttons->addButton(translated("Copy Table"), QDialogButtonBox::ActionRole);
    auto* save = buttons->addButton(translated("Save as CSV…"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("chartTableCopy"));
    save->setObjectName(QStringLiteral("chartTableSave"));
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [model] { QGuiApplication::clipboard()->setText(toTsv(model->table())); });
    QObject::connect(save, &QPushButton::clicked, dialog, [dialog, model, title] {
        askAndSave(*dialog, title, QStringLiteral("csv"),
                   [model](const QString& path) { return saveTableCsv(model->table(), path); });
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(view);
    layout->addWidget(buttons);
    dialog->resize(760, 520);
    return dialog;
}

} // namespace ep::ui
