// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

#include <QWidget>

#include <memory>

class QLabel;
class QTreeWidget;

namespace ep::ui {

// Compare > Tree: shows which parts differ, by how much, and whether that is more than chance.
class DifferenceTree : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceTree(QWidget* parent = nullptr);

    void setComparison(std::shared_ptr<const energy::Comparison> comparison);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void save(); // asks for the file

    std::shared_ptr<const energy::Comparison> m_comparison;
    QTreeWidget* m_tree;
    QLabel* m_explanation;
};

} // namespace ep::ui
