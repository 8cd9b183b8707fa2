// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/chart_export.h"

#include "ep/ui/theme.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImageWriter>
#include <QMessageBox>
#include <QStandardPaths>
#include <QVariant>
#include <QWidget>

namespace ep::ui {

namespace {

constexpr const char* kExporting = "ep_exporting";

} // namespace

QImage renderChart(QWidget& chart, double scale)
{
    QImage image((QSizeF(chart.size()) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Theme::fromPalette(chart.palette()).surface);
    chart.setProperty(kExporting, true);
    chart.render(&image);
    chart.setProperty(kExporting, QVariant());
    return image;
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
        return Error{ErrorCode::Io,
                     "The chart could not be written to " + path.toStdString() + ": "
                         + writer.errorString().toStdString() + "; choose another place."};
    return {};
}

void addExportActions(QWidget& chart, const QString& baseName)
{
    auto* copy = new QAction(QObject::tr("Copy Image"), &chart);
    QObject::connect(copy, &QAction::triggered, &chart, [&chart] { copyChartImage(chart); });

    auto* save = new QAction(QObject::tr("Save as PNG…"), &chart);
    QObject::connect(save, &QAction::triggered, &chart, [&chart, baseName] {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
        const QString path = QFileDialog::getSaveFileName(&chart, QObject::tr("Save Chart"),
                                                          folder + QLatin1Char('/') + baseName
                                                              + QStringLiteral(".png"),
                                                          QObject::tr("PNG image (*.png)"));
        if (path.isEmpty())
            return;
        if (const Status saved = saveChartPng(chart, path); !saved)
            QMessageBox::warning(&chart, QObject::tr("Save Chart"),
                                 QString::fromStdString(saved.error().message));
    });

    chart.addActions({copy, save});
    chart.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace ep::ui
