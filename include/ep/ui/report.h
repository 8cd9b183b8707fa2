// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/energy/comparison.h"
#include "ep/session/explain.h"
#include "ep/session/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::store {
class Store;
}

// Reports as files. They need a QGuiApplication for images and PDF; use the thread of that
// application.
namespace ep::ui {

// A run, or a comparison of 2 to 4 groups.
struct ReportSubject {
    std::vector<energy::RunGroup> groups; // a single group with a single run: a report of that run
    energy::Comparison comparison; // compares the groups; unused for a single run
    std::optional<session::Explanation> explanation{}; // for a single run only
};

// A single HTML file with charts as SVG inside; needs no QGuiApplication.
std::string reportHtml(const ReportSubject& subject);
Status saveReportHtml(const ReportSubject& subject, const std::filesystem::path& file);
// Saves the report as PDF on A4 pages.
Status saveReportPdf(const ReportSubject& subject, const std::filesystem::path& file);
// Writes each chart as SVG and as PNG (at twice its size) to a folder, which is created; returns
// the files.
Result<std::vector<std::filesystem::path>> saveReportCharts(const ReportSubject& subject,
                                                            const std::filesystem::path& folder);

// The results of a study as a single HTML file; reads its runs, and needs no QGuiApplication.
Status saveStudyReport(const store::Store& store, const session::StudyReport& report,
                       const std::filesystem::path& file);
// Path next to the database of the runs: "study-NAME.html", "study-NAME-2-of-5.html".
std::filesystem::path studyReportFile(const std::filesystem::path& database,
                                      const std::string& study,
                                      const session::StudyShard& shard = {});

// For a process without a window: writes report.html, charts/, for a single run also views/ with
// the charts of its Analysis page, and optionally report.pdf to a folder, which is created; paints
// offscreen. There must be no QCoreApplication yet. Returns the files.
Result<std::vector<std::filesystem::path>>
renderReport(int& argc, char** argv, const store::Store& store, const ReportSubject& subject,
             const std::filesystem::path& folder, bool pdf);

} // namespace ep::ui
