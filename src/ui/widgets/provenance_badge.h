// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <QLabel>

namespace ep::ui {

// How the adjacent energies were obtained, as a small framed word; the tool tip explains it.
class ProvenanceBadge : public QLabel {
    Q_OBJECT

public:
    explicit ProvenanceBadge(QWidget* parent = nullptr);

    void setProvenance(Provenance provenance);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Provenance m_provenance = Provenance::Missing;
};

} // namespace ep::ui
