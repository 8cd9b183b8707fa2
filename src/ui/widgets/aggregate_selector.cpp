// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/aggregate_selector.h"

#include "text.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/energy/aggregate.h"

#include <QSignalBlocker>

#include <utility>

namespace ep::ui {

AggregateSelector::AggregateSelector(QWidget* parent)
    : QComboBox(parent)
{
    setObjectName(QStringLiteral("shownAggregate"));
    setAccessibleName(tr("What the charts show of the run"));
    setToolTip(tr("What heatmap, table, treemap, flow and figures show while no time is "
                  "selected: the sums of what was drawn, the median of the decoded tokens "
                  "that nothing disturbed, or the mean of the run's repeats"));
    connect(this, &QComboBox::currentIndexChanged, this, &AggregateSelector::follow);
    fill();
}

void AggregateSelector::setRun(const RunPtr& run)
{
    m_aggregating.drop();
    m_run = run;
    m_ledger.reset();
    m_repeats.clear();
    m_aggregate = {};
    m_wantsRepeats = m_asked = false;
    const QSignalBlocker quiet(this);
    clear();
    fill();
}

void AggregateSelector::setLedger(const std::shared_ptr<const energy::Ledger>& ledger)
{
    m_ledger = ledger;
    if (showsTypicalToken())
        follow();
}

AggregateSelector::Shown AggregateSelector::shown() const
{
    return static_cast<Shown>(currentData().toInt());
}

bool AggregateSelector::showsTypicalToken() const
{
    return shown() == Shown::TypicalToken;
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
    if (m_run && !typicalTokens(m_run->trace.tokens).empty())
        addItem(tr("Typical token"), static_cast<int>(Shown::TypicalToken));
    if (m_repeats.size() > 1)
        addItem(tr("Mean of %1 repeats").arg(m_repeats.size()), static_cast<int>(Shown::Repeats));
    choose(before);
    setVisible(count() > 1);
}

void AggregateSelector::setRepeats(const QStringList& ids)
{
    if (!m_run || ids == m_repeats)
        return;
    const Shown before = shown();
    m_repeats = ids;
    fill();
    if (m_wantsRepeats)
        showRepeats();
    else if (before == Shown::Repeats) // of others than before, or not possible any more
        follow();
}

void AggregateSelector::showRepeats()
{
    if (!m_run)
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
    m_aggregating.drop();
    m_aggregate = {};
    m_asked = false;
    if (!m_run)
        return;
    if (shown() == Shown::Repeats) {
        m_asked = true;
        Q_EMIT repeatsWanted(m_repeats);
    } else if (shown() == Shown::TypicalToken && m_ledger) {
        if (m_run->trace.components.empty() && m_run->info.depth != Depth::None) {
            m_asked = true;
            Q_EMIT typicalTokenWanted(m_ledger);
        } else {
            m_aggregating.start(
                [run = m_run]() -> ExcerptPtr {
                    auto typical = energy::typicalToken(*run);
                    return typical ? std::make_shared<const energy::Excerpt>(*std::move(typical))
                                   : nullptr;
                },
                [this](const ExcerptPtr& excerpt) { take(excerpt); });
        }
    }
    Q_EMIT aggregateChanged();
}

void AggregateSelector::setAggregate(const QString& run, const ExcerptPtr& excerpt)
{
    if (m_asked && m_run && run == toQString(m_run->info.id))
        take(excerpt);
}

void AggregateSelector::take(const ExcerptPtr& excerpt)
{
    m_aggregate = {currentText(), excerpt};
    Q_EMIT aggregateChanged();
}

} // namespace ep::ui
