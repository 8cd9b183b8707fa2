// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/aggregate_selector.h"

#include "repository/run_document.h"
#include "text.h"

#include "ep/core/disturbed_tokens.h"

#include <QSignalBlocker>

namespace ep::ui {

AggregateSelector::AggregateSelector(RunDocument& document, QWidget* parent)
    : QComboBox(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("shownAggregate"));
    setAccessibleName(tr("What the charts show of the run"));
    setToolTip(tr("What heatmap, table, treemap, flow and figures show while no time is "
                  "selected: the sums of what was drawn, the median of the decoded tokens "
                  "that nothing disturbed, or the mean of the run's repeats"));
    connect(this, &QComboBox::currentIndexChanged, this, &AggregateSelector::follow);
    connect(&document, &RunDocument::aggregateChanged, this, &AggregateSelector::take);
    fill();
}

void AggregateSelector::reset()
{
    m_repeats.clear();
    m_aggregate = {};
    m_wantsRepeats = false;
    const QSignalBlocker quiet(this);
    clear();
    fill();
}

void AggregateSelector::followEnergy()
{
    if (showsTypicalToken())
        follow();
}

void AggregateSelector::choose(Shown shown)
{
    if (const int index = findData(static_cast<int>(shown)); index >= 0)
        setCurrentIndex(index);
}

void AggregateSelector::fill()
{
    const Shown before = shown();
    const QSignalBlocker quiet(this);
    clear();
    addItem(tr("Sums of the run"), static_cast<int>(Shown::Sums));
    if (const RunPtr& run = m_document.run(); run && !typicalTokens(run->trace.tokens).empty())
        addItem(tr("Typical token"), static_cast<int>(Shown::TypicalToken));
    if (m_repeats.size() > 1)
        addItem(tr("Mean of %1 repeats").arg(m_repeats.size()), static_cast<int>(Shown::Repeats));
    choose(before);
    setVisible(count() > 1);
}

void AggregateSelector::setRepeats(const QStringList& ids, int leftOut)
{
    setToolTip(leftOut > 0 ? tr("Left out of the mean: %1 that ended early, were interrupted or "
                                "have poor samples.")
                                 .arg(countText(leftOut))
                           : QString());
    if (!m_document.run() || ids == m_repeats)
        return;
    const Shown before = shown();
    m_repeats = ids;
    fill();
    if (m_wantsRepeats)
        showRepeats();
    else if (before == Shown::Repeats) // the repeats have changed, or there are none any more
        follow();
}

void AggregateSelector::showRepeats()
{
    if (!m_document.run())
        return;
    m_wantsRepeats = m_repeats.size() < 2;
    if (m_wantsRepeats)
        return;
    {
        const QSignalBlocker quiet(this);
        choose(Shown::Repeats);
    }
    follow();
}

void AggregateSelector::follow()
{
    m_document.dropAggregate();
    m_aggregate = {};
    if (!m_document.run())
        return;
    if (shown() == Shown::Repeats)
        m_document.wantMeanOfRepeats(m_repeats);
    else if (shown() == Shown::TypicalToken)
        m_document.wantTypicalToken();
    Q_EMIT aggregateChanged();
}

void AggregateSelector::take()
{
    m_aggregate = {currentText(), m_document.aggregate()};
    Q_EMIT aggregateChanged();
}

} // namespace ep::ui
