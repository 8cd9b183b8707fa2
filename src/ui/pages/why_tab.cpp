// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/why_tab.h"

#include "theme/design.h"
#include "widgets/answer_view.h"
#include "widgets/assembly.h"
#include "widgets/roofline_view.h"
#include "widgets/titled_panel.h"
#include "widgets/vertical_scroll.h"

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kMinText = 32 * kGrid;

} // namespace

WhyTab::WhyTab(QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , m_answer(new AnswerView(this))
    , m_scroll(new VerticalScroll(m_answer, this))
    , m_roofline(named(new RooflineView(this), u"roofline"_s))
{
    setObjectName(u"whyTab"_s);
    m_scroll->setMinimumWidth(kMinText);
    addParts(*this,
             {{titledPanel(tr("Why, and what to do"), m_scroll), 2},
              {titledPanel(tr("Roofline"), m_roofline), 3}});
    setSizes({2 * kMinText, 3 * kMinText});
}

void WhyTab::setExplanation(const ExplanationPtr& explanation, bool baseline)
{
    m_answer->setExplanation(explanation, baseline);
    m_scroll->verticalScrollBar()->setValue(0); // the position belonged to the previous answer
    m_roofline->clear();
    if (explanation)
        m_roofline->addRun(explanation->diagnosis, tr("this run").toStdString());
}

} // namespace ep::ui
