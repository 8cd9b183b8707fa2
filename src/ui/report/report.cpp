// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/report.h"

#include "pages/run_view.h"
#include "report/paper.h"
#include "report/reports.h"
#include "repository/latest_job.h"
#include "repository/run_document.h"
#include "text.h"
#include "unique_names.h"

#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/run_reader.h"

#include <QApplication>
#include <QBuffer>
#include <QCoreApplication>
#include <QEventLoop>
#include <QImage>
#include <QLoggingCategory>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSet>
#include <QTabWidget>
#include <QTextDocument>

#include <cstdint>
#include <iomanip>
#include <regex>
#include <sstream>
#include <system_error>

namespace ep::ui {

namespace {

namespace fs = std::filesystem;

// Creates the folder with all its parents; it may exist already.
Status makeFolder(const std::filesystem::path& folder)
{
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (!problem)
        return {};
    return Error{ErrorCode::Io,
                 {"The folder %1 could not be made: %2; choose another place.", folder.string(),
                  problem.message()}};
}

constexpr double kPictureScale = 2.0;
constexpr QSize kWindow{1600, 1000};
constexpr int kRoundMs = 10;

// Waits until all computations for the charts are done.
void settle()
{
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents, kRoundMs);
    } while (LatestJob::anyUnanswered());
    QCoreApplication::processEvents();
}

// Shows the tabs that contain the chart, so that it gets a size.
void reveal(QWidget& chart)
{
    for (QWidget* inner = &chart; inner != nullptr; inner = inner->parentWidget()) {
        for (QWidget* outer = inner->parentWidget(); outer != nullptr;
             outer = outer->parentWidget()) {
            auto* tabs = qobject_cast<QTabWidget*>(outer);
            if (tabs && tabs->indexOf(inner) >= 0)
                tabs->setCurrentWidget(inner);
        }
    }
}

// Answers immediately.
class StoreReader final : public RunReader {
public:
    explicit StoreReader(const store::Store& store)
        : m_store(store)
    {
    }
    void read(const CancelToken&, Question question) override
    {
        if (const Answer answer = question(&m_store))
            answer();
    }

private:
    const store::Store& m_store;
};

// Writes the charts of the Analysis page for a stored run, each as SVG and as PNG (twice its size),
// to a folder, which is created; returns the files.
Result<std::vector<fs::path>>
saveRunPictures(const store::Store& store, const energy::ComparedRun& run, const fs::path& folder)
{
    if (const Status made = makeFolder(folder); !made)
        return made.error();
    StoreReader reader(store);
    RunView view; // a view without a window
    RunDocument& document = view.document();
    document.readFrom(&reader);
    view.resize(kWindow);
    view.show();
    view.setRun(run.run, run.totals);
    Status summed;
    const QMetaObject::Connection failing = QObject::connect(
        &document, &RunDocument::failed, &view, [&summed](const Error& error) { summed = error; });
    document.wantBreakdown();
    QObject::disconnect(failing);
    if (!summed)
        return summed.error();
    std::vector<fs::path> files;
    QSet<QString> names; // power appears twice
    for (QWidget* chart : view.findChildren<QWidget*>()) {
        const QString name = exportName(*chart);
        if (name.isEmpty() || names.contains(name))
            continue;
        names.insert(name);
        reveal(*chart);
        settle();
        const QString base = toQString((folder / name.toStdString()).string());
        for (const auto& [suffix, save] : {std::pair{QStringLiteral(".svg"), &saveChartSvg},
                                           {QStringLiteral(".png"), &saveChartPng}}) {
            if (const Status saved = save(*chart, base + suffix); !saved)
                return saved.error();
            files.emplace_back((base + suffix).toStdString());
        }
    }
    return files;
}

bool isSingle(const ReportSubject& subject)
{
    return subject.groups.size() == 1 && subject.groups.front().runs.size() == 1;
}

HtmlPage pageOf(const ReportSubject& subject, HtmlPage::Charts charts)
{
    if (isSingle(subject))
        return runReport(subject.groups.front().runs.front(), charts,
                         subject.explanation ? &*subject.explanation : nullptr);
    return comparisonReport(subject.groups, subject.comparison, charts);
}

QString nameOf(const fs::path& file)
{
    return QString::fromStdString(file.string());
}

bool isFull(const fs::path& folder, qint64 size)
{
    std::error_code failed;
    const fs::space_info space = fs::space(folder, failed);
    constexpr std::uintmax_t kBlock = 4096;
    return !failed && space.available < static_cast<std::uintmax_t>(size) + kBlock;
}

Status writeFile(const fs::path& file, const QByteArray& bytes)
{
    const auto problem = writeWhole(nameOf(file), bytes);
    if (!problem)
        return {};
    if (isFull(file.parent_path(), bytes.size())) { // Qt has no message for this
        return Error{ErrorCode::Io,
                     {"Cannot write %1: the disk is full; free some space.", file.string()}};
    }
    return Error{ErrorCode::Io,
                 {"The report could not be written to %1: %2; choose another place.", file.string(),
                  problem->toStdString()}};
}

// FNV-1a.
std::string shortHash(const std::string& text)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3U;
    std::ostringstream hex;
    hex << std::hex << std::setw(8) << std::setfill('0') << (hash >> 32U);
    return hex.str();
}

QImage pictureOf(const viz::Scene& scene)
{
    QImage image(QSizeF(scene.width * kPictureScale, scene.height * kPictureScale).toSize(),
                 QImage::Format_RGB32);
    const viz::ScenePalette palette = viz::ScenePalette::light();
    image.fill(toColour(palette[viz::Ink::Surface]));
    QPainter painter(&image);
    painter.scale(kPictureScale, kPictureScale);
    paintScene(painter, scene, palette);
    return image;
}

} // namespace

std::string reportHtml(const ReportSubject& subject)
{
    return pageOf(subject, HtmlPage::Charts::Svg).html();
}

Status saveReportHtml(const ReportSubject& subject, const fs::path& file)
{
    return writeFile(file, QByteArray::fromStdString(reportHtml(subject)));
}

Status saveReportPdf(const ReportSubject& subject, const fs::path& file)
{
    const HtmlPage page = pageOf(subject, HtmlPage::Charts::Image);
    QTextDocument document;
    document.setHtml(QString::fromStdString(page.html()));
    QByteArray bytes;
    {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setTitle(QStringLiteral("Energy Profiler"));
        printOnPaper(document, page.scenes(), writer);
    }
    return writeFile(file, bytes);
}

Result<std::vector<fs::path>> saveReportCharts(const ReportSubject& subject, const fs::path& folder)
{
    if (const Status made = makeFolder(folder); !made)
        return made.error();
    std::vector<fs::path> files;
    UniqueNames names;
    const HtmlPage page = pageOf(subject, HtmlPage::Charts::Svg);
    for (const viz::Scene& scene : page.scenes()) {
        const std::string name =
            names.next(QString::fromStdString(fileNameOf(scene))).toStdString();
        const fs::path svg = folder / (name + ".svg");
        const std::string text = viz::toSvg(scene, viz::ScenePalette::light());
        if (const Status done = writeFile(svg, QByteArray::fromStdString(text)); !done)
            return done.error();
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        pictureOf(scene).save(&buffer, "png");
        const fs::path png = folder / (name + ".png");
        if (const Status done = writeFile(png, bytes); !done)
            return done.error();
        files.push_back(svg);
        files.push_back(png);
    }
    return files;
}

Status saveStudyReport(const store::Store& store, const session::StudyReport& report,
                       const fs::path& file)
{
    const auto page = studyReport(store, report, HtmlPage::Charts::Svg);
    if (!page)
        return page.error();
    return writeFile(file, QByteArray::fromStdString(page->html()));
}

fs::path studyReportFile(const fs::path& database, const std::string& study,
                         const session::StudyShard& shard)
{
    constexpr std::size_t kLongest = 80;
    std::string name = study.substr(0, kLongest);
    for (char& c : name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
        c = plain ? c : '_';
    }
    // Two studies must never get the same file name, even where "A" and "a" are the same, and no
    // name may look like a shard of another study or a name with its hash.
    static const std::regex ambiguous("[A-Z]|-[0-9]+-of-[0-9]+$|-[0-9a-f]{8}$");
    if (name != study || std::regex_search(name, ambiguous))
        name += '-' + shortHash(study);
    name = "study-" + name;
    if (shard.count > 1)
        name += '-' + std::to_string(shard.index) + "-of-" + std::to_string(shard.count);
    return database.parent_path() / (name + ".html");
}

namespace {

Result<std::vector<fs::path>> renderInto(const store::Store& store, const ReportSubject& subject,
                                         const fs::path& folder, bool pdf)
{
    auto charts = saveReportCharts(subject, folder / "charts");
    if (!charts)
        return charts.error();
    std::vector<fs::path> files{folder / "report.html"};
    if (const Status written = saveReportHtml(subject, files.front()); !written)
        return written.error();
    if (pdf) {
        files.push_back(folder / "report.pdf");
        if (const Status written = saveReportPdf(subject, files.back()); !written)
            return written.error();
    }
    files.insert(files.end(), charts->begin(), charts->end());
    if (isSingle(subject)) {
        const auto views =
            saveRunPictures(store, subject.groups.front().runs.front(), folder / "views");
        if (!views)
            return views.error();
        files.insert(files.end(), views->begin(), views->end());
    }
    return files;
}

} // namespace

Result<std::vector<fs::path>> renderReport(int& argc, char** argv, const store::Store& store,
                                           const ReportSubject& subject, const fs::path& folder,
                                           bool pdf)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // The offscreen platform warns about window hints that it does not support.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    const QApplication application(argc, argv);
    std::error_code ignored;
    const bool isNew = !fs::exists(folder, ignored);
    auto files = renderInto(store, subject, folder, pdf);
    if (!files && isNew)
        fs::remove_all(folder, ignored); // an incomplete report is useless
    return files;
}

} // namespace ep::ui
