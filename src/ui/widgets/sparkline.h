// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace ep::ui {

// A line of values without axes, one of them marked. Missing values are gaps.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget* parent = nullptr);

    // marked: -1 for none. The description is read by a screen reader and shown as tool tip.
    void showValues(std::vector<std::optional<double>> values, int marked,
                    const QString& description);
    const std::vector<std::optional<double>>& values() const { return m_values; }
    int marked() const { return m_marked; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::optional<double>> m_values;
    int m_marked = -1;
};

} // namespace ep::ui
