// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rail_menu.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QMenu>

#include <vector>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

RailMenu::RailMenu(PowerTimeline& chart, QWidget* parent)
    : QToolButton(parent)
    , m_chart(chart)
{
    setText(tr("Rails"));
    setToolTip(tr("Choose which rails the chart shows"));
    setPopupMode(QToolButton::InstantPopup);
    setMinimumHeight(kControlHeight);
    auto* menu = named(new QMenu(this), u"railMenu"_s);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &RailMenu::fill);
}

void RailMenu::fill()
{
    menu()->clear();
    const std::vector<Channel> present = m_chart.channels();
    for (const Channel channel : present) {
        QAction* rail = menu()->addAction(title(channel));
        rail->setCheckable(true);
        rail->setChecked(m_chart.isShown(channel));
        connect(rail, &QAction::toggled, &m_chart,
                [this, channel](bool shown) { m_chart.setShown(channel, shown); });
    }
    menu()->addSeparator();
    QAction* all = menu()->addAction(tr("Show All Rails"));
    connect(all, &QAction::triggered, &m_chart, [this, present] {
        for (const Channel channel : present)
            m_chart.setShown(channel, true);
    });
}

} // namespace ep::ui
