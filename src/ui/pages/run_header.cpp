// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_header.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/chip.h"
#include "widgets/elided_label.h"

#include "ep/core/utf8.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kHeaderPromptCharacters = 160;
constexpr std::size_t kPopupPromptCharacters = 1000;

// The prompt in quotes, or the recorded command, which has none.
QString askedText(const RunInfo& info, std::size_t characters)
{
    if (!info.prompt.empty())
        return u"“"_s + toQString(previewUtf8(info.prompt, characters)).simplified() + u"”"_s;
    const auto& command = info.profiling.command;
    return command ? toQString(previewUtf8(commandText(command->arguments), characters))
                   : QString();
}

constexpr int kPopupWidth = 52 * kGrid;

} // namespace

FactsPopup::FactsPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_prompt(new QLabel(this))
    , m_facts(named(new QLabel(this), u"runFacts"_s))
{
    setObjectName(u"runFactsPopup"_s);
    setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    for (QLabel* label : {m_prompt, m_facts}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setWordWrap(true);
        column->addWidget(label);
    }
}

void FactsPopup::showFacts(const QString& prompt, const QStringList& facts)
{
    m_prompt->setText(prompt);
    m_prompt->setHidden(prompt.isEmpty());
    m_facts->setText(facts.join(u'\n'));
}

void FactsPopup::openBelow(const QWidget& mark)
{
    const QRect screen = mark.screen()->availableGeometry();
    setFixedWidth(std::min(kPopupWidth, screen.width()));
    adjustSize();
    QPoint at = mark.mapToGlobal(QPoint(mark.width() - width(), mark.height()));
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::min(at.y(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    setFocus();
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent)
    , m_titleRow(new QHBoxLayout(this))
    , m_title(named(new ElidedLabel(this), u"runTitle"_s))
    , m_prompt(new ElidedLabel(this))
    , m_status(named(new Chip(this), u"runStatus"_s))
    , m_quality(named(new Chip(this), u"runQuality"_s))
    , m_badge(named(new ProvenanceBadge(this), u"runProvenance"_s))
    , m_info(iconButton(u"runInfo"_s, "info"_L1, tr("All facts of this run"), this))
    , m_popup(new FactsPopup(this))
{
    m_prompt->setObjectName(u"runPrompt"_s);
    setType(*m_title, TypeSize::Body, true);
    setMuted(*m_prompt);
    m_prompt->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(m_info, &QToolButton::clicked, this, [this] { m_popup->openBelow(*m_info); });

    m_titleRow->setSpacing(kGrid);
    m_titleRow->addWidget(m_title);
    m_titleRow->addWidget(m_prompt, 1);
    for (Chip* chip : {m_status, m_quality, static_cast<Chip*>(m_badge)})
        m_titleRow->addWidget(chip);
    m_titleRow->addWidget(m_info);
    m_titleRow->setContentsMargins(0, 0, 0, 0);
}

void RunHeader::addToTitle(QWidget* widget)
{
    m_titleRow->insertWidget(m_titleRow->count() - 1, widget); // the information mark is last
}

void RunHeader::addBeforeTitle(QWidget* widget)
{
    m_titleRow->insertWidget(0, widget);
}

void RunHeader::showRun(const Run& run, const energy::Tariff& tariff)
{
    showChips(run);
    showFacts(run, tariff);
}

void RunHeader::showChips(const Run& run)
{
    const RunInfo& info = run.info;
    // An imported recording need not have a model or a prompt.
    const std::string& subject = info.model.name.empty() ? info.title : info.model.name;
    m_title->setText(tr("%1 — %2").arg(toQString(subject), dateText(info.created_at_ms)));
    QString prompt = askedText(info, kHeaderPromptCharacters);
    if (info.batch.size() > 1)
        prompt = tr("%1 and %2 more").arg(prompt).arg(info.batch.size() - 1);
    m_prompt->setText(prompt);
    m_prompt->setToolTip(richText(info.prompt));
    m_status->setVisible(info.status != RunStatus::Complete);
    m_status->showFact(statusText(info.status), term(info.status_message), Chip::Tone::Doubtful);
    const bool poor = info.power.quality && info.power.quality->verdict == QualityVerdict::Poor;
    m_quality->setVisible(poor);
    if (poor)
        m_quality->showFact(tr("quality %1").arg(term(name(info.power.quality->verdict))),
                            factText({info, run.metrics}, "quality"), Chip::Tone::Doubtful);
    m_badge->showEnergyOf(info.power, run.metrics.energy.provenance);
}

void RunHeader::showFacts(const Run& run, const energy::Tariff& tariff)
{
    QStringList facts;
    for (const energy::Fact& fact :
         energy::factsOf({run.info, run.metrics, &run.trace, tariff}, energy::kInHeader))
        facts << term(fact.term) + u": "_s + factText(fact);
    m_popup->showFacts(askedText(run.info, kPopupPromptCharacters), facts);
}

} // namespace ep::ui
