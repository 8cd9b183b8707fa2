// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/measurement_fields.h"

#include "widgets/assembly.h"

#include <QCheckBox>
#include <QFormLayout>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

MeasurementFields::MeasurementFields(QWidget* parent)
    : QWidget(parent)
    , m_baseline(named(new QDoubleSpinBox(this), u"baselineSeconds"_s,
                       tr("Seconds of idle power before the run")))
    , m_warmup(named(new QSpinBox(this), u"warmupTokens"_s, tr("Warm-up tokens")))
    , m_repeat(named(new QSpinBox(this), u"repeatRuns"_s, tr("Number of runs")))
    , m_until(named(new QCheckBox(tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil), this),
                    u"untilKnown"_s))
    , m_coolDown(
          named(new QDoubleSpinBox(this), u"coolDownSeconds"_s, tr("Seconds between two runs")))
{
    m_boxes.add(*m_baseline, "baseline_seconds");
    m_baseline->setDecimals(1);
    m_baseline->setSingleStep(1.0);
    m_baseline->setSuffix(tr(" s"));
    m_baseline->setSpecialValueText(tr("none"));
    m_baseline->setToolTip(tr("Duration of the idle power measurement before the run; idle power "
                              "is subtracted for net energy"));
    m_boxes.add(*m_warmup, "warmup_tokens");
    m_boxes.add(*m_repeat, "repeats");
    m_warmup->setSpecialValueText(tr("none"));
    m_warmup->setToolTip(tr("Tokens to generate and discard before the run, so that caches and "
                            "clock frequencies settle"));
    m_repeat->setToolTip(tr("Repeats the run this many times, one after the other; statistics "
                            "need several"));
    m_until->setToolTip(tr("Repeat until the 95 % interval of the energy per token is within 2 % "
                           "of its mean, at most as often as above and for ten minutes"));
    m_until->setEnabled(false);
    m_boxes.add(*m_coolDown, "cool_down_seconds");
    m_coolDown->setDecimals(1);
    m_coolDown->setSuffix(tr(" s"));
    m_coolDown->setSpecialValueText(tr("none"));
    m_coolDown->setToolTip(tr("Pause before every run except the first, so that the heat of one "
                              "run does not slow down the next"));
    m_coolDown->setEnabled(false);
    connect(m_repeat, &QSpinBox::valueChanged, this, [this](int runs) {
        m_coolDown->setEnabled(runs > 1);
        m_until->setEnabled(runs >= session::kMinUntil);
        m_until->setText(runs >= session::kMinUntil
                             ? tr("Until ± 2 %")
                             : tr("Until ± 2 % (from %1 runs)").arg(session::kMinUntil));
    });
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Idle baseline"), m_baseline);
    form->addRow(tr("&Warm-up"), m_warmup);
    form->addRow(tr("Ru&ns"), m_repeat);
    form->addRow(QString(), m_until);
    form->addRow(tr("Pa&use between"), m_coolDown);
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
