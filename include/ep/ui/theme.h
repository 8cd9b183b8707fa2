// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"
#include "ep/viz/colour.h"
#include "ep/viz/metric.h"
#include "ep/viz/scene.h"

#include <QColor>
#include <QPalette>
#include <QPen>
#include <QString>

#include <array>
#include <string_view>

namespace ep::ui {

// Lines of a power chart: the component rails and their sum.
enum class Channel : std::uint8_t { Cpu, Gpu, Ane, Dram, Total };
inline constexpr std::size_t kChannelCount = 5;
inline constexpr std::array<Channel, kChannelCount> kChannels{
    Channel::Cpu, Channel::Gpu, Channel::Ane, Channel::Dram, Channel::Total};
QString title(Channel channel); // "CPU", "Total"

// All colours of the program that are not from the platform's palette. Charts paint on `surface`,
// for which contrasts were computed, never on the window colour.
struct Theme {
    bool dark = false;
    QColor surface; // background of charts
    QColor text;
    QColor mutedText; // at least 4.5:1 on surface
    QColor grid; // faint auxiliary lines
    QColor outline; // meaningful borders, 3:1 on surface
    QColor focus; // the accent: focus ring and cursor, 3:1 on surface
    QColor missing; // hatching of missing values
    QColor warning; // text of notices
    QColor error;
    QColor success;
    std::array<QColor, kChannelCount> channels;
    std::array<QColor, kPhaseCount> phases;
    std::array<QColor, kRunPartCount> parts; // parts with a partPattern() share the grey of Rest
    viz::ColourScale sequential;

    static Theme light();
    static Theme darkTheme();
    // Dark if the window is dark; `focus` is the palette's accent if it is visible on surface.
    static Theme fromPalette(const QPalette& palette);
    // Whether fromPalette() uses the colours of Okabe and Ito for the rails. GUI thread; visible
    // widgets change with their next PaletteChange event.
    static void useOkabeIto(bool use);

    QColor channel(Channel c) const { return channels[static_cast<std::size_t>(c)]; }
    QColor phase(Phase p) const { return phases[static_cast<std::size_t>(p)]; }
    QColor part(RunPart p) const { return parts[static_cast<std::size_t>(p)]; }
    QPen linePen(Channel c)
        const; // not distinguished by colour alone: each has a line style, and total is thickest
    QColor band(Phase p) const; // the phase's colour, faint enough to be behind lines and text
    QColor scale(double fraction) const; // from the sequential map
    const viz::ScenePalette& scenePalette() const; // for charts that are laid out as scenes
    QColor textOn(const QColor& background) const;

    bool operator==(const Theme&) const = default;
};

QColor toColour(viz::Rgb colour);
viz::Rgb toRgb(const QColor& colour);

// How a value was obtained, as a word ("measured") and as a sentence ("integrated from a sensor").
QString provenanceLabel(Provenance provenance);
QString provenanceExplanation(Provenance provenance);
// "replayed" or "simulated", which replaces the provenance for a power source that did not measure
// this machine during the run; empty for the others.
QString powerOriginLabel(std::string_view source);
// Return powerOriginLabel() or, if it is empty, provenanceLabel(); a sentence about it; or both
// ("modelled: ...").
QString energyLabel(std::string_view source, Provenance provenance);
QString energyExplanation(std::string_view source, Provenance provenance);
QString explainedEnergyLabel(std::string_view source, Provenance provenance);

// Solid for measured by a sensor, hatched for modelled, crossed for missing.
Qt::BrushStyle provenancePattern(Provenance provenance);

} // namespace ep::ui
