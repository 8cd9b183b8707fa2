// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/pays_limit_fields.h"

#include "dialogs/study_choices.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/setting_range.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kLimitPercents = 100.0;

} // namespace

PaysLimitFields::PaysLimitFields(QWidget* parent)
    : QWidget(parent)
    , m_tokens(new QSpinBox(this))
    , m_smallest(new QDoubleSpinBox(this))
    , m_pairs(new QSpinBox(this))
    , m_minutes(new QDoubleSpinBox(this))
    , m_power(new QComboBox(this))
{
    const session::PaysSpec usual;
    m_tokens->setObjectName(u"paysTokens"_s);
    setRangeOf(*m_tokens, "max_new_tokens");
    m_tokens->setValue(usual.output_tokens);
    m_smallest->setObjectName(u"paysSmallest"_s);
    m_smallest->setRange(0.1, 90.0);
    m_smallest->setDecimals(1);
    m_smallest->setValue(usual.test.smallest_difference * kLimitPercents);
    m_smallest->setSuffix(tr(" %"));
    m_pairs->setObjectName(u"paysPairs"_s);
    m_pairs->setRange(3, 100'000);
    m_pairs->setValue(usual.most_pairs);
    m_minutes->setObjectName(u"paysMinutes"_s);
    m_minutes->setRange(0.1, 100'000.0);
    m_minutes->setDecimals(1);
    m_minutes->setValue(usual.most_minutes);
    m_minutes->setSuffix(tr(" min"));
    m_power->setObjectName(u"paysPower"_s);
    addPowerSources(*m_power, false); // a verdict needs energies

    auto* limits = new QHBoxLayout;
    auto* difference = new QHBoxLayout;
    const auto add = [this](QHBoxLayout& row, const QString& title, QWidget* field) {
        auto* label = new QLabel(title, this);
        label->setBuddy(field);
        row.addWidget(label);
        row.addWidget(field);
        row.addSpacing(kGrid);
    };
    add(*difference, tr("Differences up to"), m_smallest);
    difference->addWidget(new QLabel(tr("do not matter."), this));
    add(*limits, tr("At most pairs"), m_pairs);
    add(*limits, tr("or"), m_minutes);
    add(*limits, tr("Tokens to generate"), m_tokens);
    add(*limits, tr("Power source"), m_power);
    limits->addStretch();
    difference->addStretch();
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(difference);
    rows->addLayout(limits);
}

void PaysLimitFields::setRun(const session::RunRequest& run)
{
    m_tokens->setValue(run.max_new_tokens);
    m_power->setCurrentIndex(std::max(0, m_power->findData(toQString(run.power.kind))));
}

void PaysLimitFields::setTokensEnabled(bool enabled)
{
    m_tokens->setEnabled(enabled);
}

double PaysLimitFields::smallestDifference() const
{
    return m_smallest->value() / kLimitPercents;
}

void PaysLimitFields::write(session::PaysSpec& spec, bool tokens) const
{
    if (tokens)
        spec.output_tokens = m_tokens->value();
    spec.most_pairs = m_pairs->value();
    spec.most_minutes = m_minutes->value();
    spec.test.smallest_difference = smallestDifference();
    spec.power = m_power->currentData().toString().toStdString();
}

} // namespace ep::ui
