// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/token_stream_view.h"

#include "chart_paint.h"

#include "ep/core/answer_sections.h"
#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ep::ui {
namespace {

// Text of a chip: spaces are kept, invisible characters get a symbol.
QString visibleText(const std::string& text)
{
    if (text.empty())
        return QStringLiteral("·"); // part of a character, or a control token
    QString shown = toQString(text);
    shown.replace(QLatin1Char('\n'), QChar(0x21B5));
    shown.replace(QLatin1Char('\t'), QChar(0x2192));
    shown.replace(QLatin1Char('\r'), QChar(0x2190));
    return shown;
}

viz::TextDirection directionOf(const QString& text)
{
    for (const QChar c : text) {
        if (c.direction() == QChar::DirL)
            return viz::TextDirection::LeftToRight;
        if (c.direction() == QChar::DirR || c.direction() == QChar::DirAL)
            return viz::TextDirection::RightToLeft;
    }
    return viz::TextDirection::Neutral;
}

} // namespace

TokenStreamView::TokenStreamView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_theme(Theme::fromPalette(palette()))
    , m_emptyText(tr("Tokens appear here as the model produces them."))
    , m_repaint(kLiveIntervalMs, [this] { viewport()->update(); })
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Stream of generated tokens"));
    setAccessibleDescription(m_emptyText);
    addExportActions(*this, QStringLiteral("tokens"));
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        m_follow = verticalScrollBar()->sliderPosition() >= verticalScrollBar()->maximum();
    });
    relayout();
}

void TokenStreamView::clear()
{
    m_tokens.clear();
    m_flow.clear();
    m_at = {};
    m_scaled.clear();
    forgetScale();
    m_withEnergy = 0;
    m_sequencesAtOnce = 1;
    m_drafts = false;
    m_worst = Provenance::Measured;
    m_follow = true;
    updateScrollBar();
    updateDescription();
    viewport()->update();
}

void TokenStreamView::append(const TokenSpan& token, std::string_view section)
{
    addChip(token, token.phase == Phase::Decode ? section : std::string_view());
    updateScrollBar();
    updateDescription();
    m_repaint.request();
}

void TokenStreamView::setRun(RunPtr run)
{
    clear();
    if (!run)
        return;
    m_source = run->info.power.source;
    m_tokens.reserve(run->trace.tokens.size());
    const AnswerSections answer(run->info);
    for (const TokenSpan& token : run->trace.tokens)
        addChip(token, answer.nameFor(token));
    m_follow = false; // a finished text is read from the start
    updateScrollBar();
    updateDescription();
    viewport()->update();
}

void TokenStreamView::setPowerSource(const std::string& source)
{
    m_source = source;
    viewport()->update();
}

void TokenStreamView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    updateDescription();
    viewport()->update();
}

void TokenStreamView::addChip(const TokenSpan& token, std::string_view section)
{
    Chip chip{token, visibleText(token.text), section};
    const QFontMetricsF metrics(font());
    const bool breakAfter = token.text.find('\n') != std::string::npos;
    m_flow.append(std::ceil(metrics.horizontalAdvance(chip.text)) + 2.0 * kPadding, breakAfter,
                  directionOf(chip.text));
    m_sequencesAtOnce = std::max(m_sequencesAtOnce, static_cast<int>(token.sequences));
    m_drafts = m_drafts || token.drafted.has_value();
    if (token.energy.total_mj) {
        if (m_withEnergy++ == 0) {
            // So far, colours showed time; from the first energy on, they show energy.
            m_scaled.clear();
        }
        m_worst = std::max(m_worst, token.energy.provenance);
    }
    const auto value = colourValue(token);
    if (value && token.phase != Phase::Prefill) {
        m_scaled.push_back(*value);
        forgetScale();
    }
    m_tokens.push_back(std::move(chip));
}

std::optional<double> TokenStreamView::colourValue(const TokenSpan& token) const
{
    if (!colouredByEnergy())
        return toMilliseconds(token.time.duration_ns());
    return token.energy.total_mj ? std::optional(token.energy.total_mj->value) : std::nullopt;
}

void TokenStreamView::shareScale(TokenStreamView& other)
{
    m_other = &other;
    other.m_other = this;
    forgetScale();
}

void TokenStreamView::forgetScale()
{
    m_scale.reset();
    if (m_other) {
        m_other->m_scale.reset();
        m_other->m_repaint.request();
    }
}

const TokenStreamView::Scale& TokenStreamView::scale() const
{
    if (!m_scale && !m_scaled.empty()) {
        std::vector<double> all = m_scaled;
        // Times and energies have no common scale.
        if (m_other && m_other->colouredByEnergy() == colouredByEnergy())
            all.insert(all.end(), m_other->m_scaled.begin(), m_other->m_scaled.end());
        const auto [least, most] = std::minmax_element(all.begin(), all.end());
        const double top = viz::scaleTop(all);
        m_scale = {.low = *least, .high = top, .exceeded = *most > top};
    }
    static const Scale none;
    return m_scale ? *m_scale : none;
}

double TokenStreamView::fraction(const TokenSpan& token) const
{
    if (m_scaled.empty()) // there is only the prefill
        return 1.0;
    const double value = colourValue(token).value_or(0.0);
    const auto& [low, high, exceeded] = scale();
    return high > low ? (value - low) / (high - low) : (value > high ? 1.0 : 0.5);
}

void TokenStreamView::setCurrent(int index)
{
    if (index < 0 || index >= count() || index == current())
        return;
    m_at.current = static_cast<std::size_t>(index);
    const viz::Rect chip = m_flow.chip(*m_at.current);
    QScrollBar* bar = verticalScrollBar();
    const double visible =
        viewport()->height() - scaleLegendHeight(QFontMetricsF(font()), viewport()->width());
    if (chip.y < bar->value())
        bar->setValue(static_cast<int>(chip.y - kMargin));
    else if (chip.bottom() > bar->value() + visible)
        bar->setValue(static_cast<int>(std::ceil(chip.bottom() + kMargin - visible)));
    m_follow = bar->value() >= bar->maximum();
    updateDescription();
    viewport()->update();
    Q_EMIT currentChanged(index);
}

QRect TokenStreamView::chipRect(int index) const
{
    return toRectF(m_flow.chip(static_cast<std::size_t>(index)))
        .translated(0.0, -verticalScrollBar()->value())
        .toAlignedRect();
}

void TokenStreamView::relayout()
{
    const QFontMetricsF metrics(font());
    const double row = std::max(24.0, std::ceil(metrics.height() + 8.0));
    m_flow.setMetrics(viewport()->width(), row, kSpacing, kMargin);
    updateScrollBar();
}

void TokenStreamView::updateScrollBar()
{
    const QFontMetricsF metrics(font());
    const int visible =
        viewport()->height() - static_cast<int>(scaleLegendHeight(metrics, viewport()->width()));
    QScrollBar* bar = verticalScrollBar();
    bar->setPageStep(std::max(1, visible));
    bar->setSingleStep(static_cast<int>(metrics.height()) + 8);
    bar->setRange(0, std::max(0, static_cast<int>(std::ceil(m_flow.height())) - visible));
    if (m_follow)
        bar->setValue(bar->maximum());
}

std::optional<std::size_t> TokenStreamView::hitAt(const QPoint& position) const
{
    if (position.y()
        >= viewport()->height() - scaleLegendHeight(QFontMetricsF(font()), viewport()->width()))
        return std::nullopt;
    return m_flow.hit({position.x() + 0.5, position.y() + 0.5 + verticalScrollBar()->value()});
}

bool TokenStreamView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto token = hitAt(help->pos()))
            QToolTip::showText(help->globalPos(), describe(static_cast<int>(*token)), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenStreamView::setController(SelectionController* controller)
{
    if (m_controller)
        m_controller->disconnect(this);
    m_controller = controller;
    if (!controller)
        return;
    connect(controller, &SelectionController::selectionChanged, this,
            &TokenStreamView::followSelection);
    connect(controller, &SelectionController::answerEndChanged, this,
            [this] { viewport()->update(); });
    connect(controller, &SelectionController::searchChanged, this,
            [this] { viewport()->update(); });
    followSelection();
}

bool TokenStreamView::matches(const Chip& chip) const
{
    if (!m_controller || m_controller->searchText().isEmpty())
        return true;
    return toQString(chip.token.text).contains(m_controller->searchText(), Qt::CaseInsensitive);
}

// Tokens are sorted by index.
void TokenStreamView::followSelection()
{
    if (const auto token = m_controller->token()) {
        if (*token != current())
            setCurrent(*token);
    } else if (const auto& tokens = m_controller->selection().tokens;
               !tokens || (m_at.current && !tokens->contains(current()))) {
        m_at.current.reset();
        updateDescription();
    }
    viewport()->update();
}

void TokenStreamView::choose(std::size_t index, bool extend)
{
    const auto at = static_cast<int>(index);
    const int from = m_controller && m_controller->selection().tokens
        ? m_controller->selection().tokens->first
        : current();
    setCurrent(at);
    if (!m_controller)
        return;
    if (extend && from >= 0)
        m_controller->selectTokens(viz::TokenRange{std::min(from, at), std::max(from, at) + 1});
    else
        m_controller->selectToken(at);
}

void TokenStreamView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TokenStreamView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        m_theme = Theme::fromPalette(palette());
    if (event->type() == QEvent::FontChange) {
        std::vector<Chip> tokens = std::move(m_tokens);
        const auto cursor = m_at.current;
        clear();
        relayout();
        for (const Chip& chip : tokens)
            addChip(chip.token, chip.section);
        m_at.current = cursor;
        updateScrollBar();
    }
    viewport()->update();
}

void TokenStreamView::mousePressEvent(QMouseEvent* event)
{
    m_at.press(*event, hitAt(event->position().toPoint()));
}

void TokenStreamView::mouseReleaseEvent(QMouseEvent* event)
{
    if (const auto clicked = m_at.release(*event, hitAt(event->position().toPoint())))
        activate(*clicked, event->modifiers().testFlag(Qt::ShiftModifier));
}

void TokenStreamView::activate(std::size_t index, bool extend)
{
    choose(index, extend);
    if (m_controller)
        m_controller->pin(detailsOf(index));
    Q_EMIT tokenActivated(static_cast<int>(index));
}

void TokenStreamView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const std::size_t at = m_at.current.value_or(0);
    auto next = m_at.moved(key, m_tokens.size());
    if (next && (key == Qt::Key_PageUp || key == Qt::Key_PageDown))
        next.reset(); // these scroll
    else if (next && (key == Qt::Key_Up || key == Qt::Key_Down))
        next = (key == Qt::Key_Up ? m_flow.above(at) : m_flow.below(at)).value_or(at);
    if (next)
        choose(*next, event->modifiers().testFlag(Qt::ShiftModifier));
    else if (!m_tokens.empty() && (key == Qt::Key_Return || key == Qt::Key_Enter))
        activate(at, false);
    else if (m_tokens.empty() || !m_controller || !handleChartKey(*event, *m_controller))
        QAbstractScrollArea::keyPressEvent(event);
}

void TokenStreamView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const bool exporting = isBeingExported(*this);
    painter.setFont(font());
    const QRect area = viewport()->rect();
    painter.fillRect(area, m_theme.surface);
    if (m_tokens.empty()) {
        paintEmpty(painter, area, m_theme, m_emptyText);
    } else {
        const int legend =
            static_cast<int>(scaleLegendHeight(QFontMetricsF(font()), viewport()->width()));
        const QRect text = area.adjusted(0, 0, 0, -legend);
        const double top = verticalScrollBar()->value();
        painter.save();
        painter.setClipRect(text);
        painter.translate(0.0, -top);
        painter.setLayoutDirection(Qt::LayoutDirectionAuto);
        const auto [first, last] = m_flow.visible(top, top + text.height());
        for (std::size_t i = first; i < last; ++i)
            paintChip(painter, i, exporting);
        painter.restore();
        paintLegend(painter, QRect(text.left(), text.bottom() + 1, text.width(), legend));
    }
    if (hasFocus() && !exporting)
        paintFocusRing(painter, area, m_theme);
}

void TokenStreamView::paintChip(QPainter& painter, std::size_t index, bool exporting) const
{
    const Chip& chip = m_tokens[index];
    const QRectF rect = toRectF(m_flow.chip(index));
    if (colourValue(chip.token)) {
        const QColor fill = m_theme.scale(fraction(chip.token));
        painter.fillRect(rect, fill);
        painter.setPen(m_theme.textOn(fill));
    } else {
        // The hatching is below the line of text, so that it stays readable.
        paintMissing(painter, QRectF(rect.left(), rect.bottom() - 4.0, rect.width(), 4.0), m_theme);
        painter.setPen(m_theme.text);
    }
    paintElided(painter, rect.adjusted(kPadding, 0.0, 1.0, 0.0),
                Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter, chip.text);
    if (chip.section == kThinkingSection) // a bar above the text, joined to the next token's bar
        painter.fillRect(QRectF(rect.left(), rect.top() - 2.0, rect.width() + kSpacing, 2.0),
                         m_theme.mutedText);
    if (isAfterAnswer(chip.token)) {
        painter.setPen(QPen(m_theme.warning, 1.5));
        painter.drawLine(rect.topLeft() + QPointF(0.0, 1.0), rect.topRight() + QPointF(0.0, 1.0));
        painter.drawLine(rect.bottomLeft(), rect.topRight());
    }
    if (!matches(chip))
        paintVeil(painter, rect, m_theme);
    if (exporting)
        return;
    const auto& chosen =
        m_controller ? m_controller->selection().tokens : std::optional<viz::TokenRange>();
    painter.setBrush(Qt::NoBrush);
    if (index == m_at.current) {
        painter.setPen(QPen(m_theme.focus, 2.0));
        painter.drawRect(rect);
    } else if (chosen && chosen->contains(chip.token.index)) {
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 2.0, rect.width() + kSpacing, 2.0),
                         m_theme.focus);
    }
}

bool TokenStreamView::isAfterAnswer(const TokenSpan& token) const
{
    return m_controller && m_controller->answerEnd() && token.index >= *m_controller->answerEnd();
}

void TokenStreamView::paintLegend(QPainter& painter, const QRect& area) const
{
    painter.fillRect(area, m_theme.surface);
    painter.setPen(QPen(m_theme.grid, 1.0));
    painter.drawLine(area.topLeft(), area.topRight());
    viz::ScaleLegend legend;
    const bool energy = colouredByEnergy();
    const auto shown = [energy](double value) {
        return energy ? formatEnergy(Millijoules{value})
                      : formatDuration(std::llround(value * 1e6));
    };
    if (!m_scaled.empty()) {
        const auto& [low, high, exceeded] = scale();
        legend.low = shown(low);
        legend.high = (exceeded ? "≥ " : "") + shown(high);
    }
    if (energy) {
        if (m_withEnergy < count())
            legend.missing = provenanceLabel(Provenance::Missing).toStdString();
        legend.provenance = m_worst;
        const QString how = energyLabel(m_source, m_worst);
        const QString caption = m_sequencesAtOnce == 1 ? tr("Energy per token · %1")
            : m_drafts ? tr("Energy per step of up to %1 tokens · %2").arg(m_sequencesAtOnce)
                       : tr("Energy per step of %1 sequences · %2").arg(m_sequencesAtOnce);
        legend.caption = caption.arg(how).toStdString();
    } else {
        legend.caption = tr("Time per token · no energy recorded").toStdString();
    }
    paintScaleLegend(painter, QRectF(area).adjusted(kMargin, 1.0, -kMargin, 0.0), m_theme, legend);
}

// Texts about a token: its description, its details, and its row in the table.

QString TokenStreamView::describe(int index) const
{
    const TokenSpan& token = m_tokens[static_cast<std::size_t>(index)].token;
    QString text =
        tr("Token %1 “%2”, id %3\nTime: %4")
            .arg(QString::number(token.index), m_tokens[static_cast<std::size_t>(index)].text,
                 QString::number(token.id), toQString(formatDuration(token.time.duration_ns())));
    if (token.phase == Phase::Prefill)
        text += tr(" (prefill of the whole prompt)");
    if (const auto section = m_tokens[static_cast<std::size_t>(index)].section; !section.empty())
        text += u'\n' + term(section);
    if (isAfterAnswer(token))
        text += tr("\nAfter the answer was complete");
    text += tr("\nEnergy: %1 (%2)")
                .arg(toQString(formatEnergy(token.energy.total_mj)),
                     energyLabel(m_source,
                                 token.energy.total_mj ? token.energy.provenance
                                                       : Provenance::Missing));
    if (token.probability)
        text += tr("\nProbability: %1")
                    .arg(toQString(formatPercent(static_cast<double>(*token.probability))));
    return text;
}

void TokenStreamView::updateDescription()
{
    if (m_at.current)
        setAccessibleDescription(describe(current()));
    else
        setAccessibleDescription(m_tokens.empty() ? m_emptyText : tr("%1 tokens").arg(count()));
}

ChartDetails TokenStreamView::detailsOf(std::size_t index) const
{
    const TokenSpan& token = m_tokens[index].token;
    ChartDetails details;
    details.title = tr("Token %1 “%2”").arg(QString::number(token.index), m_tokens[index].text);
    details.rows = {
        {tr("Id"), QString::number(token.id)},
        {tr("Position"), QString::number(token.position)},
        {tr("Phase"), term(viz::title(token.phase))},
        {tr("Time"), toQString(formatDuration(token.time.duration_ns()))},
        {tr("Energy"), toQString(formatEnergy(token.energy.total_mj))},
        {tr("Provenance"),
         energyLabel(m_source,
                     token.energy.total_mj ? token.energy.provenance : Provenance::Missing)}};
    if (token.energy.total_mj && token.time.duration_ns() > 0)
        details.rows.emplace_back(
            tr("Mean power"),
            toQString(formatPower(meanPower(*token.energy.total_mj, token.time.duration_ns()))));
    if (token.probability)
        details.rows.emplace_back(
            tr("Probability"), toQString(formatPercent(static_cast<double>(*token.probability))));
    if (token.drafted)
        details.rows.emplace_back(tr("Drafted for this step"), QString::number(*token.drafted));
    return details;
}

ChartTable TokenStreamView::table() const
{
    ChartTable table;
    table.headings << tr("Token") << tr("Text") << tr("Id") << tr("Time (ms)") << tr("Energy (mJ)")
                   << tr("Probability");
    for (const Chip& chip : m_tokens)
        table.rows.push_back(
            {numberCell(chip.token.index), textCell(toQString(chip.token.text)),
             numberCell(chip.token.id, 9),
             numberCell(toMilliseconds(chip.token.time.duration_ns())),
             chip.token.energy.total_mj ? numberCell(chip.token.energy.total_mj->value)
                                        : missingCell(),
             chip.token.probability ? numberCell(static_cast<double>(*chip.token.probability), 4)
                                    : missingCell()});
    return table;
}

} // namespace ep::ui
