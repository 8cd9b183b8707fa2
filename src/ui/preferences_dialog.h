// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/settings.h"

#include <QDialog>

class QDoubleSpinBox;
class QSpinBox;

namespace ep::ui {

// What is set once and rarely touched: sampling of power, engine.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    PreferencesDialog(const Settings& settings, QWidget* parent);

    void writeSettings(Settings& settings) const;

private:
    QSpinBox* m_interval;
    QSpinBox* m_threads;
    QDoubleSpinBox* m_sparsity;
};

} // namespace ep::ui
