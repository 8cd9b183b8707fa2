// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/answer_sections.h"
#include "ep/session/events.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ep::ui {

// The figures of a run in progress, from the events so far. A plain value; times are on the
// monotonic clock, and the caller passes `now`. Each run gets a new object; samples of the idle
// time before a run may arrive before start().
class LiveCounters {
public:
    void start(const session::RunStarted& started);
    void add(const TokenSpan& token, std::string_view section = {}); // section: as in TokenComplete
    void add(const PowerSample& sample);
    void finish(const Run& run); // replaces the estimates by the final figures

    bool started() const { return m_started; }
    bool finished() const { return m_finished; }
    int tokens() const { return m_tokens; }
    int maxTokens() const { return m_maxTokens; }
    std::optional<int> percent() const; // percentage of maxTokens(); only during the run
    const std::string& source() const { return m_source; }
    bool timingOnly() const { return m_started && (m_source.empty() || m_source == "none"); }

    Nanoseconds elapsed(Nanoseconds now) const;
    // Decode phase only, like the stored figures; absent with fewer than two tokens.
    std::optional<double> tokensPerSecond() const;
    // The run's energy so far over the tokens that samples cover, until its own figure is
    // available. Absent once samples have stopped, because the run will have no energy either.
    std::optional<double> joulesPerToken() const;
    Provenance provenance() const { return m_provenance; } // provenance of joulesPerToken()
    // Energy of the samples since the start of the run, then the run's own. Absent for the same
    // reasons as joulesPerToken().
    std::optional<Millijoules> energy() const;
    bool atLeast() const { return m_atLeast; } // energy() covers only the part with samples
    // Power of the newest sample; after the run, its mean.
    std::optional<Milliwatts> power() const
    {
        return m_finished || !samplesHaveStopped() ? m_power : std::nullopt;
    }
    // Thinking and answer so far, with the tokens that samples cover; without energies once the
    // samples have stopped. Empty before the model has thought.
    std::vector<AnswerSection> sections() const;
    // Time until max_new_tokens at the current rate; the model may end earlier. Absent once all
    // tokens are there.
    std::optional<Nanoseconds> remaining() const;
    // Readings received per second of covered time; absent with fewer than two.
    std::optional<double> samplesPerSecond() const;

private:
    struct Uncovered {
        TokenSpan token;
        std::string_view section;
    };
    void takeCovered();
    bool samplesHaveStopped() const; // as happens at the end of a replayed capture

    bool m_started = false;
    bool m_finished = false;
    std::string m_source;
    int m_maxTokens = 0;
    int m_tokens = 0; // over all sequences of a batch
    int m_prefillTokens = 0; // produced by the first step
    Nanoseconds m_begin = 0;
    Nanoseconds m_end = 0; // end of the finished run
    Nanoseconds m_firstEnd = 0;
    Nanoseconds m_lastEnd = 0;
    Millijoules m_sampledEnergy; // energy of samples since m_begin
    std::optional<Milliwatts> m_power;
    std::optional<Millijoules> m_finalEnergy;
    bool m_atLeast = false;
    int m_tokensWithEnergy = 0;
    std::vector<Uncovered> m_uncovered; // estimated, but later than the last sample
    std::vector<AnswerSection> m_sections;
    Provenance m_provenance = Provenance::Missing;
    std::optional<double> m_finalTokensPerSecond;
    std::optional<double> m_finalJoulesPerToken;
    int m_samples = 0;
    TimeRange m_sampled;
    Nanoseconds m_window = 0; // length of the last sample's window
};

} // namespace ep::ui
