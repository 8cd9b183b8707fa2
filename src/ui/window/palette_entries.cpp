// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette lists: the menus, the stored runs, the models and, for the open run, the
// pages' search for layers, components and tokens.
#include "dialogs/command_palette.h"
#include "pages/analysis_page.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "pages/run_view.h"
#include "text.h"

#include "ep/core/utf8.h"
#include "ep/ui/main_window.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kMostRuns = 500; // newest first
constexpr std::size_t kMostHits = 20;
constexpr std::size_t kRunWords = 60; // bytes of the prompt

QString withoutMark(QString text)
{
    return text.remove(u'&');
}

void collectActions(std::vector<PaletteEntry>& entries, const QString& menu,
                    const QList<QAction*>& actions)
{
    for (QAction* action : actions) {
        if (action->menu()) {
            collectActions(entries, withoutMark(action->text()), action->menu()->actions());
        } else if (!action->isSeparator() && action->isEnabled()) {
            entries.push_back({.title = withoutMark(action->text()),
                               .kind = menu,
                               .detail = {},
                               .keys = action->shortcut().toString(QKeySequence::NativeText),
                               .choose = [action] { action->trigger(); }});
        }
    }
}

} // namespace

std::vector<PaletteEntry> MainWindow::paletteEntries()
{
    std::vector<PaletteEntry> entries;
    collectActions(entries, {}, menuBar()->actions());
    if (const RunList& runs = m_history->runs()) {
        for (const RunSummary& run : *runs) {
            if (entries.size() > kMostRuns)
                break;
            const std::string& words = run.info.title.empty() ? run.info.prompt : run.info.title;
            entries.push_back({.title = toQString(previewUtf8(words, kRunWords)).simplified(),
                               .kind = tr("Run"),
                               .detail = u"%1, %2, %3"_s.arg(
                                   toQString(run.info.model.name), dateText(run.info.created_at_ms),
                                   energyText(run.metrics.energy.total_mj)),
                               .keys = {},
                               .choose = [this, id = toQString(run.info.id)] { openRun(id); }});
        }
    }
    for (const ModelChoice& model : m_live->models()) {
        entries.push_back({.title = model.displayName(),
                           .kind = tr("Model"),
                           .detail = model.problem.isEmpty() ? model.facts : model.problem,
                           .keys = {},
                           .choose = [this, folder = model.folder] {
                               showPage(Page::Live);
                               m_live->chooseModel(folder);
                           }});
    }
    return entries;
}

std::vector<PaletteEntry> MainWindow::paletteHits(const QString& query)
{
    std::vector<PaletteEntry> entries;
    const RunPtr& run = m_analysis->run();
    if (!run)
        return entries;
    SelectionController* charts = &m_analysis->controller();
    for (const SearchHit& hit : m_analysis->view().search(query).hits) {
        if (entries.size() == kMostHits)
            break;
        PaletteEntry entry;
        if (hit.token) {
            const auto& tokens = run->trace.tokens;
            const auto at = std::find_if(tokens.begin(), tokens.end(), [&](const TokenSpan& token) {
                return token.index == *hit.token;
            });
            entry.kind = tr("Token");
            entry.title = QString::number(*hit.token);
            if (at != tokens.end())
                entry.detail = u"“"_s + toQString(at->text).simplified() + u"”"_s;
            entry.choose = [this, charts, token = *hit.token] {
                showPage(Page::Analysis);
                charts->selectToken(token);
            };
        } else {
            entry.kind = tr("Layer");
            entry.title = hit.layer ? QString::number(*hit.layer) : QString();
            if (hit.component)
                entry.detail = term(viz::title(*hit.component));
            entry.choose = [this, charts, hit] {
                showPage(Page::Analysis);
                charts->selectPart(hit.layer, hit.component);
            };
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

void MainWindow::showPalette()
{
    auto* palette = new CommandPalette(
        paletteEntries(), [this](const QString& query) { return paletteHits(query); }, this);
    palette->open();
}

} // namespace ep::ui
