// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>

#include <memory>

namespace ep::ui {

// A paint device that writes SVG 1.1: shapes, text as text, images embedded as PNG. Supports what
// the charts use (solid, hatched and linear gradient brushes, rectangular and path clips, any
// affine transform), without QtSvg. Coordinates are logical pixels.
class SvgDevice : public QPaintDevice {
public:
    explicit SvgDevice(QSize size, const QString& title = {});
    ~SvgDevice() override;

    QByteArray document() const; // after painting has ended
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize m_size;
    QString m_title;
    std::unique_ptr<Engine> m_engine;
};

} // namespace ep::ui
