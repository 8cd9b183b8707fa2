// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/status_figures.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/theme.h"

#include <QLabel>
#include <QStatusBar>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QLabel* addLabel(QStatusBar& bar, const QString& id)
{
    auto* label = named(new QLabel(&bar), id);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(kGrid, 0, kGrid, 0);
    bar.addPermanentWidget(label);
    return label;
}

} // namespace

StatusFigures::StatusFigures(QStatusBar& bar)
    : QObject(&bar)
    , m_source(addLabel(bar, u"statusSource"_s))
    , m_sampling(addLabel(bar, u"statusSampling"_s))
    , m_rate(addLabel(bar, u"statusRate"_s))
    , m_energy(addLabel(bar, u"statusEnergy"_s))
{
    m_sampling->setToolTip(tr("Power readings per second: received of requested"));
    m_rate->setToolTip(tr("Decode phase only"));
    show({}, 100);
}

void StatusFigures::show(const LiveCounters& counters, int askedIntervalMs)
{
    const QString source = counters.started() ? sourceText(counters.source()) : missingText();
    m_source->setText(tr("Power: %1").arg(source));
    m_sampling->setText(counters.timingOnly() || !counters.samplesPerSecond()
                            ? tr("%1 readings/s").arg(missingText())
                            : tr("%1 of %2 readings/s")
                                  .arg(numberText(counters.samplesPerSecond()),
                                       numberText(1000.0 / askedIntervalMs)));
    m_rate->setText(tr("%1 tokens/s").arg(numberText(counters.tokensPerSecond())));
    const QString origin = powerOriginLabel(counters.source());
    const auto perToken = counters.joulesPerToken();
    const QString reservation = !perToken               ? QString()
        : !origin.isEmpty()                             ? QStringLiteral(" (%1)").arg(origin)
        : counters.provenance() == Provenance::Modelled ? tr(" (modelled)")
                                                        : QString();
    m_energy->setText(tr("%1 / token").arg(energyPerTokenText(perToken)) + reservation);
    m_energy->setToolTip(provenanceExplanation(counters.provenance()));
}

void StatusFigures::setVisible(bool visible)
{
    for (QLabel* label : {m_source, m_sampling, m_rate, m_energy})
        label->setVisible(visible);
}

} // namespace ep::ui
