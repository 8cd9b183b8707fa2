// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/energy/comparison.h"
#include "ep/session/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::store {
class Store;
}

// Reports as files. They need a QGuiApplication for pictures and PDF; any thread that has it.
namespace ep::ui {

// One run, or a comparison of 2 to 4 groups.
struct ReportSubject {
    std::vector<energy::RunGroup> groups; // one group with one run: a report of that run
    energy::Comparison comparison; // of them; unused for one run
};

// A single HTML file, charts as SVG inside; no QGuiApplication needed.
std::string reportHtml(const ReportSubject& subject);
Status saveReportHtml(const ReportSubject& subject, const std::filesystem::path& file);
// The same on pages of A4.
Status saveReportPdf(const ReportSubject& subject, const std::filesystem::path& file);
// Each chart as SVG and as PNG (twice its size) into a folder that is made; the files written.
Result<std::vector<std::filesystem::path>> saveReportCharts(const ReportSubject& subject,
                                                            const std::filesystem::path& folder);

// What a study found, as a single HTML file; reads its runs, and needs no QGuiApplication.
Status saveStudyReport(const store::Store& store, const session::StudyReport& report,
                       const std::filesystem::path& file);
// Beside the database that holds the runs: "study-NAME.html", "study-NAME-2-of-5.html".
std::filesystem::path studyReportFile(const std::filesystem::path& database,
                                      const std::string& study,
                                      const session::StudyShard& shard = {});

// For a process without a window: report.html, charts/, of a single run also views/ with the charts
// of its Analysis page, and, if wanted, report.pdf in a folder that is made; paints without a
// screen. There must be no QCoreApplication yet. The files written.
Result<std::vector<std::filesystem::path>>
renderReport(int& argc, char** argv, const store::Store& store, const ReportSubject& subject,
             const std::filesystem::path& folder, bool pdf);

} // namespace ep::ui
