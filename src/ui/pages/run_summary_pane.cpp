// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_summary_pane.h"

#include "models/run_groups.h"
#include "report/html_page.h"
#include "report/reports.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/figure_cards.h"
#include "widgets/sparkline.h"

#include "ep/core/run_figure.h"
#include "ep/core/run_title.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/energy/insights.h"
#include "ep/ui/theme.h"

#include <QTextBrowser>

#include <algorithm>
#include <array>
#include <map>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::array kKeyFigures{RunFigure::Energy, RunFigure::JoulesPerToken,
                                 RunFigure::JoulesPerTotalToken, RunFigure::TokensPerSecond,
                                 RunFigure::Duration};
constexpr std::size_t kMaxText = 2000;
constexpr std::size_t kTitleBytes = 60;
constexpr std::size_t kMaxListedSequences = 8;

// The power source that all runs share; empty if they differ.
std::string commonSource(const std::vector<const RunSummary*>& runs)
{
    const auto sourceOf = [](const RunSummary* run) { return run->info.power.source; };
    const bool common = !runs.empty()
        && std::ranges::count(runs, sourceOf(runs.front()), sourceOf) == std::ssize(runs);
    return common ? sourceOf(runs.front()) : std::string();
}

} // namespace

RunSummaryPane::RunSummaryPane(QWidget* parent)
    : QWidget(parent)
    , m_cards(new FigureCards(this))
    , m_spark(named(new Sparkline(this), u"historySparkline"_s,
                    tr("Energy per token of the runs of this model")))
    , m_text(named(new QTextBrowser(this), u"historyDetails"_s, tr("The selected run")))
{
    for (const RunFigure figure : kKeyFigures)
        m_cards->add(u"selected_"_s + toQString(name(figure)), term(heading(figure)));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    auto* column = inColumn(this, {m_cards, m_spark, {m_text, 1}});
    column->setContentsMargins(kGrid, 0, 0, 0);
}

void RunSummaryPane::showRuns(const std::vector<const RunSummary*>& selected,
                              const std::vector<const RunSummary*>& shown)
{
    m_cards->setVisible(!selected.empty());
    m_spark->setVisible(false);
    if (selected.empty())
        m_text->setHtml(u"<p>"_s + tr("Select a run to see its details.") + u"</p>"_s);
    else if (selected.size() == 1)
        showOne(*selected.front(), shown);
    else
        showSum(selected);
}

void RunSummaryPane::showOne(const RunSummary& run, const std::vector<const RunSummary*>& shown)
{
    const QString how = explainedEnergyLabel(run.info.power.source, run.metrics.energy.provenance);
    for (std::size_t i = 0; i < kKeyFigures.size(); ++i) {
        const RunFigure figure = kKeyFigures[i];
        m_cards->setValue(static_cast<int>(i), toQString(formatCell(figure, valueOf(figure, run))),
                          needsEnergy(figure) ? how : QString());
    }
    std::vector<const RunSummary*> ofModel;
    for (const RunSummary* each : shown) {
        if (each->info.model.name == run.info.model.name
            && energy::energyOrigin(*each) == energy::energyOrigin(run))
            ofModel.push_back(each);
    }
    std::ranges::stable_sort(ofModel, {},
                             [](const RunSummary* each) { return each->info.created_at_ms; });
    std::vector<std::optional<double>> values;
    int marked = -1;
    for (const RunSummary* each : ofModel) {
        if (each == &run)
            marked = static_cast<int>(values.size());
        values.push_back(each->metrics.joules_per_token);
    }
    const auto known = std::ranges::count_if(values, [](const auto& v) { return v.has_value(); });
    m_spark->setVisible(known > 1);
    m_spark->showValues(values, marked,
                        tr("J/token of %1 of this model in the list, oldest first")
                            .arg(countText(std::ssize(values))));

    HtmlPage page(previewUtf8(runTitle(run.info), kTitleBytes), HtmlPage::Charts::Image);
    page.paragraph(how.toStdString());
    addTexts(page, run.info, kMaxText, kMaxListedSequences);
    page.subheading(tr("Manifest").toStdString());
    page.table({}, manifestOf(run.info), true);
    m_text->document()->setDefaultStyleSheet(
        u"h1 { font-size: large; } h3 { font-size: medium; } td { padding-right: 8px; }"_s);
    // The values are longer than the names, so they get the room.
    m_text->setHtml(toQString(page.body()).replace(u"<tr><td>"_s, u"<tr><td width=\"34%\">"_s));
}

// Repeats of one setting have means, as their row has in the folded list; other runs have sums, and
// quotients of sums.
void RunSummaryPane::showSum(const std::vector<const RunSummary*>& selected)
{
    const energy::RunTotal all = energy::totalOf(selected);
    const std::vector<RepeatedRuns> repeats = foldRepeats(selected);
    const std::vector<ListGroup> origins = groupByOrigin(selected);
    const QString how = explainedEnergyLabel(commonSource(selected), all.energy.provenance);
    std::map<RunFigure, QString> values;
    std::map<RunFigure, QString> intervals;
    QString heading = tr("%1 together").arg(countText(all.runs));
    QString text;
    if (repeats.size() == 1 && !repeats.front().comparison) {
        const RepeatedRuns& mean = repeats.front();
        const auto put = [&](RunFigure figure, const energy::SampleStatistics& sample) {
            if (sample.n > 0)
                values[figure] = toQString(formatCell(figure, sample.mean));
            intervals[figure] = term(cellText(figure, sample));
        };
        put(RunFigure::Energy, mean.energy);
        put(RunFigure::JoulesPerToken, mean.perToken);
        put(RunFigure::JoulesPerTotalToken, mean.perTotalToken);
        put(RunFigure::TokensPerSecond, mean.rate);
        if (all.runs > 0)
            values[RunFigure::Duration] = durationText(all.energy.duration_ns / all.runs);
        heading = tr("Mean of %1").arg(countText(all.runs));
        text = tr("The runs are repeats of one setting: each figure is the mean of those that have "
                  "it. %1 tokens generated.")
                   .arg(toQString(tokensText(all.output_tokens)));
        if (const auto without = all.without_energy; without > 0)
            text += u' ' + tr("%1 without energy.").arg(countText(without));
    } else {
        if (origins.size() == 1) {
            const ListGroup& group = origins.front();
            values[RunFigure::Energy] = toQString(formatEnergy(all.energy));
            values[RunFigure::JoulesPerToken] = energyPerTokenText(all.per_output);
            values[RunFigure::JoulesPerTotalToken] = energyPerTokenText(all.per_total);
            values[RunFigure::TokensPerSecond] = numberText(group.rate);
        }
        values[RunFigure::Duration] = durationText(all.energy.duration_ns);
        text = tr("%1 tokens generated. Energy and duration are sums; energy per token is energy / "
                  "tokens.")
                   .arg(toQString(tokensText(all.output_tokens)));
        if (origins.size() > 1)
            text += u' '
                + tr("Energies of different origin are not added up: %1.").arg(sumText(selected));
        else if (const auto without = all.without_energy; without > 0)
            text +=
                u' ' + tr("%1 without energy: the sums are lower bounds.").arg(countText(without));
    }
    for (std::size_t i = 0; i < kKeyFigures.size(); ++i) {
        const auto value = values.find(kKeyFigures[i]);
        QStringList hint{intervals[kKeyFigures[i]], needsEnergy(kKeyFigures[i]) ? how : QString()};
        hint.removeAll(QString());
        m_cards->setValue(static_cast<int>(i),
                          value == values.end() ? missingText() : value->second, hint.join(u'\n'));
    }
    m_text->document()->setDefaultStyleSheet(u"h1 { font-size: large; }"_s);
    m_text->setHtml(u"<h1>"_s + heading + u"</h1><p>"_s + text + u"</p>"_s);
}

} // namespace ep::ui
