// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <QComboBox>

#include <optional>

namespace ep::ui {

class ModelPicker;

// Selects another format, model or server to answer the same prompt beside the chosen one.
class BesidePicker : public QComboBox {
    Q_OBJECT

public:
    explicit BesidePicker(const ModelPicker& models);

    // The run with the choice made here; absent: nothing is chosen.
    std::optional<session::RunRequest> beside(session::RunRequest run) const;

private:
    void fill();

    const ModelPicker& m_models;
};

} // namespace ep::ui
