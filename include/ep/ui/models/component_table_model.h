// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/raw_sort_proxy.h"
#include "ep/viz/heatmap.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace ep::ui {

// The heatmap as a table: one row for each component over all layers, then one for each component
// of each layer. Time and energy are sums over all tokens, activation statistics are means (maximum
// for max). Raw values: ms, mJ, pure numbers.
class ComponentTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Layer, Part, Time, Energy, MeanAbs, Std, MaxAbs, Sparsity, ColumnCount };

    static constexpr int kAllLayers = -1; // layer number of a component's sum

    using QAbstractTableModel::QAbstractTableModel;

    void setComponents(const viz::HeatmapAccumulator& accumulated, const std::string& powerSource);
    std::optional<int> rowOf(int layer, Component component) const;
    int layerOf(int row) const { return m_rows[static_cast<std::size_t>(row)].layer; }
    Component componentOf(int row) const { return m_rows[static_cast<std::size_t>(row)].component; }

    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : ColumnCount;
    }
    QVariant data(const QModelIndex& index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

private:
    struct Row {
        int layer = 0;
        Component component = Component::InputLayernorm;
        std::optional<double> time_ms;
        std::optional<double> energy_mj;
        std::optional<double> mean_abs;
        std::optional<double> std;
        std::optional<double> max_abs;
        std::optional<double> sparsity;
    };
    void addWholeColumn(const viz::HeatmapData& time, const viz::HeatmapData& energy, int column);
    static const std::optional<double>& figure(const Row& row, int column);
    static QString display(const Row& row, int column);

    std::vector<Row> m_rows;
    Provenance m_energy = Provenance::Missing;
    std::string m_source;
};

} // namespace ep::ui
