// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_view.h"

#include "diagnosis_text.h"
#include "theme/design.h"
#include "widgets/answer_panel.h"
#include "widgets/assembly.h"
#include "widgets/collapsible_box.h"

#include "ep/ui/terms.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::ptrdiff_t kMaxCards = 3;

bool canTry(const energy::Remedy& remedy)
{
    return remedy.trial == energy::Trial::Study && remedy.lever != energy::Lever::ShorterContext;
}

// A saving that may be a loss is not suggested.
bool worthwhile(const energy::Remedy& remedy)
{
    return !remedy.saving || remedy.saving->ci95().low > 0.0;
}

// Whether the measurement in the instruction would settle something.
bool needs(const energy::Diagnosis& diagnosis, std::string_view measurement)
{
    return std::ranges::any_of(diagnosis.findings, [&](const energy::Finding& finding) {
        return finding.judgement == energy::Judgement::CannotTell
            && finding.missing.find(measurement) != std::string::npos;
    });
}

} // namespace

AnswerView::AnswerView(QWidget* parent)
    : QWidget(parent)
    , m_answer(wrapped(new QLabel(this)))
    , m_rows(new QVBoxLayout)
    , m_rest(named(new CollapsibleBox(tr("What was ruled out, and what needs more data"), this),
                   u"answerRest"_s))
{
    setType(*m_answer, TypeSize::Body, true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_rows->setSpacing(kGrid);
    inColumn(this, {m_answer, m_rows, m_rest, Stretch{}});
    setExplanation(nullptr);
}

void AnswerView::setExplanation(const ExplanationPtr& explanation, bool baseline)
{
    m_explanation = explanation;
    m_baseline = baseline;
    clear();
    m_rest->setVisible(explanation != nullptr);
    m_answer->setText(explanation ? answerTexts(explanation->diagnosis).front()
                                  : tr("Looking for the reasons…"));
    if (!explanation)
        return;
    if (const QString reason = leadText(*explanation); !reason.isEmpty())
        addText(reason, *m_rows);
    addBars();
    addCards();
    addRest();
}

void AnswerView::clear()
{
    for (QWidget* widget : m_widgets)
        widget->deleteLater();
    m_widgets.clear();
}

QLabel* AnswerView::addText(const QString& text, QBoxLayout& layout)
{
    auto* label = wrapped(new QLabel(text, this));
    layout.addWidget(label);
    m_widgets.push_back(label);
    return label;
}

void AnswerView::addBars()
{
    for (const session::AnswerBar& bar : m_explanation->bars) {
        auto* button = new AnswerBar(this);
        button->showBar(bar);
        connect(button, &AnswerBar::placeRequested, this, &AnswerView::placeRequested);
        m_rows->addWidget(button);
        m_widgets.push_back(button);
    }
}

QBoxLayout* AnswerView::addCard(const QString& title)
{
    auto* card = named(new QFrame(this), u"answerCard"_s);
    card->setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    column->setSpacing(kHalfGrid);
    setType(*addText(title, *column), TypeSize::Body, true);
    m_rows->addWidget(card);
    m_widgets.push_back(card);
    return column;
}

void AnswerView::addCards()
{
    const auto named = m_explanation->diagnosis.named();
    const bool limits = needs(m_explanation->diagnosis, "energy-profiler calibrate");
    const bool baseline = m_baseline && needs(m_explanation->diagnosis, "--baseline-seconds");
    const auto measurements = static_cast<std::ptrdiff_t>(limits) + (baseline ? 1 : 0);
    const auto causes = std::min(std::ssize(named), kMaxCards - measurements);
    std::vector<std::size_t> shown; // remedies already shown
    for (std::ptrdiff_t i = 0; i < causes; ++i) {
        if (const auto remedy = addCause(*named[static_cast<std::size_t>(i)]))
            shown.push_back(*remedy);
    }
    if (limits)
        addMissingLimits();
    if (baseline)
        addMissingBaseline();
    // Adds remedies that may help even though their causes are uncertain.
    auto left = kMaxCards - causes - measurements;
    for (std::size_t i = 0; i < m_explanation->remedies.size() && left > 0; ++i) {
        const energy::Remedy& remedy = m_explanation->remedies[i];
        if (!canTry(remedy) || !worthwhile(remedy) || std::ranges::find(shown, i) != shown.end())
            continue;
        addTrial(i, *addCard(term(remedy.what)), true);
        --left;
    }
}

std::optional<std::size_t> AnswerView::addCause(const energy::Finding& finding)
{
    const energy::Diagnosis& diagnosis = m_explanation->diagnosis;
    QBoxLayout* card = addCard(term(titleOf(diagnosis, finding)));
    addText(term(finding.evidence), *card);
    const auto best = bestRemedy(finding.cause);
    if (best)
        addTrial(*best, *card);
    return best;
}

void AnswerView::addTrial(std::size_t index, QBoxLayout& card, bool titled)
{
    const energy::Remedy& remedy = m_explanation->remedies[index];
    QString text = term(lineOf(m_explanation->diagnosis, remedy, false));
    const QString title = term(remedy.what) + u": "_s;
    if (titled && text.startsWith(title)) { // the card's title already says it
        text.remove(0, title.size());
        text.front() = text.front().toUpper();
    }
    addText(text, card);
    if (!canTry(remedy))
        return;
    auto* button = new QPushButton(tr("Try It…"), this);
    button->setToolTip(tr("Make a study that compares this with the run's own setting"));
    button->setAccessibleName(tr("Try: %1").arg(term(remedy.what)));
    connect(button, &QPushButton::clicked, this,
            [this, remedyIndex = static_cast<int>(index)] { Q_EMIT tryRequested(remedyIndex); });
    card.addWidget(button, 0, Qt::AlignLeft);
    m_widgets.push_back(button);
}

void AnswerView::addMissingLimits()
{
    QBoxLayout* card = addCard(tr("The limits of this machine are not measured"));
    addText(tr("They tell whether memory or arithmetic limits a run. Measuring takes about ten "
               "seconds."),
            *card);
    addButton(u"answerMeasureLimits"_s, tr("Measure Limits Here…"), &AnswerView::limitsRequested,
              *card);
}

void AnswerView::addMissingBaseline()
{
    QBoxLayout* card = addCard(tr("The idle power of this machine is not known"));
    addText(tr("It shows what a run adds to what the machine draws anyway, and what waiting costs. "
               "The run is recorded again, after ten seconds on the idle machine."),
            *card);
    addButton(u"answerAddBaseline"_s, tr("Add a Baseline"), &AnswerView::baselineRequested, *card);
}

void AnswerView::addButton(const QString& id, const QString& text, void (AnswerView::*request)(),
                           QBoxLayout& card)
{
    auto* button = named(new QPushButton(text, this), id);
    connect(button, &QPushButton::clicked, this, request);
    card.addWidget(button, 0, Qt::AlignLeft);
    m_widgets.push_back(button);
}

// The remedy that saves most, preferring remedies that the window can try.
std::optional<std::size_t> AnswerView::bestRemedy(energy::Cause cause) const
{
    std::optional<std::size_t> best;
    const auto rank = [this](std::size_t index) {
        const energy::Remedy& remedy = m_explanation->remedies[index];
        return std::pair(canTry(remedy), remedy.saving ? remedy.saving->value : 0.0);
    };
    for (std::size_t i = 0; i < m_explanation->remedies.size(); ++i) {
        const energy::Remedy& remedy = m_explanation->remedies[i];
        if (remedy.cause == cause && worthwhile(remedy) && (!best || rank(i) > rank(*best)))
            best = i;
    }
    return best;
}

// Adds doubts, other options, past trials, and restrictions.
void AnswerView::addRest()
{
    const energy::Diagnosis& diagnosis = m_explanation->diagnosis;
    auto* content = new QWidget(this);
    auto* column = flush(new QVBoxLayout(content));
    const auto add = [&](const QString& heading, const QStringList& lines) {
        if (lines.isEmpty())
            return;
        setType(*addText(heading, *column), TypeSize::Body, true);
        for (const QString& line : lines)
            addText(line, *column);
    };
    QStringList more;
    const auto named = diagnosis.named();
    for (std::size_t i = static_cast<std::size_t>(kMaxCards); i < named.size(); ++i)
        more << term(lineOf(diagnosis, *named[i]));
    add(tr("Other causes"), more);
    add(tr("Not enough data"), doubtTexts(diagnosis, true));
    QStringList others;
    for (const energy::Remedy& remedy : m_explanation->remedies) {
        if (worthwhile(remedy))
            others << term(lineOf(diagnosis, remedy, false));
    }
    add(tr("What to do"), others);
    QStringList tried;
    for (const session::TriedRemedy& one : m_explanation->tried) {
        if (one.observed)
            tried << term(lineOf(one));
    }
    if (const Message record = session::trackRecordOf(m_explanation->tried); !record.empty())
        tried << term(record);
    add(tr("What was tried"), tried);
    QStringList absent;
    for (const energy::Finding& finding : diagnosis.findings) {
        if (finding.judgement == energy::Judgement::Absent)
            absent << term(energy::factsOf(finding.cause).title);
    }
    add(tr("Ruled out"), absent.isEmpty() ? absent : QStringList{absent.join(u", "_s) + u'.'});
    QStringList notes;
    for (const std::string& note : diagnosis.notes)
        notes << inWindow(note);
    add(tr("Notes"), notes);
    m_rest->setContent(content);
}

} // namespace ep::ui
