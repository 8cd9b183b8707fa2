// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_pictures.h"

#include "pages/run_charts.h"
#include "pages/run_view.h"
#include "report/report_folder.h"
#include "repository/latest_job.h"
#include "text.h"

#include "ep/session/read_excerpt.h"
#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QSet>
#include <QTabWidget>

#include <memory>

namespace ep::ui {

namespace {

namespace fs = std::filesystem;

constexpr QSize kWindow{1600, 1000};
constexpr int kRoundMs = 10;

// Until all computations for the charts are done.
void settle()
{
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents, kRoundMs);
    } while (LatestJob::anyUnanswered());
    QCoreApplication::processEvents();
}

// Shows the tabs that contain the chart, so that it gets its size.
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

// Shows a run without a window, and answers the requests of its charts from the store.
class HiddenView {
public:
    HiddenView(const store::Store& store, const energy::ComparedRun& compared)
        : m_store(store)
        , m_id(compared.run->info.id)
    {
        m_view.resize(kWindow);
        m_view.show();
        QObject::connect(&m_view.steps(), &StepCache::asked, &m_view,
                         [this](const QString& id, int token) { answerStep(id, token); });
        QObject::connect(
            &m_view, &RunView::excerptWanted, &m_view,
            [this](const std::shared_ptr<const energy::Ledger>& ledger, const TimeRange& range) {
                auto excerpt = session::readExcerpt(m_store, *ledger, range);
                if (excerpt)
                    m_view.setExcerpt(range,
                                      std::make_shared<const energy::Excerpt>(*std::move(excerpt)));
            });
        m_view.setRun(compared.run, compared.totals);
    }

    Status addBreakdown()
    {
        if (!m_view.charts().wantsBreakdown())
            return {};
        auto breakdown = m_store.breakdown(m_id);
        if (!breakdown)
            return breakdown.error();
        m_view.setBreakdown(std::make_shared<const RunBreakdown>(*std::move(breakdown)));
        return {};
    }

    QWidget& widget() { return m_view; }

private:
    void answerStep(const QString& id, int token)
    {
        auto step = m_store.steps(m_id, {token, token + 1});
        if (step)
            m_view.steps().answer(id, token, std::make_shared<const RunTrace>(*std::move(step)));
        else
            m_view.steps().giveUp();
    }

    const store::Store& m_store;
    std::string m_id;
    RunView m_view;
};

} // namespace

Result<std::vector<fs::path>>
saveRunPictures(const store::Store& store, const energy::ComparedRun& run, const fs::path& folder)
{
    if (const Status made = makeFolder(folder); !made)
        return made.error();
    HiddenView view(store, run);
    if (const Status added = view.addBreakdown(); !added)
        return added.error();
    std::vector<fs::path> files;
    QSet<QString> names; // power is shown twice
    for (QWidget* chart : view.widget().findChildren<QWidget*>()) {
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
