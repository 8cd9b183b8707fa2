// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/beside_view.h"

#include "text.h"
#include "theme/design.h"

#include "ep/core/format.h"
#include "ep/energy/insights.h"
#include "ep/energy/paired_runs.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kTextHeight = 14 * kGrid;

QString modelOf(const session::RunRequest& run)
{
    return run.server ? toQString(run.server->model) : pathText(run.load.folder.filename());
}

QString placeOf(const session::RunRequest& run)
{
    return run.server ? toQString(run.server->address) : pathText(run.load.folder.parent_path());
}

// What distinguishes the two: the format, the model or, if both models have the same name, their
// place.
QString nameOf(const session::RunRequest& run, const session::RunRequest& other)
{
    if (run.load.folder == other.load.folder && !run.server && !other.server)
        return run.load.dtype == "auto" ? BesideView::tr("as stored") : toQString(run.load.dtype);
    const QString model = modelOf(run);
    return model == modelOf(other) ? model + u" ("_s + placeOf(run) + u')' : model;
}

double meanOfKnown(const std::vector<std::optional<double>>& values, int& known)
{
    double sum = 0.0;
    known = 0;
    for (const auto& value : values) {
        sum += value.value_or(0.0);
        known += value ? 1 : 0;
    }
    return known > 0 ? sum / known : 0.0;
}

} // namespace

BesideView::BesideView(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_compare(new QPushButton(tr("Compare"), this))
{
    setObjectName(u"besideView"_s);
    m_sentence->setObjectName(u"besideSentence"_s);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setType(*m_sentence, TypeSize::Body, true);
    m_compare->setObjectName(u"besideCompare"_s);
    connect(m_compare, &QPushButton::clicked, this,
            [this] { Q_EMIT compareRequested(m_columns[0].ids + m_columns[1].ids); });
    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_columns[i] = buildColumn(u"beside%1"_s.arg(i));
        auto* column = new QVBoxLayout;
        column->setSpacing(kHalfGrid);
        auto* head = new QHBoxLayout;
        head->addWidget(m_columns[i].title);
        head->addWidget(m_columns[i].figures, 1);
        column->addLayout(head);
        column->addWidget(m_columns[i].text);
        columns->addLayout(column, 1);
    }
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_sentence, 1);
    foot->addWidget(m_compare);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(columns);
    layout->addLayout(foot);
    hide();
}

BesideView::Column BesideView::buildColumn(const QString& id)
{
    Column column;
    column.title = new QLabel(this);
    column.figures = new QLabel(this);
    column.text = new TokenStreamView(this);
    column.title->setObjectName(id + u"Title"_s);
    column.title->setTextFormat(Qt::PlainText);
    setType(*column.title, TypeSize::Body, true);
    column.figures->setObjectName(id + u"Figures"_s);
    column.figures->setTextFormat(Qt::PlainText);
    setMuted(*column.figures);
    column.text->setObjectName(id + u"Text"_s);
    column.text->setFixedHeight(kTextHeight);
    column.text->setEmptyText(tr("Waits for its turn."));
    return column;
}

void BesideView::begin(const session::RunRequest& first, const session::RunRequest& second)
{
    const std::array names{nameOf(first, second), nameOf(second, first)};
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        Column& column = m_columns[i];
        column.name = names[i];
        column.joules.clear();
        column.seconds.clear();
        column.ids.clear();
        column.text->clear();
        column.title->setText(column.name);
        column.text->setAccessibleName(tr("Answer with %1").arg(column.name));
        showFigures(column);
    }
    m_order.clear();
    m_compare->hide();
    m_sentence->setText(tr("Both answer in turns; the difference is known from three pairs on."));
    show();
}

void BesideView::enter(int column)
{
    if (isHidden())
        return;
    m_current = static_cast<std::size_t>(column);
    m_columns[m_current].text->clear();
}

void BesideView::append(const std::vector<session::TokenComplete>& tokens)
{
    if (isHidden())
        return;
    for (const session::TokenComplete& token : tokens)
        m_columns[m_current].text->append(token.token);
}

void BesideView::add(const RunPtr& run)
{
    if (isHidden())
        return;
    Column& column = m_columns[m_current];
    const bool complete = run->info.status == RunStatus::Complete;
    const auto& rate = run->metrics.tokens_per_second;
    m_order.push_back(m_current);
    column.joules.push_back(complete ? run->metrics.joules_per_token : std::nullopt);
    column.seconds.push_back(complete && rate && *rate > 0.0 ? std::optional(1.0 / *rate)
                                                             : std::nullopt);
    column.ids << toQString(run->info.id);
    column.text->setPowerSource(run->info.power.source);
    column.text->clear();
    for (const TokenSpan& token : run->trace.tokens) // with their final energies
        column.text->append(token);
    if (run->metrics.energy.total_mj)
        m_origin = term(energy::energyOrigin({run->info, run->metrics}));
    showFigures(column);
    showDifference();
}

void BesideView::finish()
{
    m_compare->setVisible(!m_columns[0].ids.isEmpty() && !m_columns[1].ids.isEmpty());
}

QString BesideView::sentence() const
{
    return m_sentence->text();
}

void BesideView::showFigures(Column& column)
{
    int withJoules = 0;
    int withTime = 0;
    const double joules = meanOfKnown(column.joules, withJoules);
    const double seconds = meanOfKnown(column.seconds, withTime);
    column.figures->setText(tr("%1/token · %2 tokens/s · %3")
                                .arg(withJoules > 0 ? energyPerTokenText(joules) : missingText(),
                                     withTime > 0 ? numberText(1.0 / seconds) : missingText(),
                                     countText(std::ssize(column.joules))));
}

energy::SideTest BesideView::test(RunFigure figure,
                                  std::vector<std::optional<double>> Column::*values) const
{
    const auto& first = m_columns[0].*values;
    const auto& second = m_columns[1].*values;
    energy::RunPairs pairs;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
        pairs.pairs.push_back(
            {.number = static_cast<int>(i) + 1,
             .a = i,
             .b = i,
             .order = m_order[2 * i] == 0 ? energy::PairOrder::AFirst : energy::PairOrder::BFirst});
    energy::SideValues sides =
        energy::sideValues(first.size(), second.size(), pairs,
                           [&](bool ofA, std::size_t i) { return (ofA ? first : second)[i]; });
    sides.figure = figure;
    return energy::testSides(sides);
}

// Shows joules, or seconds if there are none.
void BesideView::showDifference()
{
    const energy::SideTest ofEnergy = test(RunFigure::JoulesPerToken, &Column::joules);
    const bool energies = ofEnergy.pairs > 0;
    const energy::SideTest shown =
        energies ? ofEnergy : test(RunFigure::Duration, &Column::seconds);
    if (shown.pairs == 0)
        return;
    const QString sentence = term(energy::verdictSentence(shown, m_columns[0].name.toStdString(),
                                                          m_columns[1].name.toStdString()));
    m_sentence->setText(energies ? tr("%1 (%2)").arg(sentence, m_origin) : sentence);
}

} // namespace ep::ui
