// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace ep::power {
struct SourceReport;
}
namespace ep::session {
struct SensorCheck;
}

namespace ep::ui {

QString sensorTitle(const power::SourceReport& source); // "NVIDIA graphics cards (nvml)"

// One power source: whether it works, what it is, what to do about it, and what a test measured.
class SensorCard : public QWidget {
    Q_OBJECT

public:
    SensorCard(const session::SensorCheck& check, QWidget* parent);

private:
    QWidget* head(const session::SensorCheck& check);
    QWidget* facts(const session::SensorCheck& check);
};

} // namespace ep::ui
