// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/trace.h"
#include "ep/viz/geometry.h"
#include "ep/viz/metric.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace ep::viz {

// Levels from outermost to innermost. Sections outside of tokens are below their phase.
enum class FlameLevel : std::uint8_t { Phase, Token, Section, Layer, Component, Operation };
inline constexpr std::size_t kFlameLevelCount = 6;
std::string_view title(FlameLevel level); // "Phases"

// One span; `word` is the enumerator of the level (a Phase, a Section, ...), unused for tokens and
// layers. 40 bytes, since there may be millions.
struct FlameSpan {
    TimeRange time;
    std::int32_t token = kNoToken;
    std::int32_t layer = kNoLayer;
    float energy_mj = std::numeric_limits<float>::quiet_NaN(); // NaN: missing
    std::uint8_t word = 0;
    std::uint8_t component = 0; // component of an operation

    bool hasEnergy() const { return energy_mj == energy_mj; }
};

// The spans of a run by level, each in order of time, as far as they were recorded and read. Not
// synchronised: owned by one thread.
class FlameData {
public:
    FlameData() = default;
    explicit FlameData(const RunTrace& trace); // with the levels that the trace has

    // Adds layers, components and operations of one step, unless the step was already added.
    void addStep(std::int32_t token, const RunTrace& step);
    bool hasStep(std::int32_t token) const { return m_whole || m_steps.contains(token); }

    const std::vector<FlameSpan>& spans(FlameLevel level) const
    {
        return m_levels[static_cast<std::size_t>(level)];
    }
    // Levels with at least one span, from outermost to innermost.
    std::vector<FlameLevel> levels() const;
    // Tokens that overlap the range and whose step was not added yet.
    std::vector<std::int32_t> missingSteps(TimeRange range) const;
    std::size_t size() const; // number of spans on all levels
    // Maximum of the components, or otherwise of tokens and sections. 0: unknown.
    double largestPowerMw() const { return m_largestPower > 0.0 ? m_largestPower : m_coarsePower; }

    // Whether the power is the same in all spans, as with a modelled source.
    bool powerIsEven() const;

private:
    void insert(FlameLevel level, std::vector<FlameSpan> spans);

    std::array<std::vector<FlameSpan>, kFlameLevelCount> m_levels;
    std::set<std::int32_t> m_steps;
    bool m_whole = false; // constructed with all of its layers
    double m_largestPower = 0.0; // highest power of components
    double m_coarsePower = 0.0; // highest power of tokens and sections
    double m_leastPower = std::numeric_limits<double>::infinity(); // of all three
};

// The part that a section, a component or an operation belongs to; absent for the others, and for
// the section that contains the layers.
std::optional<RunPart> partOf(FlameLevel level, const FlameSpan& span);

Message title(FlameLevel level, const FlameSpan& span); // "token 7", "q_proj", "Prefill"

struct FlameStyle {
    double row_height = 22.0;
    double least_width = 2.0; // narrower spans are merged with their neighbours
    double char_width = 7.0;
};

// A span, or a sequence of adjacent spans that are too narrow to be drawn separately.
struct FlameBox {
    FlameLevel level = FlameLevel::Phase;
    std::size_t first = 0; // index of the span in its level
    std::size_t count = 1; // more than one: spans were merged
    Rect rect;
    bool label_fits = false; // there is room for at least 4 characters

    bool operator==(const FlameBox&) const = default;
};

struct FlameGeometry {
    std::vector<FlameLevel> rows; // from top to bottom
    std::vector<FlameBox> boxes; // by row, then from left to right
    double top = 0.0;
    double row_height = 0.0;

    std::optional<std::size_t> hit(Point point) const; // index of a box
    double height() const { return static_cast<double>(rows.size()) * row_height; }
};

// Spans that overlap `visible`, clipped to the plot. At most width / least_width boxes per row,
// however many spans there are; O(boxes x log spans).
FlameGeometry layoutFlame(const FlameData& data, TimeRange visible, const Rect& plot,
                          const FlameStyle& style);

} // namespace ep::viz
