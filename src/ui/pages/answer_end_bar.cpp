// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/answer_end_bar.h"

#include "text.h"

#include "ep/session/babble.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

struct FoundEnd {
    std::string text; // a sentence
    std::optional<std::int32_t> onset{};
};

FoundEnd findEnd(const RunPtr& run, const std::string& text)
{
    const auto rule = text::parseAnswerRule(text);
    if (!rule)
        return {.text = rule.error().message};
    const auto babble = session::findBabble(*run, *rule);
    if (!babble)
        return {.text = babble.error().message};
    FoundEnd found{.text = session::babbleText(*run, *rule, *babble)};
    if (*babble)
        found.onset = (*babble)->onset;
    return found;
}

} // namespace

AnswerEndBar::AnswerEndBar(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_kind(new QComboBox(this))
    , m_pattern(new QLineEdit(this))
    , m_text(new QLabel(this))
    , m_try(new QPushButton(tr("Try as Stop Rule"), this))
{
    m_kind->setObjectName(u"answerEndRule"_s);
    m_kind->setAccessibleName(tr("The answer is complete at"));
    m_kind->setToolTip(tr("What comes after the answer is marked in the text and in the waterfall, "
                          "and its energy is counted."));
    m_kind->addItem(tr("Off"), QString());
    m_kind->addItem(tr("the end of the first code block"), u"fence"_s);
    m_kind->addItem(tr("the end of the JSON value"), u"json"_s);
    m_kind->addItem(tr("20 tokens repeated three times"), u"repetition"_s);
    m_kind->addItem(tr("the end of a pattern"), u"regex:"_s);
    m_pattern->setObjectName(u"answerEndPattern"_s);
    m_pattern->setAccessibleName(tr("Pattern"));
    m_pattern->setPlaceholderText(tr("Regular expression"));
    m_pattern->hide();
    m_text->setObjectName(u"answerEndText"_s);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_try->setObjectName(u"answerEndTry"_s);
    m_try->setToolTip(tr("Prepares a run in Live that stops when the answer is complete"));
    m_try->hide();
    m_text->hide();
    auto* label = new QLabel(tr("Answer ends at:"), this);
    label->setBuddy(m_kind);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label);
    layout->addWidget(m_kind);
    layout->addWidget(m_pattern);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_try);
    layout->addStretch();
    connect(m_kind, &QComboBox::currentIndexChanged, this, &AnswerEndBar::choose);
    connect(m_pattern, &QLineEdit::editingFinished, this, &AnswerEndBar::search);
    connect(m_try, &QPushButton::clicked, this, [this] {
        Q_EMIT m_controller.stopRuleWanted(toQString(text::kStopRulePrefix) + ruleText());
    });
    connect(&m_controller, &SelectionController::runChanged, this, &AnswerEndBar::search);
}

void AnswerEndBar::suggestRepetition(bool found)
{
    if (found && m_kind->currentIndex() == 0) {
        m_kind->setCurrentIndex(m_kind->findData(u"repetition"_s));
        m_suggested = true;
    } else if (!found && m_suggested) {
        m_kind->setCurrentIndex(0);
    }
}

QString AnswerEndBar::ruleText() const
{
    const QString rule = m_kind->currentData().toString();
    if (!m_pattern->isVisibleTo(this))
        return rule;
    return m_pattern->text().isEmpty() ? QString() : rule + m_pattern->text();
}

void AnswerEndBar::choose()
{
    m_suggested = false;
    m_pattern->setVisible(m_kind->currentData().toString() == u"regex:"_s);
    search();
}

void AnswerEndBar::search()
{
    m_job.drop();
    m_controller.setAnswerEnd(std::nullopt);
    const QString rule = ruleText();
    const RunPtr run = m_controller.run();
    m_try->setVisible(!rule.isEmpty() && run);
    say({});
    if (rule.isEmpty() || !run)
        return;
    m_job.start([run, text = rule.toStdString()] { return findEnd(run, text); },
                [this](const FoundEnd& found) {
                    say(term(found.text));
                    m_controller.setAnswerEnd(found.onset);
                });
}

void AnswerEndBar::say(const QString& text)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_text->setAccessibleName(text);
}

} // namespace ep::ui
