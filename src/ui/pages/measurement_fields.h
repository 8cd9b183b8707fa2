// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/setting_range.h"

#include "ep/session/repeat_loop.h"
#include "ep/ui/settings.h"

#include <QWidget>

#include <optional>

class QCheckBox;

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
    QCheckBox* m_until = nullptr;
};

} // namespace ep::ui
