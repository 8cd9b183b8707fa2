// SPDX-License-Identifier: GPL-3.0-or-later
#include "accessible_chart.h"

#include "ep/ui/charts/painted_view.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QChartView>

namespace ep::ui {

namespace {

class AccessibleChart : public QAccessibleWidget {
public:
    explicit AccessibleChart(QWidget* view)
        : QAccessibleWidget(view, QAccessible::Chart)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Value && widget())
            return widget()->accessibleDescription();
        return QAccessibleWidget::text(kind);
    }
};

// Called for each class from the object's own upwards; the first result counts.
QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    if (qobject_cast<PaintedView*>(object) || qobject_cast<QChartView*>(object))
        return new AccessibleChart(qobject_cast<QWidget*>(object));
    return nullptr;
}

} // namespace

void installChartAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeInterface);
        return true;
    }();
    static_cast<void>(installed);
}

} // namespace ep::ui
