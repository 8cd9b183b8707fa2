// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/setting_range.h"

#include "ep/session/repeat_loop.h"
#include "ep/ui/settings.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace ep::ui {

// How a run is measured: idle power before it, warm-up, repetitions and the pause between them.
class MeasurementFields : public QWidget {
    Q_OBJECT

public:
    explicit MeasurementFields(QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;
    // The condition that ends the repetitions early; the number of runs is then the maximum.
    std::optional<session::UntilKnown> until() const;

private:
    SettingBoxes m_boxes;
    QDoubleSpinBox* m_baseline;
    QSpinBox* m_warmup;
    QSpinBox* m_repeat;
    QCheckBox* m_until;
    QDoubleSpinBox* m_coolDown;
};

} // namespace ep::ui
