// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes files with runs.
#include "repository/run_repository_worker.h"

#include "ep/session/comparison.h"
#include "ep/session/run_file.h"
#include "ep/store/run_json.h"
#include "ep/ui/report.h"

namespace ep::ui {

namespace {

Status writeFile(const store::RunSource& run, RunRepository::Format format, const std::string& path)
{
    switch (format) {
    case RunRepository::Format::Json:
        return store::exportJson(run, path);
    case RunRepository::Format::Csv:
        return store::exportCsv(run, path);
    case RunRepository::Format::CsvZip:
        return store::exportCsvZip(run, path);
    case RunRepository::Format::Trace:
        return store::exportTrace(run, path);
    }
    return {};
}

} // namespace

void RunRepository::exportRun(const QString& id, Format format, const QString& path)
{
    change(
        [id, format, path, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                const auto whole = store.resolveId(id.toStdString());
                if (!whole)
                    return whole.error();
                const auto run = store.source(*whole, cancel);
                return run ? writeFile(**run, format, path.toStdString()) : Status(run.error());
            });
        },
        [this, path] { Q_EMIT exported(path); });
}

void RunRepository::saveReport(const QString& id, const QString& path)
{
    change(
        [id, path, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                auto groups = session::loadGroups(store, {{id.toStdString()}}, cancel);
                if (!groups)
                    return groups.error();
                ReportSubject subject{*std::move(groups), {}};
                if (auto why = session::explainRun(store, id.toStdString(), cancel))
                    subject.explanation = *std::move(why);
                return path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)
                    ? saveReportPdf(subject, toPath(path))
                    : saveReportHtml(subject, toPath(path));
            });
        },
        [this, path] { Q_EMIT exported(path); });
}

void RunRepository::openFile(const QString& file)
{
    const auto report = std::make_shared<store::ImportReport>();
    change(
        [file, report, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                auto imported = session::importRunFile(store, toPath(file), cancel);
                if (!imported)
                    return imported.error();
                *report = *std::move(imported);
                return {};
            });
        },
        [this, file, report] {
            QStringList ids;
            for (const std::string& id : report->imported)
                ids << toQString(id);
            for (const std::string& id : report->skipped)
                ids << toQString(id);
            refresh();
            Q_EMIT fileOpened(file, ids, static_cast<int>(report->imported.size()));
        });
}

void RunRepository::importFiles(const QStringList& files)
{
    ask([this, files = texts(files), cancel = m_closing](Worker& worker) {
        QStringList ids;
        int skipped = 0;
        Status done;
        for (const std::string& file : files) {
            const auto report = worker.with(
                [&](store::Store& store) { return session::importRunFile(store, file, cancel); });
            if (!report) {
                done = report.error();
                break;
            }
            for (const std::string& id : report->imported)
                ids << toQString(id);
            skipped += static_cast<int>(report->skipped.size());
        }
        answer([this, ids, skipped, done] {
            if (!ids.isEmpty() || done)
                Q_EMIT imported(ids, skipped);
            if (!done)
                Q_EMIT failed(done.error());
            refresh();
        });
    });
}

} // namespace ep::ui
