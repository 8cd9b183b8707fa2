// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/component_table_model.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <array>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

void ComponentTableModel::setComponents(const viz::HeatmapAccumulator& accumulated,
                                        const std::string& powerSource)
{
    using viz::CellReduction;
    using viz::HeatmapMetric;
    const auto of = [&](HeatmapMetric metric, CellReduction reduction) {
        return accumulated.data(metric, reduction);
    };
    const viz::HeatmapData time = of(HeatmapMetric::TimeMs, CellReduction::Sum);
    const viz::HeatmapData energy = of(HeatmapMetric::EnergyMj, CellReduction::Sum);
    const viz::HeatmapData meanAbs = of(HeatmapMetric::ActivationMean, CellReduction::Mean);
    const viz::HeatmapData deviation = of(HeatmapMetric::ActivationStd, CellReduction::Mean);
    const viz::HeatmapData maxAbs = of(HeatmapMetric::ActivationMax, CellReduction::Mean);
    const viz::HeatmapData sparsity = of(HeatmapMetric::Sparsity, CellReduction::Mean);

    beginResetModel();
    m_rows.clear();
    m_energy = energy.provenance;
    m_source = powerSource;
    const int columns = static_cast<int>(time.components.size());
    for (int column = 0; column < columns && time.layers > 1; ++column)
        addWholeColumn(time, energy, column);
    for (int layer = 0; layer < time.layers; ++layer) {
        for (int column = 0; column < columns; ++column) {
            if (!time.at(layer, column))
                continue;
            m_rows.push_back({.layer = layer,
                              .component = time.components[static_cast<std::size_t>(column)],
                              .time_ms = time.at(layer, column),
                              .energy_mj = energy.at(layer, column),
                              .mean_abs = meanAbs.at(layer, column),
                              .std = deviation.at(layer, column),
                              .max_abs = maxAbs.at(layer, column),
                              .sparsity = sparsity.at(layer, column)});
        }
    }
    endResetModel();
}

// Adds a component over all layers: a sum, which is missing as soon as one layer's is.
void ComponentTableModel::addWholeColumn(const viz::HeatmapData& time,
                                         const viz::HeatmapData& energy, int column)
{
    Row row;
    row.layer = kAllLayers;
    row.component = time.components[static_cast<std::size_t>(column)];
    for (int layer = 0; layer < time.layers; ++layer) {
        const auto own = time.at(layer, column);
        if (!own)
            continue; // the layer has no such component
        const auto joules = energy.at(layer, column);
        const bool first = !row.time_ms;
        row.time_ms = row.time_ms.value_or(0.0) + *own;
        if (first)
            row.energy_mj = joules;
        else if (row.energy_mj)
            row.energy_mj = joules ? std::optional(*row.energy_mj + *joules) : std::nullopt;
    }
    if (row.time_ms)
        m_rows.push_back(row);
}

std::optional<int> ComponentTableModel::rowOf(int layer, Component component) const
{
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].layer == layer && m_rows[row].component == component)
            return static_cast<int>(row);
    }
    return std::nullopt;
}

const std::optional<double>& ComponentTableModel::figure(const Row& row, int column)
{
    static const std::optional<double> none;
    switch (column) {
    case Time:
        return row.time_ms;
    case Energy:
        return row.energy_mj;
    case MeanAbs:
        return row.mean_abs;
    case Std:
        return row.std;
    case MaxAbs:
        return row.max_abs;
    case Sparsity:
        return row.sparsity;
    default:
        return none;
    }
}

QString ComponentTableModel::display(const Row& row, int column)
{
    if (column == Layer)
        return row.layer == kAllLayers ? tr("all") : QString::number(row.layer);
    if (column == Part)
        return term(viz::title(row.component));
    const std::optional<double>& value = figure(row, column);
    if (!value)
        return missingText();
    switch (column) {
    case Time:
        return durationText(std::llround(*value * 1e6));
    case Energy:
        return energyText(Millijoules{*value});
    case Sparsity:
        return toQString(formatPercent(*value));
    default:
        return numberText(value);
    }
}

QVariant ComponentTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (column == Part ? Qt::AlignLeft : Qt::AlignRight)));
    case Qt::ToolTipRole:
        return column == Energy ? QVariant(explainedEnergyLabel(m_source, m_energy)) : QVariant();
    case kRawRole:
        if (column == Layer)
            return row.layer;
        if (column == Part)
            return static_cast<int>(row.component); // the order of the forward pass
        if (const auto& value = figure(row, column))
            return *value;
        return {};
    default:
        return {};
    }
}

QVariant ComponentTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (section == Part ? Qt::AlignLeft : Qt::AlignRight)));
    }
    struct Heading {
        QString title{};
        QString toolTip{};
    };
    const std::array<Heading, ColumnCount> headings{{
        {tr("Layer"), {}},
        {tr("Component"), {}},
        {tr("Time"), tr("Time in this component, summed over all tokens")},
        {tr("Energy"), tr("Energy of this component, summed over all tokens")},
        {tr("Mean |x|"), tr("Mean of the absolute output values, averaged over tokens")},
        {tr("Std"), tr("Standard deviation of the output values, averaged over tokens")},
        {tr("Max |x|"), tr("Largest absolute output value over all tokens")},
        {tr("Sparsity"), tr("Share of output values close to zero, averaged over tokens")},
    }};
    const Heading& heading = headings.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole)
        return heading.title;
    if (role == Qt::ToolTipRole && !heading.toolTip.isEmpty())
        return heading.toolTip;
    return {};
}

} // namespace ep::ui
