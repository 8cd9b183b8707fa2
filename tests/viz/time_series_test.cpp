// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ep::viz {
namespace {

struct Sample {
    TimeRange window;
    std::optional<double> value;
};

// The expected result of summary(), computed sample by sample.
SeriesSummary bruteForce(const std::vector<Sample>& samples, TimeRange range)
{
    SeriesSummary result;
    for (const Sample& sample : samples) {
        const TimeRange inside = intersection(range, sample.window);
        if (!sample.value || inside.empty())
            continue;
        const double v = *sample.value;
        result.min = result.empty() ? v : std::min(result.min, v);
        result.max = result.empty() ? v : std::max(result.max, v);
        result.integral += v * toSeconds(inside.duration_ns());
        result.covered_ns += inside.duration_ns();
    }
    return result;
}

void expectSame(const SeriesSummary& actual, const SeriesSummary& expected)
{
    EXPECT_EQ(actual.covered_ns, expected.covered_ns);
    EXPECT_NEAR(actual.integral, expected.integral, 1e-9 * (1.0 + std::abs(expected.integral)));
    if (!expected.empty()) {
        EXPECT_EQ(actual.min, expected.min);
        EXPECT_EQ(actual.max, expected.max);
    }
}

std::vector<Sample> randomSamples(int count)
{
    std::mt19937 random(3);
    std::vector<Sample> samples;
    Nanoseconds at = -500;
    for (int i = 0; i < count; ++i) {
        if (random() % 17 == 0)
            at += static_cast<Nanoseconds>(random() % 700); // a gap
        const Nanoseconds length = 80 + static_cast<Nanoseconds>(random() % 50);
        std::optional<double> value;
        if (random() % 23 != 0)
            value = static_cast<double>(random() % 10'000) - 500.0; // noise may be negative
        samples.push_back({{at, at + length}, value});
        at += length;
    }
    return samples;
}

TEST(TimeSeries, IsEmptyAtFirst)
{
    const TimeSeries series;
    EXPECT_TRUE(series.empty());
    EXPECT_TRUE(series.time().empty());
    EXPECT_TRUE(series.summary({0, 100}).empty());
    EXPECT_TRUE(series.gaps(0).empty());
    EXPECT_TRUE(series.lines({0, 100}, 600, 10).empty());
    EXPECT_EQ(series.indexAt(0), std::nullopt);
    ASSERT_EQ(series.columns({0, 100}, 3).size(), 3U);
    EXPECT_TRUE(series.columns({0, 100}, 3)[1].summary.empty());
    EXPECT_TRUE(series.columns({0, 0}, 3).empty());
    EXPECT_TRUE(series.columns({0, 100}, 0).empty());
}

TEST(TimeSeries, CutsOverlapsAndIgnoresWhatIsLate)
{
    TimeSeries series;
    EXPECT_TRUE(series.append({0, 100}, 1.0));
    EXPECT_TRUE(series.append({90, 200}, 2.0));
    EXPECT_FALSE(series.append({100, 200}, 3.0));
    EXPECT_FALSE(series.append({250, 250}, 4.0));
    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(series.window(1), (TimeRange{100, 200}));
    EXPECT_EQ(series.value(1), 2.0);
    EXPECT_EQ(series.time(), (TimeRange{0, 200}));
}

TEST(TimeSeries, FindsTheSampleAtATime)
{
    TimeSeries series;
    series.append({0, 10}, 1.0);
    series.append({20, 30}, std::nullopt);
    EXPECT_EQ(series.indexAt(-1), std::nullopt);
    EXPECT_EQ(series.indexAt(0), 0U);
    EXPECT_EQ(series.indexAt(10), std::nullopt);
    EXPECT_EQ(series.indexAt(29), 1U);
    EXPECT_EQ(series.indexAt(30), std::nullopt);
    EXPECT_EQ(series.value(1), std::nullopt);
}

TEST(TimeSeries, AStraddlingSampleCountsInProportion)
{
    TimeSeries series;
    series.append({0, 1'000'000'000}, 10.0);
    const SeriesSummary half = series.summary({250'000'000, 750'000'000});
    EXPECT_DOUBLE_EQ(half.integral, 5.0);
    EXPECT_EQ(half.covered_ns, 500'000'000);
    EXPECT_DOUBLE_EQ(half.mean(), 10.0);
    EXPECT_EQ(half.max, 10.0);
}

TEST(TimeSeries, SummariesEqualAWalkOverAllSamplesWhileItGrows)
{
    const auto samples = randomSamples(5'000);
    TimeSeries series;
    std::vector<Sample> known;
    std::mt19937 random(5);
    for (const Sample& sample : samples) {
        ASSERT_TRUE(series.append(sample.window, sample.value));
        known.push_back(sample);
        const std::size_t n = known.size();
        if (n > 40 && n % 331 != 0 && (n & (n - 1)) != 0)
            continue;
        const Nanoseconds whole = series.time().end_ns + 1'000;
        for (int i = 0; i < 20; ++i) {
            const auto a = static_cast<Nanoseconds>(random() % static_cast<unsigned>(whole)) - 600;
            const auto b = static_cast<Nanoseconds>(random() % static_cast<unsigned>(whole)) - 600;
            const TimeRange range{std::min(a, b), std::max(a, b)};
            expectSame(series.summary(range), bruteForce(known, range));
        }
        expectSame(series.summary({-10'000, whole}), bruteForce(known, {-10'000, whole}));
    }
}

TEST(TimeSeries, EnvelopesHoldTheExtremesOfTheirColumn)
{
    const auto samples = randomSamples(20'000);
    TimeSeries series;
    for (const Sample& sample : samples)
        series.append(sample.window, sample.value);
    for (const int count : {1, 7, 50, 900}) {
        const TimeRange range{1'000, series.time().end_ns - 1'000};
        const auto columns = series.columnSamples(range, count);
        const auto exact = series.columns(range, count);
        ASSERT_EQ(columns.size(), static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto [first, last] = columns[i];
            const SeriesExtremes shown = series.envelope(columns[i]);
            // The window contains the samples that touch the column.
            EXPECT_GT(series.window(first).end_ns, exact[i].time.begin_ns);
            EXPECT_LT(series.window(last - 1).begin_ns, exact[i].time.end_ns);
            if (last - first < 256) { // narrower than any node of the pyramid: exact
                EXPECT_EQ(shown.min, exact[i].summary.min);
                EXPECT_EQ(shown.max, exact[i].summary.max);
            } else { // shifted by less than a sixteenth
                const std::size_t slack = (last - first) / 16;
                const TimeRange inner{series.window(first + slack).begin_ns,
                                      series.window(last - slack - 1).end_ns};
                EXPECT_LE(shown.min, series.summary(inner).min);
                EXPECT_GE(shown.max, series.summary(inner).max);
            }
        }
    }
    EXPECT_TRUE(series.columnSamples({5, 5}, 10).empty());
    EXPECT_TRUE(series.envelope({3, 3}).empty());
    EXPECT_EQ(TimeSeries().columnSamples({0, 10}, 2).size(), 2U);
}

TEST(TimeSeries, FindsThePeakOfARange)
{
    const auto samples = randomSamples(3'000);
    TimeSeries series;
    for (const Sample& sample : samples)
        series.append(sample.window, sample.value);
    std::mt19937 random(11);
    const auto whole = static_cast<unsigned>(series.time().end_ns);
    for (int i = 0; i < 200; ++i) {
        const auto a = static_cast<Nanoseconds>(random() % whole);
        const TimeRange range{a, a + static_cast<Nanoseconds>(random() % 20'000)};
        const SeriesSummary expected = bruteForce(samples, range);
        const auto peak = series.peak(range);
        ASSERT_EQ(peak.has_value(), !expected.empty());
        if (!peak)
            continue;
        EXPECT_EQ(series.value(*peak), expected.max);
        EXPECT_FALSE(intersection(series.window(*peak), range).empty());
    }
    EXPECT_EQ(TimeSeries().peak({0, 10}), std::nullopt);
}

TEST(TimeSeries, ColumnsTileTheRangeAndKeepTheIntegral)
{
    const auto samples = randomSamples(3'000);
    TimeSeries series;
    for (const Sample& sample : samples)
        series.append(sample.window, sample.value);
    for (const int count : {1, 7, 640, 3'200}) {
        const TimeRange range{1'234, series.time().end_ns - 77};
        const auto columns = series.columns(range, count);
        ASSERT_EQ(columns.size(), static_cast<std::size_t>(count));
        Nanoseconds edge = range.begin_ns;
        double integral = 0.0;
        double max = -1e9;
        for (const SeriesColumn& column : columns) {
            ASSERT_EQ(column.time.begin_ns, edge);
            edge = column.time.end_ns;
            integral += column.summary.integral;
            if (!column.summary.empty())
                max = std::max(max, column.summary.max);
        }
        EXPECT_EQ(edge, range.end_ns);
        const SeriesSummary whole = series.summary(range);
        EXPECT_NEAR(integral, whole.integral, 1e-9 * std::abs(whole.integral));
        EXPECT_EQ(max, whole.max); // no zoom level loses a peak
    }
}

TEST(TimeSeries, GapsAreUncoveredOrMissing)
{
    TimeSeries series;
    series.append({0, 10}, 1.0);
    series.append({12, 20}, 1.0);
    series.append({20, 30}, std::nullopt);
    series.append({30, 40}, 1.0);
    series.append({60, 70}, 1.0);
    EXPECT_EQ(series.gaps(5), (std::vector<TimeRange>{{20, 30}, {40, 60}}));
    EXPECT_EQ(series.gaps(1), (std::vector<TimeRange>{{10, 12}, {20, 30}, {40, 60}}));
    EXPECT_TRUE(series.gaps(20).empty());
}

TEST(TimeSeries, LinesBreakAtGaps)
{
    using Points = std::vector<TimeSeries::LinePoint>;
    TimeSeries series;
    series.append({0, 10}, 1.0);
    series.append({10, 20}, 2.0);
    series.append({50, 60}, 3.0);
    const auto lines = series.lines({0, 100}, 600, 5);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], (Points{{0, 1.0}, {10, 1.0}, {10, 2.0}, {20, 2.0}}));
    EXPECT_EQ(lines[1], (Points{{50, 3.0}, {60, 3.0}}));
    EXPECT_EQ(series.lines({0, 100}, 600, 100).size(), 1U);
}

// The area that a reader of the chart takes for the energy is the energy.
TEST(TimeSeries, TheAreaBelowALineOfAllSamplesIsTheIntegral)
{
    TimeSeries series;
    series.append({0, 1'000'000}, 11.0);
    series.append({1'000'000, 9'000'000}, 13.0);
    series.append({20'000'000, 21'000'000}, 40.0);
    double area = 0.0;
    for (const auto& line : series.lines(series.time(), 600, 5'000'000)) {
        for (std::size_t i = 1; i < line.size(); ++i)
            area += (line[i].value + line[i - 1].value) / 2.0
                * toSeconds(line[i].time - line[i - 1].time);
    }
    EXPECT_NEAR(area, series.summary(series.time()).integral, 1e-12);
}

TEST(TimeSeries, LinesHoldTheirLimitAndTheExtremes)
{
    for (const int count : {1, 10, 299, 300, 301, 1'000, 36'000}) {
        TimeSeries series;
        for (int i = 0; i < count; ++i)
            series.append({i * 100, i * 100 + 100}, i == count / 2 ? 777.0 : 5.0 + i % 3);
        const auto lines = series.lines(series.time(), 600, 300);
        ASSERT_EQ(lines.size(), 1U) << count;
        EXPECT_LE(lines[0].size(), 600U) << count;
        EXPECT_TRUE(std::any_of(lines[0].begin(), lines[0].end(), [](const auto& p) {
            return p.value == 777.0;
        })) << count;
        EXPECT_TRUE(std::is_sorted(lines[0].begin(), lines[0].end(),
                                   [](const auto& a, const auto& b) { return a.time < b.time; }));
    }
}

TEST(TimeSeries, ClearForgetsEverything)
{
    TimeSeries series;
    for (int i = 0; i < 500; ++i)
        series.append({i, i + 1}, 1.0);
    series.clear();
    EXPECT_TRUE(series.empty());
    EXPECT_TRUE(series.append({0, 1}, 2.0));
    EXPECT_EQ(series.summary({0, 1}).max, 2.0);
}

} // namespace
} // namespace ep::viz
