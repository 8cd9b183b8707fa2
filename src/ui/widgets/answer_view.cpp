// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_view.h"

#include "ep/core/format.h"
#include "ep/ui/to_qstring.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyleOptionFocusRect>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr int kAnswerGap = 8;

// A bar with its title and amount, which can be clicked.
class BarButton : public QAbstractButton {
public:
    BarButton(const session::AnswerBar& bar, QWidget* parent)
        : QAbstractButton(parent)
        , m_share(bar.share)
        , m_amount(toQString(formatPercent(bar.share) + ", " + bar.amount))
    {
        setText(toQString(bar.title));
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setAccessibleName(text() + QStringLiteral(": ") + m_amount);
    }

    QSize sizeHint() const override { return {320, fontMetrics().height() * 2 + kAnswerGap}; }
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        const int line = fontMetrics().height();
        const QRect words(0, 0, width(), line);
        const int amount = fontMetrics().horizontalAdvance(m_amount);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_amount);
        painter.drawText(
            words, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(text(), Qt::ElideRight, width() - amount - kAnswerGap));
        QRectF bar(0.0, line + 2.0, width(), line - 4.0);
        painter.fillRect(bar, palette().color(QPalette::AlternateBase));
        bar.setWidth(bar.width() * m_share);
        painter.fillRect(bar, palette().color(QPalette::Highlight));
        if (hasFocus()) {
            QStyleOptionFocusRect option;
            option.initFrom(this);
            style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
        }
    }

private:
    double m_share;
    QString m_amount;
};

} // namespace

AnswerView::AnswerView(QWidget* parent)
    : QWidget(parent)
    , m_answer(new QLabel(this))
    , m_rows(new QVBoxLayout)
{
    QFont large = m_answer->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_answer->setFont(large);
    m_answer->setWordWrap(true);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_rows->setSpacing(kAnswerGap);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_answer);
    layout->addLayout(m_rows);
    layout->addStretch();
    setExplanation(nullptr);
}

void AnswerView::setExplanation(const ExplanationPtr& explanation)
{
    m_explanation = explanation;
    clear();
    m_answer->setText(explanation ? toQString(explanation->diagnosis.answer)
                                  : tr("Looking for the reasons…"));
    if (!explanation)
        return;
    addBars();
    addRemedies();
    for (const std::string& note : explanation->diagnosis.notes)
        addText(toQString(note));
}

void AnswerView::clear()
{
    for (QWidget* widget : m_widgets)
        widget->deleteLater();
    m_widgets.clear();
}

QLabel* AnswerView::addText(const QString& text)
{
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    m_rows->addWidget(label);
    m_widgets.push_back(label);
    return label;
}

void AnswerView::addBars()
{
    for (const session::AnswerBar& bar : m_explanation->bars) {
        auto* button = new BarButton(bar, this);
        button->setToolTip(tr("Show where this is in the charts"));
        connect(button, &QAbstractButton::clicked, this,
                [this, place = bar.place] { Q_EMIT placeRequested(place); });
        m_rows->addWidget(button);
        m_widgets.push_back(button);
    }
    for (const energy::Finding& finding : m_explanation->diagnosis.findings) {
        if (finding.judgement == energy::Judgement::CannotTell)
            addText(toQString(lineOf(m_explanation->diagnosis, finding)));
    }
}

void AnswerView::addRemedies()
{
    if (m_explanation->remedies.empty())
        return;
    QLabel* heading = addText(tr("What to do"));
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    for (std::size_t i = 0; i < m_explanation->remedies.size(); ++i) {
        const energy::Remedy& remedy = m_explanation->remedies[i];
        const QString line = toQString(lineOf(m_explanation->diagnosis, remedy));
        if (remedy.trial != energy::Trial::Study || remedy.lever == energy::Lever::ShorterContext) {
            addText(line);
            continue;
        }
        auto* row = new QWidget(this);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* label = new QLabel(line, row);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        auto* button = new QPushButton(tr("Try It…"), row);
        button->setToolTip(tr("Make a study that compares this with the run's own setting"));
        button->setAccessibleName(tr("Try: %1").arg(toQString(remedy.what)));
        connect(button, &QPushButton::clicked, this,
                [this, index = static_cast<int>(i)] { Q_EMIT tryRequested(index); });
        layout->addWidget(label, 1);
        layout->addWidget(button);
        m_rows->addWidget(row);
        m_widgets.push_back(row);
    }
    if (const std::string record = session::trackRecordOf(m_explanation->tried); !record.empty())
        addText(toQString(record));
}

} // namespace ep::ui
