// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/sensor_card.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/chip.h"
#include "widgets/flow_layout.h"

#include "ep/core/format.h"
#include "ep/session/sensor_doctor.h"
#include "ep/ui/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString milliseconds(double value)
{
    return toQString(formatSignificant(value)) + u" ms"_s;
}

QString railsText(const std::vector<Rail>& rails)
{
    QStringList names;
    for (const Rail rail : rails)
        names << toQString(name(rail));
    return names.join(u", "_s);
}

QString delayText(const energy::Offset& offset)
{
    const auto ms = [](double value) { return milliseconds(value).toStdString(); };
    return milliseconds(toMilliseconds(offset.ns)) + u' '
        + toQString(formatInterval95(offset.sd_ns / 1e6, ms));
}

// Removes what the verdict above already says: what to choose instead.
QString withoutAdvice(const QString& explanation)
{
    const QString advice = SensorCard::tr("; choose another power source.");
    return explanation.endsWith(advice) ? explanation.chopped(advice.size()) + u'.' : explanation;
}

// Can be selected, since people copy commands and paths.
QLabel* paragraph(const QString& id, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(id);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

QString sensorTitle(const power::SourceReport& source)
{
    return term(source.title) + QStringLiteral(" (") + toQString(source.kind) + u')';
}

SensorCard::SensorCard(const session::SensorCheck& check, QWidget* parent)
    : QWidget(parent)
{
    const power::SourceReport& source = check.report;
    setObjectName(u"sensor-"_s + toQString(source.kind));
    setAccessibleName(sensorTitle(source));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGrid, 0, kGrid);
    column->setSpacing(kHalfGrid);
    column->addWidget(head(check));
    QString explanation = withoutAdvice(term(source.explanation));
    if (source.available && !source.gain.empty())
        explanation += u' ' + tr("Error of the gain: %1.").arg(term(source.gain));
    for (const auto& [id, text] : {std::pair{u"explanation"_s, explanation},
                                   {u"remedy"_s, term(source.remedy)},
                                   {u"problem"_s, term(check.problem)}}) {
        if (!text.isEmpty())
            column->addWidget(paragraph(id, text, this));
    }
    if (source.available)
        column->addWidget(facts(check));
}

QWidget* SensorCard::head(const session::SensorCheck& check)
{
    const bool works = check.report.available && check.problem.empty();
    auto* row = new QWidget(this);
    auto* name = new QLabel(sensorTitle(check.report), row);
    name->setObjectName(u"title"_s);
    setType(*name, TypeSize::Body, true);
    auto* state = new Chip(row);
    state->setObjectName(u"state"_s);
    state->showFact(works                        ? tr("available")
                        : check.report.available ? tr("delivers nothing")
                                                 : tr("not available"),
                    {},
                    works                        ? Chip::Tone::Good
                        : check.report.available ? Chip::Tone::Doubtful
                                                 : Chip::Tone::Plain);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(name);
    layout->addWidget(state);
    layout->addStretch();
    return row;
}

QWidget* SensorCard::facts(const session::SensorCheck& check)
{
    auto* row = new QWidget(this);
    auto* flow = new FlowLayout(row, 2 * kGrid);
    const auto add = [&](const QString& id, const QString& title, const QString& value) {
        if (value.isEmpty())
            return;
        auto* fact = new QWidget(row);
        auto* caption = new QLabel(title, fact);
        setType(*caption, TypeSize::Small);
        setMuted(*caption);
        auto* figure = new QLabel(value, fact);
        figure->setObjectName(id);
        figure->setAccessibleName(title);
        auto* column = new QVBoxLayout(fact);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(caption);
        column->addWidget(figure);
        flow->addWidget(fact);
    };
    const power::SourceReport& source = check.report;
    add(u"rails"_s, tr("Rails"), railsText(source.rails));
    add(u"resolution"_s, tr("Resolution"), term(source.resolution));
    if (!check.quality)
        return row;
    add(u"interval"_s, tr("Interval"), milliseconds(check.quality->median_interval_ms));
    add(u"idle"_s, tr("Idle"), powerText(check.idle_mw));
    add(u"load"_s, tr("Load"), powerText(check.load_mw));
    add(u"delay"_s, tr("Delay"), delayText(check.offset));
    add(u"agreement"_s, tr("Agreement"),
        check.agreement
            ? tr("%1 of %2")
                  .arg(toQString(formatPercent(*check.agreement)), toQString(check.reference))
            : missingText());
    return row;
}

} // namespace ep::ui
