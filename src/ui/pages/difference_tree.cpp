// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/difference_tree.h"

#include "report/report_charts.h"
#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/session/comparison.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::DifferenceNode;
using energy::NodeQuantity;
using energy::NodeTest;
using energy::NodeVerdict;

QString signedText(std::optional<double> mj)
{
    return mj ? toQString(withSign(formatEnergy(Millijoules{*mj}), *mj)) : missingText();
}

QString amountText(const DifferenceNode& node, std::size_t group, NodeQuantity quantity)
{
    if (quantity == NodeQuantity::Energy) {
        const auto& mj = node.energy_mj[group].mean;
        return energyText(mj ? std::optional(Millijoules{*mj}) : std::nullopt);
    }
    const auto& ms = node.time_ms[group].mean;
    return ms ? durationText(std::llround(*ms * 1e6)) : missingText();
}

QString percentText(const std::optional<double>& fraction)
{
    return fraction ? toQString(formatSignedPercent(*fraction)) : missingText();
}

QString probabilityText(const std::optional<double>& p)
{
    return p ? toQString(formatProbability(*p)) : missingText();
}

constexpr std::int64_t kMostRepeats = 1000; // more are impractical

// Adds how many repeats would be needed to show a difference that may be chance.
QString findingWithRepeats(const NodeTest& test)
{
    const QString finding = term(title(test.verdict));
    if (!test.repeats_needed)
        return finding;
    const bool atLeast = test.repeats_at_least || *test.repeats_needed > kMostRepeats;
    return (atLeast ? DifferenceTree::tr("%1 (≥ %2 repeats)")
                    : DifferenceTree::tr("%1 (about %2 repeats)"))
        .arg(finding)
        .arg(std::min(*test.repeats_needed, kMostRepeats));
}

QColor colourOf(NodeVerdict verdict, const Theme& theme)
{
    if (verdict == NodeVerdict::Lower)
        return theme.success;
    if (verdict == NodeVerdict::Higher)
        return theme.error;
    return theme.mutedText;
}

} // namespace

DifferenceTree::DifferenceTree(QWidget* parent)
    : QWidget(parent)
    , m_tree(
          named(new QTreeWidget(this), u"compareTree"_s, tr("Difference by part, layer and phase")))
    , m_explanation(wrapped(named(new QLabel(this), u"compareTreeExplanation"_s)))
{
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(false); // so that figures stay close together
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copy = named(new QPushButton(tr("Copy Table"), this), u"compareTreeCopy"_s);
    auto* toFile = named(new QPushButton(tr("Save as CSV…"), this), u"compareTreeSave"_s);
    connect(copy, &QPushButton::clicked, this, [this] {
        if (m_comparison)
            QGuiApplication::clipboard()->setText(toQString(session::treeToCsv(*m_comparison)));
    });
    connect(toFile, &QPushButton::clicked, this, &DifferenceTree::save);
    auto* below = inRow({{m_explanation, 1}, {copy, 0, Qt::AlignTop}, {toFile, 0, Qt::AlignTop}});
    flush(inColumn(this, {{m_tree, 1}, below}));
}

void DifferenceTree::setComparison(std::shared_ptr<const energy::Comparison> comparison)
{
    m_comparison = std::move(comparison);
    fill();
}

void DifferenceTree::fill()
{
    if (!m_comparison)
        return;
    const energy::Comparison& all = *m_comparison;
    const Theme theme = Theme::fromPalette(palette());
    const bool energy = all.tested == NodeQuantity::Energy;
    QStringList headings{tr("Node, %1").arg(term(title(all.options.normalisation)))};
    for (std::size_t g = 0; g < all.groups.size(); ++g) {
        const QString label = term(all.groups[g].label);
        headings << (energy ? tr("Energy\n%1") : tr("Time\n%1")).arg(label);
        if (g != all.options.baseline) {
            headings << tr("Difference") << tr("Relative") << tr("By power") << tr("By time")
                     << tr("p") << tr("Finding");
        }
    }
    m_tree->clear();
    m_tree->setColumnCount(static_cast<int>(headings.size()));
    m_tree->setHeaderLabels(headings);
    std::vector<QTreeWidgetItem*> items;
    for (const DifferenceNode& node : all.tree) {
        QTreeWidgetItem* parent =
            node.parent >= 0 ? items[static_cast<std::size_t>(node.parent)] : nullptr;
        auto* item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_tree);
        item->setText(0, toQString(titleOf(node)));
        int column = 1;
        bool found = false;
        for (std::size_t g = 0; g < all.groups.size(); ++g) {
            item->setText(column++, amountText(node, g, all.tested));
            if (g == all.options.baseline)
                continue;
            const NodeTest& test = node.tests[g];
            const auto& ms = node.time_ms[g].difference;
            const QString difference = energy ? signedText(node.energy_mj[g].difference)
                : ms                          ? durationText(std::llround(*ms * 1e6))
                                              : missingText();
            const QString sentence = richText(term(sentenceOf(all, node, g)));
            for (const QString& text :
                 {difference, percentText(test.relative), signedText(test.from_power_mj),
                  signedText(test.from_time_mj), probabilityText(test.p_adjusted),
                  findingWithRepeats(test)}) {
                item->setText(column, text);
                item->setToolTip(column, sentence);
                item->setForeground(column, colourOf(test.verdict, theme));
                ++column;
            }
            found = found || isFound(test.verdict);
        }
        for (int c = 1; c < m_tree->columnCount(); ++c) {
            const bool words = headings[c] == tr("Finding");
            item->setTextAlignment(c, (words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        }
        if (!found && node.depth > 0)
            item->setForeground(0, theme.mutedText);
        items.push_back(item);
    }
    if (!items.empty())
        items.front()->setExpanded(true);
    for (int c = 0; c < m_tree->columnCount(); ++c)
        m_tree->resizeColumnToContents(c);
    m_explanation->setText(term(explainTree(all)));
}

void DifferenceTree::save()
{
    if (!m_comparison)
        return;
    auto* dialog = makeFileDialog(this, tr("Save as CSV"), u"compareTreeDialog"_s);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"csv"_s);
    dialog->selectFile(u"differences.csv"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const auto csv = QByteArray::fromStdString(session::treeToCsv(*m_comparison));
        if (const auto problem = writeWhole(path, csv))
            m_explanation->setText(tr("%1 cannot be written: %2").arg(path, *problem));
    });
    dialog->open();
}

void DifferenceTree::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // the tree has colours of its own
        fill();
}

} // namespace ep::ui
