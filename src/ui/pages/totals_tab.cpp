// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/totals_tab.h"

#include "report/report_charts.h"
#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/stated_tokens.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/viz/charts.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::RunTotal;
using energy::TotalsBy;

constexpr std::size_t kMaxTotalBars = 14; // latest days or months; otherwise largest totals

double millijoulesOf(const RunTotal& total)
{
    return total.energy.energy_mj ? total.energy.energy_mj->value : 0.0;
}

QString totalLabel(const RunTotal& total)
{
    const QString key = total.key.empty() ? translated("(no name)") : term(total.key);
    return total.kind == "measured" ? key : key + u" ("_s + term(total.kind) + u')';
}

viz::Scene totalsChart(const std::vector<RunTotal>& totals, TotalsBy by, double width,
                       double height)
{
    double largest = 0.0;
    for (const RunTotal& total : totals)
        largest = std::max(largest, millijoulesOf(total));
    viz::BarChart chart = energyBars({width, height}, said("Energy of the listed runs"),
                                     said("None of the listed runs has an energy."), largest);
    const bool latest = by == TotalsBy::Day || by == TotalsBy::Month;
    const std::size_t begin =
        latest && totals.size() > kMaxTotalBars ? totals.size() - kMaxTotalBars : 0;
    for (std::size_t i = begin; i < std::min(totals.size(), begin + kMaxTotalBars); ++i) {
        if (!totals[i].energy.energy_mj)
            continue;
        chart.bars.push_back({.label = totalLabel(totals[i]).toStdString(),
                              .value = millijoulesOf(totals[i]),
                              .text = formatEnergy(totals[i].energy),
                              .series = totals[i].kind == "measured" ? 0U : 1U});
    }
    return viz::layoutBars(chart);
}

QString nameOf(TotalsBy by)
{
    switch (by) {
    case TotalsBy::Day:
        break;
    case TotalsBy::Month:
        return TotalsTab::tr("Month");
    case TotalsBy::Model:
        return TotalsTab::tr("Model");
    case TotalsBy::Server:
        return TotalsTab::tr("Server");
    }
    return TotalsTab::tr("Day");
}

} // namespace

TotalsTab::TotalsTab(QWidget* parent)
    : DrawnWhenSeen(parent)
    , m_by(named(new QComboBox(this), u"totalsBy"_s, tr("Totals by")))
    , m_chart(named(new SceneView(this), u"totalsChart"_s, tr("Energy of the listed runs")))
    , m_table(named(new QTableWidget(this), u"totalsTable"_s, tr("Totals of the listed runs")))
    , m_million(wrapped(named(new QLabel(this), u"totalsMillion"_s)))
{
    setObjectName(u"totalsTab"_s);
    const std::array choices{
        std::pair{tr("By day"), TotalsBy::Day}, std::pair{tr("By month"), TotalsBy::Month},
        std::pair{tr("By model"), TotalsBy::Model}, std::pair{tr("By server"), TotalsBy::Server}};
    for (const auto& [title, by] : choices)
        m_by->addItem(title, static_cast<int>(by));
    addExportActions(*m_chart, u"totals"_s);
    const QStringList titles{tr("Day"), // replaced by show()
                             tr("Energies"),
                             tr("Runs"),
                             tr("In"),
                             tr("Out"),
                             tr("Energy"),
                             tr("Cost"),
                             tr("CO₂"),
                             energyPerTokenTitle(),
                             term(heading(RunFigure::JoulesPerTotalToken))};
    m_table->setColumnCount(static_cast<int>(titles.size()));
    m_table->setHorizontalHeaderLabels(titles);
    prepareTable(*m_table);
    m_table->setAlternatingRowColors(true);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_million->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = inRow({m_by, Stretch{}});
    inColumn(this, {row, {m_chart, 1}, {m_table, 1}, m_million});
    connect(m_by, &QComboBox::currentIndexChanged, this, &TotalsTab::draw);
}

void TotalsTab::setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown)
{
    m_runs = runs;
    m_shown = shown;
    contentChanged();
}

void TotalsTab::setTariff(const energy::Tariff& tariff)
{
    m_tariff = tariff;
    contentChanged();
}

void TotalsTab::draw()
{
    const auto by = static_cast<TotalsBy>(m_by->currentData().toInt());
    m_adding.start([keep = m_runs, runs = m_shown, by] { return energy::totalsOf(runs, by); },
                   [this](std::vector<RunTotal> totals) { show(std::move(totals)); });
}

void TotalsTab::show(std::vector<RunTotal> totals)
{
    const auto by = static_cast<TotalsBy>(m_by->currentData().toInt());
    m_table->horizontalHeaderItem(0)->setText(nameOf(by));
    m_table->setRowCount(static_cast<int>(totals.size()));
    QStringList sentences;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const RunTotal& total = totals[static_cast<std::size_t>(row)];
        const auto energy = total.energy.energy_mj;
        const QStringList cells{
            total.key.empty() ? translated("(no name)") : term(total.key),
            term(total.kind),
            QString::number(total.runs),
            toQString(tokensText(total.input_tokens)),
            toQString(tokensText(total.output_tokens)),
            toQString(formatEnergy(total.energy)),
            energy ? toQString(formatMoney(energy::costUsd(*energy, m_tariff))) : missingText(),
            energy ? toQString(formatMass(energy::emittedGrams(*energy, m_tariff))) : missingText(),
            energyPerTokenText(total.per_output),
            energyPerTokenText(total.per_total)};
        constexpr int kFirstNumber = 2;
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip(richText(cells[column]));
            if (column >= kFirstNumber)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
        if (by == TotalsBy::Model) {
            if (const auto sentence = energy::millionTokensSentence(total, m_tariff);
                !sentence.empty())
                sentences << term(sentence);
        }
    }
    m_table->resizeColumnsToContents();
    m_million->setText(sentences.join(u'\n'));
    m_million->setVisible(!sentences.isEmpty());
    m_chart->setBuilder([totals = std::move(totals), by](double width, double height) {
        return totalsChart(totals, by, width, height);
    });
}

} // namespace ep::ui
