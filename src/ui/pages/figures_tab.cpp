// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/figures_tab.h"

#include "text.h"
#include "widgets/assembly.h"
#include "widgets/collapsible_box.h"
#include "widgets/vertical_scroll.h"

#include "ep/ui/theme.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

energy::Tariff ownTariff(double price, double grams)
{
    energy::Tariff tariff;
    tariff.region.clear();
    tariff.usd_per_kwh = price;
    tariff.grams_per_kwh = grams;
    return tariff;
}

} // namespace

FiguresTab::FiguresTab(QWidget* parent)
    : QWidget(parent)
    , m_region(named(new QComboBox(this), u"tariffRegion"_s, tr("Region")))
    , m_price(named(new QDoubleSpinBox(this), u"tariffPrice"_s, tr("Price of a kilowatt-hour")))
    , m_carbon(named(new QDoubleSpinBox(this), u"tariffCarbon"_s,
                     tr("Carbon dioxide of a kilowatt-hour")))
{
    m_server = addCard(u"serverCard"_s);
    m_command = addCard(u"commandCard"_s);
    m_efficiency = addCard(u"efficiencyCard"_s);
    m_further = addCard(u"furtherFiguresCard"_s);
    m_ledger = addCard(u"ledgerCard"_s);
    m_cost = addCard(u"costCard"_s);
    m_kvCache = addCard(u"kvCacheCard"_s);
    m_experts = addCard(u"expertsCard"_s);
    m_quality = addCard(u"qualityCard"_s);
    setQualities(nullptr);
    auto* more = named(new CollapsibleBox(tr("More"), this), u"figuresMore"_s);
    auto* further = new QWidget(more); // fill() shows and hides the frame
    flush(inColumn(further, {m_further.frame}));
    m_further.frame->setFrameShape(QFrame::NoFrame);
    m_further.frame->layout()->setContentsMargins({});
    more->setContent(further);
    m_efficiency.frame->layout()->addWidget(more);
    static_cast<QVBoxLayout*>(m_cost.frame->layout())->addWidget(buildTariff());

    auto* content = new QWidget(this);
    m_columns = new QHBoxLayout(content);
    m_columns->setContentsMargins(0, 0, 0, 0);
    for (const auto& cards :
         {std::vector{m_server.frame, m_command.frame, m_efficiency.frame, m_quality.frame},
          std::vector{m_ledger.frame, m_cost.frame, m_kvCache.frame, m_experts.frame}}) {
        auto* column = new QVBoxLayout;
        for (QFrame* frame : cards)
            column->addWidget(frame);
        column->addStretch(1);
        m_columns->addLayout(column, 1);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new VerticalScroll(content, this));
    applyColours();
}

FiguresTab::Card FiguresTab::addCard(const QString& id)
{
    Card card;
    card.frame = new QFrame(this);
    card.frame->setObjectName(id);
    card.frame->setFrameShape(QFrame::StyledPanel);
    card.frame->setAutoFillBackground(true);
    card.title = new QLabel(card.frame);
    QFont bold = card.title->font();
    bold.setBold(true);
    card.title->setFont(bold);
    card.note = new QLabel(card.frame);
    card.note->setObjectName(id + u"Note"_s);
    card.note->setWordWrap(true);
    card.note->setTextFormat(Qt::PlainText);
    auto* column = inColumn(card.frame, {card.title, card.note});
    card.rows = new QFormLayout;
    card.rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    card.rows->setLabelAlignment(Qt::AlignLeft);
    column->addLayout(card.rows);
    m_cards.push_back(card);
    return card;
}

QWidget* FiguresTab::buildTariff()
{
    for (const energy::Tariff& preset : energy::tariffPresets())
        m_region->addItem(toQString(preset.region), toQString(preset.region));
    m_price->setDecimals(4);
    m_price->setRange(0.0, energy::kMaxUsdPerKwh);
    m_price->setSingleStep(0.01);
    m_price->setSuffix(tr(" USD/kWh"));
    m_carbon->setDecimals(1);
    m_carbon->setRange(0.0, energy::kMaxGramsPerKwh);
    m_carbon->setSingleStep(10.0);
    m_carbon->setSuffix(tr(" g/kWh"));
    m_region->addItem(tr("Own value"));
    showTariff();
    connect(m_region, &QComboBox::currentIndexChanged, this, [this] {
        const std::string region = m_region->currentData().toString().toStdString();
        energy::Tariff edited = energy::tariffOf(region).value_or(
            ownTariff(m_tariff.usd_per_kwh, m_tariff.grams_per_kwh));
        edited.usd_per_kwh = m_tariff.usd_per_kwh; // keeps the user's price, not the region's
        Q_EMIT tariffEdited(edited);
    });
    connect(m_price, &QDoubleSpinBox::valueChanged, this, [this](double price) {
        energy::Tariff edited = m_tariff;
        edited.usd_per_kwh = price;
        Q_EMIT tariffEdited(edited);
    });
    connect(m_carbon, &QDoubleSpinBox::valueChanged, this,
            [this](double grams) { Q_EMIT tariffEdited(ownTariff(m_tariff.usd_per_kwh, grams)); });
    auto* widget = new QWidget(this);
    flush(inRow(widget, {m_region, m_price, m_carbon, Stretch{1}}));
    return widget;
}

void FiguresTab::setTariff(const energy::Tariff& tariff)
{
    m_tariff = tariff;
    showTariff();
    showCost();
}

void FiguresTab::showTariff()
{
    const QSignalBlocker region(m_region);
    const QSignalBlocker price(m_price);
    const QSignalBlocker carbon(m_carbon);
    const int known = m_region->findData(toQString(m_tariff.region));
    m_region->setCurrentIndex(known >= 0 ? known : m_region->count() - 1);
    // Leaves a number that is being typed alone as long as it has this value.
    if (m_price->value() != m_tariff.usd_per_kwh)
        m_price->setValue(m_tariff.usd_per_kwh);
    if (m_carbon->value() != m_tariff.grams_per_kwh)
        m_carbon->setValue(m_tariff.grams_per_kwh);
}

void FiguresTab::fill(Card& card, const FigureCard& figures)
{
    card.frame->setVisible(!figures.rows.empty());
    for (const auto& [label, text] :
         {std::pair{card.title, figures.title}, std::pair{card.note, figures.note}}) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    }
    while (card.rows->rowCount() > static_cast<int>(figures.rows.size()))
        card.rows->removeRow(card.rows->rowCount() - 1);
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        const FigureCard::Row& row = figures.rows[i];
        const int at = static_cast<int>(i);
        if (at >= card.rows->rowCount()) {
            auto* value = new QLabel(card.frame);
            value->setTextFormat(Qt::PlainText);
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            value->setAlignment(Qt::AlignRight);
            card.rows->addRow(row.title, value);
        }
        auto* label =
            qobject_cast<QLabel*>(card.rows->itemAt(at, QFormLayout::LabelRole)->widget());
        auto* value =
            qobject_cast<QLabel*>(card.rows->itemAt(at, QFormLayout::FieldRole)->widget());
        label->setText(row.title);
        value->setText(row.value);
        named(value, u"figure_"_s + row.id, row.title);
        label->setToolTip(row.explanation);
        value->setToolTip(row.explanation);
    }
}

void FiguresTab::setRun(const RunPtr& run, const std::shared_ptr<const viz::CostTree>& tree)
{
    m_run = run;
    if (!run || !tree)
        return;
    fill(m_server, serverCard(*run));
    fill(m_command, commandCard(*run));
    fill(m_efficiency, efficiencyCard(*run));
    fill(m_further, furtherFiguresCard(*run));
    fill(m_ledger, ledgerCard(*run));
    fill(m_kvCache, kvCacheCard(*run, *tree));
    fill(m_experts, expertsCard(*run, *tree));
    showCost();
}

void FiguresTab::setQualities(const QualityList& measured)
{
    fill(m_quality, measured ? qualityCard(*measured) : FigureCard());
}

void FiguresTab::showCost()
{
    if (m_run)
        fill(m_cost, costCard(*m_run, m_tariff));
}

void FiguresTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    int needed = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (int i = 0; i < m_columns->count(); ++i)
        needed += m_columns->itemAt(i)->minimumSize().width() + m_columns->spacing();
    m_columns->setDirection(needed > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void FiguresTab::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_experts.frame)
        applyColours();
}

void FiguresTab::applyColours()
{
    const Theme theme = Theme::fromPalette(palette());
    QPalette frame = palette();
    frame.setColor(QPalette::Window, theme.surface);
    frame.setColor(QPalette::WindowText, theme.text);
    QPalette note = frame;
    note.setColor(QPalette::WindowText, theme.mutedText);
    for (const Card& card : m_cards) {
        card.frame->setPalette(frame);
        card.note->setPalette(note);
    }
}

} // namespace ep::ui
