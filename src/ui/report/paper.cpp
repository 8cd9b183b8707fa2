// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper.h"

#include "ep/ui/charts/scene_view.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPagedPaintDevice>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFormat>
#include <QTextLayout>
#include <QTextTable>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr double kMarginCm = 2.0; // at each side
constexpr double kFooterCm = 1.2; // from the page number to the lower edge
constexpr double kCmPerInch = 2.54;
constexpr double kFooterPoints = 8.0;

QRectF areaOf(const QTextBlock& block)
{
    return block.document()->documentLayout()->blockBoundingRect(block);
}

void addLines(const QTextBlock& block, std::vector<PaperStrip>& strips)
{
    const QTextLayout& layout = *block.layout();
    const qreal shift = areaOf(block).top() - layout.boundingRect().top();
    for (int i = 0; i < layout.lineCount(); ++i) {
        const QRectF line = layout.lineAt(i).rect().translated(0.0, shift);
        strips.push_back({line.top(), line.bottom()});
    }
}

// Joins overlapping lines of neighbouring cells to one strip.
void joinOverlapping(std::vector<PaperStrip>& strips)
{
    std::ranges::sort(strips, {}, &PaperStrip::top);
    std::vector<PaperStrip> joined;
    for (const PaperStrip& strip : strips) {
        if (!joined.empty() && strip.top < joined.back().bottom)
            joined.back().bottom = std::max(joined.back().bottom, strip.bottom);
        else
            joined.push_back(strip);
    }
    strips = std::move(joined);
}

std::vector<QTextBlock> blocksOf(const QTextTable& table, int row)
{
    std::vector<QTextBlock> blocks;
    for (int column = 0; column < table.columns(); ++column) {
        const QTextTableCell cell = table.cellAt(row, column);
        for (auto it = cell.begin(); !it.atEnd(); ++it)
            blocks.push_back(it.currentBlock());
    }
    return blocks;
}

void addTable(const QTextTable& table, qreal height, std::vector<PaperStrip>& strips)
{
    const qreal padding = table.format().cellPadding();
    for (int row = 0; row < table.rows(); ++row) {
        const std::vector<QTextBlock> blocks = blocksOf(table, row);
        if (blocks.empty())
            continue;
        PaperStrip strip{areaOf(blocks.front()).top(), areaOf(blocks.front()).bottom()};
        for (const QTextBlock& block : blocks) {
            strip.top = std::min(strip.top, areaOf(block).top());
            strip.bottom = std::max(strip.bottom, areaOf(block).bottom());
        }
        if (strip.bottom - strip.top > height) { // the strip must be divided
            std::vector<PaperStrip> lines;
            for (const QTextBlock& block : blocks)
                addLines(block, lines);
            joinOverlapping(lines);
            strips.insert(strips.end(), lines.begin(), lines.end());
            continue;
        }
        strip.top -= padding;
        strip.bottom += padding;
        strip.withNext = row == 0 && table.rows() > 1;
        strips.push_back(strip);
    }
}

std::size_t lastOfSection(const std::vector<PaperStrip>& strips, std::size_t first)
{
    std::size_t last = first;
    while (last + 1 < strips.size() && !strips[last + 1].beginsSection)
        ++last;
    return last;
}

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

std::vector<PaperStrip> stripsOf(const QTextDocument& document, qreal height)
{
    std::vector<PaperStrip> strips;
    const QTextTable* last = nullptr;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QTextTable* table = QTextCursor(block).currentTable();
        if (table) {
            if (table != last)
                addTable(*table, height, strips);
            last = table;
            continue;
        }
        std::vector<PaperStrip> lines;
        if (!block.text().isEmpty()) // Qt puts an empty block after each table
            addLines(block, lines);
        if (lines.empty())
            continue;
        const QTextBlockFormat format = block.blockFormat();
        lines.front().beginsSection =
            format.pageBreakPolicy().testFlag(QTextFormat::PageBreak_AlwaysBefore);
        for (PaperStrip& line : lines)
            line.withNext = format.headingLevel() > 0;
        strips.insert(strips.end(), lines.begin(), lines.end());
    }
    if (!strips.empty())
        strips.back().withNext = false;
    return strips;
}

std::vector<std::size_t> pagesOf(const std::vector<PaperStrip>& strips, qreal height)
{
    std::vector<std::size_t> pages;
    for (std::size_t i = 0; i < strips.size();) {
        pages.push_back(i);
        const auto fits = [&](std::size_t last) {
            return strips[last].bottom - strips[i].top <= height;
        };
        std::size_t end = i + 1;
        while (end < strips.size() && fits(end)
               && (!strips[end].beginsSection || fits(lastOfSection(strips, end))))
            ++end;
        std::size_t next = end;
        if (end < strips.size() && !strips[end].beginsSection) {
            while (next > i && strips[next - 1].withNext)
                --next;
        }
        i = next > i ? next : end;
    }
    return pages;
}

void printOnPaper(QTextDocument& document, const std::vector<viz::Scene>& scenes,
                  QPagedPaintDevice& device)
{
    QPainter painter(&device);
    const double dot = device.logicalDpiY() / kCmPerInch; // dots per centimetre
    const double margin = kMarginCm * dot;
    const QSizeF room(device.width() - 2.0 * margin, device.height() - 2.0 * margin);
    ScenePictures pictures(scenes, room.width(), device.logicalDpiY());
    document.documentLayout()->registerHandler(QTextFormat::ImageObject, &pictures);
    document.documentLayout()->setPaintDevice(&device);
    document.setDocumentMargin(0.0);
    document.setTextWidth(room.width());
    const std::vector<PaperStrip> strips = stripsOf(document, room.height());
    const std::vector<std::size_t> pages = pagesOf(strips, room.height());
    QFont small = document.defaultFont();
    small.setPointSizeF(kFooterPoints);
    for (std::size_t page = 0; page < pages.size(); ++page) {
        if (page > 0)
            device.newPage();
        const std::size_t end = page + 1 < pages.size() ? pages[page + 1] : strips.size();
        // Shrinks what is higher than a page.
        const QRectF part(0.0, strips[pages[page]].top, room.width(),
                          strips[end - 1].bottom - strips[pages[page]].top);
        const double scale = std::min(1.0, room.height() / part.height());
        painter.save();
        painter.translate(margin, margin);
        painter.scale(scale, scale);
        painter.translate(0.0, -part.top());
        painter.setClipRect(part);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = part;
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(small);
        const QRectF footer(margin, device.height() - kFooterCm * dot, room.width(),
                            QFontMetricsF(painter.font(), &device).height());
        const QString number = QStringLiteral("%1 / %2").arg(page + 1).arg(pages.size());
        const QFontMetricsF metrics(painter.font(), &device);
        const double left = room.width() - 2.0 * metrics.horizontalAdvance(number);
        const QString title = document.metaInformation(QTextDocument::DocumentTitle);
        painter.drawText(footer, Qt::AlignLeft, metrics.elidedText(title, Qt::ElideRight, left));
        painter.drawText(footer, Qt::AlignRight, number);
    }
    document.documentLayout()->unregisterHandler(QTextFormat::ImageObject);
}

} // namespace ep::ui
