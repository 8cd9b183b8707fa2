// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare_page.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

// Fills the page with a comparison.
namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::ComparisonWarning;
using energy::MetricCell;
using energy::Verdict;

QString meanText(RunFigure metric, const MetricCell& cell)
{
    const energy::SampleStatistics& s = cell.statistics;
    if (s.n == 0)
        return missingText();
    QString text = toQString(formatFigure(metric, s.mean));
    if (s.sd && s.mean != 0.0)
        text += translated(" (sd %1)").arg(toQString(formatPercent(*s.sd / std::abs(s.mean))));
    return text;
}

QString relativeText(const std::optional<energy::SideTest>& test)
{
    if (!test || !test->relative)
        return missingText();
    return toQString(withSign(formatPercent(*test->relative), *test->relative));
}

} // namespace

void ComparePage::fillWarnings()
{
    const Theme theme = Theme::fromPalette(palette());
    QString text;
    for (const ComparisonWarning& warning : m_comparison->warnings) {
        const bool serious = warning.weight == ComparisonWarning::Weight::Serious;
        const QColor colour = serious                              ? theme.error
            : warning.weight == ComparisonWarning::Weight::Caution ? theme.warning
                                                                   : theme.mutedText;
        const QString word = serious                               ? tr("Serious")
            : warning.weight == ComparisonWarning::Weight::Caution ? tr("Caution")
                                                                   : tr("Note");
        text += u"<div><span style='color:%1'><b>%2:</b></span> %3</div>"_s.arg(
            colour.name(), word, richText(term(warning.text)));
    }
    m_warnings->setText(text);
    fitWarnings();
}

// The answer first: which needs less, one sentence for each group.
void ComparePage::showVerdict()
{
    QStringList sentences;
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        if (g != m_comparison->options.baseline)
            sentences << term(answerOf(*m_comparison, g));
    }
    m_verdict->setText(sentences.join(u'\n'));
    m_verdict->setVisible(!sentences.isEmpty());
}

void ComparePage::fitWarnings()
{
    constexpr int kMaxLines = 4;
    const int most = kMaxLines * fontMetrics().height() + 12;
    const int needed =
        m_warnings->heightForWidth(width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_warningArea->setVisible(!m_warnings->text().isEmpty());
    m_warningArea->setFixedHeight(std::clamp(needed, 0, most));
}

// A saved chart states for each group its name, the origin of its joules, and its runs.
void ComparePage::labelCharts()
{
    constexpr qsizetype kIdCharacters = 8;
    QStringList lines;
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        const energy::GroupFacts& group = m_comparison->groups[g];
        QStringList runs;
        for (const std::string& id : group.ids)
            runs << toQString(id).left(kIdCharacters);
        lines << tr("%1 · %2 · energy %3 · runs %4")
                     .arg(toQString(group.label),
                          toQString((*m_groups)[g].runs.front().run->info.model.name),
                          energyLabel(group.source, group.provenance), runs.join(u", "_s));
    }
    for (SceneView* chart : {m_power, m_cumulative, m_layers, m_metricChart})
        setExportFacts(*chart, lines.join(u'\n'));
}

void ComparePage::fillTable()
{
    const energy::Comparison& all = *m_comparison;
    const Theme theme = Theme::fromPalette(palette());
    QStringList headings{tr("Figure")};
    for (std::size_t g = 0; g < all.groups.size(); ++g) {
        const energy::GroupFacts& group = all.groups[g];
        headings << tr("%1\n%2, %3")
                        .arg(toQString(group.label), countText(std::ssize(group.ids)),
                             energyLabel(group.source, group.provenance));
        if (g != all.options.baseline)
            headings << tr("Difference") << tr("Relative") << tr("Verdict");
    }
    m_table->clear();
    m_table->setColumnCount(static_cast<int>(headings.size()));
    m_table->setHorizontalHeaderLabels(headings);
    m_table->setRowCount(static_cast<int>(all.rows.size()));
    for (int r = 0; r < m_table->rowCount(); ++r) {
        const energy::MetricRow& row = all.rows[static_cast<std::size_t>(r)];
        int column = 0;
        const auto put = [&](const QString& text, const QString& tip, bool figure) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(tip);
            item->setTextAlignment((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            m_table->setItem(r, column++, item);
            return item;
        };
        put(term(title(row.metric)), {}, false);
        for (std::size_t g = 0; g < row.groups.size(); ++g) {
            const MetricCell& cell = row.groups[g];
            QString tip = provenanceLabel(cell.provenance);
            if (cell.statistics.ci95) {
                tip = tr("95 % interval of the mean: %1 to %2 (%3); %4")
                          .arg(toQString(formatFigure(row.metric, cell.statistics.ci95->low)),
                               toQString(formatFigure(row.metric, cell.statistics.ci95->high)),
                               term(cell.statistics.ci_method), tip);
            }
            put(meanText(row.metric, cell), tip, true);
            if (g == all.options.baseline)
                continue;
            const QString sentence = richText(term(sentenceOf(all, row, g)));
            put(cell.test ? toQString(formatFigure(row.metric, cell.test->difference, true))
                          : missingText(),
                sentence, true);
            put(relativeText(cell.test), sentence, true);
            auto* verdict = put(verdictText(cell.verdict), sentence, false);
            if (cell.verdict == Verdict::Better)
                verdict->setForeground(theme.success);
            else if (cell.verdict == Verdict::Worse)
                verdict->setForeground(theme.error);
            else if (cell.verdict != Verdict::Different)
                verdict->setForeground(theme.mutedText);
        }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setToolTip(headings[column]);
        if (headings[column] != tr("Figure") && headings[column] != tr("Verdict"))
            m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight
                                                                    | Qt::AlignVCenter);
    }
    showFigures();
    auto* header = m_table->horizontalHeader();
    // The style elides each of two lines; Qt would elide them as if they were one.
    header->setTextElideMode(Qt::ElideNone);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    constexpr int kMinCharacters = 10;
    header->setMinimumSectionSize(kMinCharacters * fontMetrics().averageCharWidth());
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    int column = 1;
    m_groupColumns.clear();
    for (std::size_t g = 0; g < all.groups.size(); ++g) {
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        m_groupColumns.push_back(column);
        column += g == all.options.baseline ? 1 : 4;
    }
    // Waits until the table is shown and laid out.
    QMetaObject::invokeMethod(this, &ComparePage::fitColumns, Qt::QueuedConnection);
}

void ComparePage::showFigures()
{
    for (int r = 0; m_comparison && r < m_table->rowCount(); ++r) {
        const RunFigure figure = m_comparison->rows[static_cast<std::size_t>(r)].metric;
        m_table->setRowHidden(
            r, !m_allFigures->isChecked() && figure != m_comparison->compared && !isTested(figure));
    }
}

// The groups share the room that the other columns leave. Their figures are shown in full; their
// headings may be longer than any figure, so they are truncated.
void ComparePage::fitColumns()
{
    if (m_groupColumns.empty())
        return;
    QHeaderView& header = *m_table->horizontalHeader();
    int room = m_table->viewport()->width();
    for (int column = 0; column < header.count(); ++column) {
        if (!std::ranges::count(m_groupColumns, column))
            room -= header.sectionSize(column);
    }
    const QAbstractItemView& cells = *m_table; // the table's own function is protected
    for (const int column : m_groupColumns)
        header.resizeSection(column,
                             std::max({cells.sizeHintForColumn(column), header.minimumSectionSize(),
                                       room / static_cast<int>(m_groupColumns.size())}));
}

void ComparePage::fillCombos()
{
    const int layerGroup = m_layerGroup->currentData().toInt();
    m_layerGroup->clear();
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        if (g != m_comparison->options.baseline)
            m_layerGroup->addItem(toQString(m_comparison->groups[g].label), static_cast<int>(g));
    }
    m_layerGroup->setCurrentIndex(std::max(0, m_layerGroup->findData(layerGroup)));
    const QSignalBlocker quiet(m_metric);
    const QVariant chosen = m_metric->currentData();
    m_metric->clear();
    for (const energy::MetricRow& row : m_comparison->rows)
        m_metric->addItem(term(title(row.metric)), int(row.metric));
    m_metric->setCurrentIndex(std::max(
        0, m_metric->findData(chosen.isValid() ? chosen : QVariant(int(m_comparison->compared)))));
}

void ComparePage::drawCharts()
{
    if (!m_comparison)
        return;
    const auto groups = m_groups;
    const auto comparison = m_comparison;
    const auto alignment = static_cast<PowerAlignment>(m_alignment->currentData().toInt());
    m_power->setBuilder([groups, comparison, alignment](double width, double height) {
        return powerOverlay(*groups, *comparison, alignment, {width, height});
    });
    m_cumulative->setBuilder([groups, comparison](double width, double height) {
        return cumulativeEnergy(*groups, *comparison, {width, height});
    });
    const auto group = static_cast<std::size_t>(m_layerGroup->currentData().toInt());
    const auto quantity = static_cast<NodeQuantity>(m_layerQuantity->currentData().toInt());
    m_layers->setBuilder([comparison, group, quantity](double width, double height) {
        return layerDifferences(*comparison, group, quantity, {width, height});
    });
}

void ComparePage::drawMetric()
{
    if (!m_comparison || m_metric->currentIndex() < 0)
        return;
    const auto comparison = m_comparison;
    const auto metric = static_cast<RunFigure>(m_metric->currentData().toInt());
    const auto groups = m_groups;
    m_metricChart->setBuilder([groups, comparison, metric](double width, double height) {
        return metric == RunFigure::JoulesPerToken
            ? energyDistributions(*groups, *comparison, {width, height}) // of one run: its tokens
            : metricDistributions(*comparison, metric, {width, height});
    });
    QStringList lines;
    if (const energy::MetricRow* row = comparison->row(metric)) {
        for (std::size_t g = 0; g < row->groups.size(); ++g) {
            const auto& test = row->groups[g].test;
            if (!test)
                continue;
            QString line = toQString(comparison->groups[g].label) + u": "_s
                + term(sentenceOf(*comparison, *row, g));
            if (!line.endsWith(u'.')) // its reason is a sentence already
                line += u'.';
            if (test->p) {
                line += u' ' + term(test->reason);
                if (test->hedges_g)
                    line +=
                        tr(" Hedges' g %1.").arg(toQString(formatSignificant(*test->hedges_g, 2)));
            }
            lines << line;
        }
    }
    m_metricText->setText(lines.join(u'\n'));
}

} // namespace ep::ui
