// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace ep::ui {

// A line of values without axes, one of which may be marked. Missing values are gaps.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget* parent = nullptr);

    // marked: index, -1 for none. Screen readers read the description, which is also the tool tip.
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
