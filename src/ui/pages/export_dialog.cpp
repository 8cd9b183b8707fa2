// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/export_dialog.h"

#include "text.h"
#include "unique_names.h"

#include "ep/ui/file_dialog.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QStandardPaths>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString suggestedName(const RunInfo& run)
{
    static const QRegularExpression unsafe(u"[^A-Za-z0-9._-]+"_s);
    const QString date =
        QDateTime::fromMSecsSinceEpoch(run.created_at_ms).toString(u"yyyyMMdd-HHmmss"_s);
    QString name = toQString(run.model.name) + u'-' + date;
    return name.replace(unsafe, u"_"_s);
}

struct Kind {
    QString title;
    QString filter;
    QString suffix; // empty: a folder is requested
};

Kind kindOf(RunRepository::Format format)
{
    switch (format) {
    case RunRepository::Format::Json:
        return {translated("Export Run as JSON"), translated("JSON (*.json)"), u"json"_s};
    case RunRepository::Format::Trace:
        return {translated("Export Run as Trace for ui.perfetto.dev"), translated("Trace (*.json)"),
                u"trace.json"_s};
    case RunRepository::Format::CsvZip:
        return {translated("Export Run as Zipped CSV Tables"), translated("Zip archive (*.zip)"),
                u"zip"_s};
    case RunRepository::Format::Csv:
        break;
    }
    return {translated("Export Run as CSV Tables"), {}, {}};
}

} // namespace

QString suffixOf(RunRepository::Format format)
{
    return kindOf(format).suffix;
}

std::vector<ExportFile> exportFiles(const std::vector<const RunSummary*>& runs,
                                    const QString& suffix)
{
    UniqueNames names;
    std::vector<ExportFile> files;
    for (const RunSummary* run : runs) {
        const QString id = toQString(run->info.id);
        // The id tells runs of the same second apart.
        const QString name = names.next(suggestedName(run->info) + u'-' + id.left(6));
        files.push_back({id, suffix.isEmpty() ? name : name + u'.' + suffix});
    }
    return files;
}

void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format)
{
    const Kind kind = kindOf(format);
    const bool folder = kind.suffix.isEmpty();
    auto* dialog = makeFileDialog(&parent, kind.title, u"exportDialog"_s);
    if (!folder) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setNameFilter(kind.filter);
        dialog->setDefaultSuffix(kind.suffix);
        dialog->selectFile(suggestedName(run) + u'.' + kind.suffix);
    } else {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        dialog->setLabelText(QFileDialog::Accept, translated("Export Here"));
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, &repository,
                     [&repository, id = toQString(run.id), format, folder,
                      name = suggestedName(run)](const QString& path) {
                         repository.exportRun(id, format, folder ? path + u'/' + name : path);
                     });
    dialog->open();
}

void saveReportWithDialog(QWidget& parent, RunRepository& repository, const QString& run)
{
    auto* dialog =
        makeFileDialog(&parent, translated("Save Report"), u"reportDialog"_s,
                       QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({translated("Web page (*.html)"), translated("PDF (*.pdf)")});
    dialog->setDefaultSuffix(u"html"_s);
    dialog->selectFile(u"run.html"_s);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(u"pdf"_s) ? u"pdf"_s : u"html"_s);
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &repository,
                     [&repository, run](const QString& path) { repository.saveReport(run, path); });
    dialog->open();
}

} // namespace ep::ui
