// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette lists: menus, stored runs, models and, for the open run, the pages'
// search for layers, components and tokens.
#include "dialogs/command_palette.h"
#include "models/palette_search.h"
#include "pages/analysis_page.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "pages/run_view.h"
#include "text.h"

#include "ep/core/run_title.h"
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

constexpr std::size_t kMaxRuns = 500; // the newest ones
constexpr std::size_t kMaxHits = 20;
constexpr std::size_t kRunWords = 60; // bytes of the prompt to show

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
            if (entries.size() > kMaxRuns)
                break;
            const std::string words = runTitle(run.info);
            entries.push_back(
                {.title = toQString(previewUtf8(words, kRunWords)).simplified(),
                 .kind = tr("Run"),
                 .detail = u"%1, %2, %3"_s.arg(toQString(run.info.model.name),
                                               dateText(run.info.created_at_ms), energyText(run)),
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

// Finds layers and tokens by number or text, and components by name.
std::vector<PaletteEntry> MainWindow::paletteHits(const QString& query)
{
    const RunPtr& run = m_analysis->run();
    if (!run)
        return {};
    SelectionController* charts = &m_analysis->controller();
    const auto select = [this, charts](auto change) {
        return [this, charts, change] {
            showPage(Page::Analysis);
            change(*charts);
        };
    };
    const auto layerEntry = [&](std::int32_t layer) {
        return PaletteEntry{.title = QString::number(layer),
                            .kind = tr("Layer"),
                            .detail = {},
                            .keys = {},
                            .choose = select([layer](SelectionController& controller) {
                                controller.selectPart(layer, std::nullopt);
                            })};
    };
    std::vector<PaletteEntry> numbered;
    for (const std::int32_t layer : m_analysis->view().layers())
        numbered.push_back(layerEntry(layer));
    for (const TokenSpan& token : run->trace.tokens) {
        numbered.push_back({.title = QString::number(token.index),
                            .kind = tr("Token"),
                            .detail = u"“"_s + toQString(token.text).simplified() + u"”"_s,
                            .keys = {},
                            .choose = select([index = token.index](SelectionController& c) {
                                c.selectToken(index);
                            })});
    }
    std::vector<PaletteEntry> entries;
    for (const std::size_t index : paletteMatches(query, numbered, kMaxHits))
        entries.push_back(std::move(numbered[index]));
    std::size_t components = 0;
    for (const SearchHit& hit : m_analysis->view().search(query).hits) {
        if (!hit.component || ++components > kMaxHits)
            continue;
        PaletteEntry entry = layerEntry(hit.layer.value_or(0));
        entry.detail = term(viz::title(*hit.component));
        entry.choose = select([hit](SelectionController& controller) {
            controller.selectPart(hit.layer, hit.component);
        });
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
