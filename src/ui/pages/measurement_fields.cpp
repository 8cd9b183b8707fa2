// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/measurement_fields.h"

#include "widgets/assembly.h"

#include <QCheckBox>
#include <QFormLayout>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

MeasurementFields::MeasurementFields(QWidget* parent)
    : QWidget(parent)
{
    auto* baseline = m_boxes.make<DecimalBox>(this, u"baselineSeconds"_s, "baseline_seconds",
                                              tr("Seconds of idle power before the run"));
    auto* warmup =
        m_boxes.make<QSpinBox>(this, u"warmupTokens"_s, "warmup_tokens", tr("Warm-up tokens"));
    auto* repeat = m_boxes.make<QSpinBox>(this, u"repeatRuns"_s, "repeats", tr("Number of runs"));
    m_until = named(new QCheckBox(tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil), this),
                    u"untilKnown"_s);
    auto* coolDown = m_boxes.make<DecimalBox>(this, u"coolDownSeconds"_s, "cool_down_seconds",
                                              tr("Seconds between two runs"));
    baseline->setLeastDecimals(1);
    baseline->setSingleStep(1.0);
    baseline->setSpecialValueText(tr("none"));
    baseline->setToolTip(tr("Duration of the idle power measurement before the run; idle power "
                            "is subtracted for net energy"));
    warmup->setSpecialValueText(tr("none"));
    warmup->setToolTip(tr("Tokens to generate and discard before the run, so that caches and "
                          "clock frequencies settle"));
    repeat->setToolTip(tr("Repeats the run this many times, one after the other; statistics "
                          "need several"));
    m_until->setToolTip(tr("Repeat until the 95 % interval of the energy per token is within 2 % "
                           "of its mean, at most as often as above and for ten minutes"));
    m_until->setEnabled(false);
    coolDown->setLeastDecimals(1);
    coolDown->setSpecialValueText(tr("none"));
    coolDown->setToolTip(tr("Pause before every run except the first, so that the heat of one "
                            "run does not slow down the next"));
    coolDown->setEnabled(false);
    connect(repeat, &QSpinBox::valueChanged, this, [this, coolDown](int runs) {
        coolDown->setEnabled(runs > 1);
        m_until->setEnabled(runs >= session::kMinUntil);
        m_until->setText(runs >= session::kMinUntil
                             ? tr("Until ± 2 %")
                             : tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil));
    });
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Idle baseline"), baseline);
    form->addRow(tr("&Warm-up"), warmup);
    form->addRow(tr("Ru&ns"), repeat);
    form->addRow(QString(), m_until);
    form->addRow(tr("Pa&use between"), coolDown);
}

void MeasurementFields::readSettings(const Settings& settings)
{
    m_boxes.show(settings.run);
}

void MeasurementFields::writeSettings(Settings& settings) const
{
    m_boxes.read(settings.run);
}

std::optional<session::UntilKnown> MeasurementFields::until() const
{
    constexpr double kHalfWidth = 0.02;
    constexpr double kMaxSeconds = 600.0;
    if (!m_until->isEnabled() || !m_until->isChecked())
        return std::nullopt;
    return session::UntilKnown{.half_width = kHalfWidth, .most_seconds = kMaxSeconds};
}

} // namespace ep::ui
