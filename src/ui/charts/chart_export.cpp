// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/chart_export.h"

#include "chart_files.h"
#include "svg_device.h"

#include "ep/ui/charts/chart_table.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QFontInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QImageWriter>
#include <QMessageBox>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QStandardPaths>
#include <QVariant>
#include <QWidget>

namespace ep::ui {

namespace {

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

} // namespace

void setExportFacts(QWidget& chart, const QString& facts)
{
    chart.setProperty(kFacts, facts);
}

QString exportName(const QWidget& chart)
{
    return chart.property(kBaseName).toString();
}

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
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent,
                     [&parent, save](const QString& path) {
                         const Status saved = save(path);
                         if (saved)
                             return;
                         auto* box = new QMessageBox(QMessageBox::Warning, translated("Save Chart"),
                                                     QString::fromStdString(saved.error().message),
                                                     QMessageBox::Ok, &parent);
                         box->setObjectName(QStringLiteral("saveChartProblem"));
                         box->setAttribute(Qt::WA_DeleteOnClose);
                         box->open();
                     });
    dialog->open(); // modal to its window: on macOS a sheet
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
    QSaveFile file(path);
    const QByteArray text = renderChartSvg(chart);
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return {};
    return cannotWrite(path, file.errorString());
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

} // namespace ep::ui
