// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_pictures.h"

#include "pages/run_view.h"
#include "report/report_folder.h"
#include "repository/latest_job.h"
#include "repository/run_document.h"
#include "text.h"

#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/run_reader.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QSet>
#include <QTabWidget>

namespace ep::ui {

namespace {

namespace fs = std::filesystem;

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

} // namespace

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

} // namespace ep::ui
