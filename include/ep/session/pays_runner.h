// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays.h"
#include "ep/session/study_runner.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Measures interleaved pairs of two settings until it is known which of the two is cheaper
// (docs/pays.md).
namespace ep::session {

// Default settings for the runs of a pair: `like`, recorded at no depth and without a baseline,
// with the lengths and the warm-up of studies.
RunRequest usualOfPairs(RunRequest like = {});

// Parses settings separated by commas: key=value with the keys model, dtype, device, kv-cache,
// prompt-cache, draft, server, dialect and the numbers that a side may have (kInSides); or a single
// word that is a number format, a device, an address or a model. The rest is as in `like`.
Result<NamedSettings> parseSide(const std::string& text, const RunRequest& like);
// A server, with its own settings of the model.
NamedSettings serverSide(const std::string& text, const ServerTarget& server,
                         const RunRequest& like);
// A command to be recorded, as typed (core/command_record.h). Its program must exist.
Result<NamedSettings> commandSide(const std::string& text, const RunRequest& like);

struct PaysSpec {
    std::string name; // also the name of the runs' experiment
    NamedSettings a;
    NamedSettings b;
    int most_pairs = 200;
    double most_minutes = 60.0;
    energy::SideTestOptions test{};
    int fixed_pairs = 0; // number of pairs, whatever their result; 0: until the verdict is known
    std::uint64_t seed = 1; // determines the order within pairs
};

struct PairStep {
    int pair = 0; // counted from 1
    bool a = false;

    bool operator==(const PairStep&) const = default;
};
// All runs up to the last pair. Of every two pairs, the first runs in a random order and the second
// in the opposite one, so that a steady drift cancels.
std::vector<PairStep> planPairs(const PaysSpec& spec);

// The pairs among the runs of an experiment. A pair counts once both of its runs are complete.
struct StoredPairs {
    powerlog::PairTable table; // energy, time and, if all runs state one, quality
    Provenance provenance = Provenance::Missing; // the worst provenance of the energies
    std::vector<std::string> runs{}; // ids, two for each pair in the table: a, then b
    // Which settings of the two differ, as comparisons call them; empty: none.
    Message a{};
    Message b{};
    bool until_known = true;
};
StoredPairs pairsOf(std::span<const RunSummary> runs);

// Adds the perplexities of both settings that were measured on the same text as a further figure
// without pairs; its interval is over the parts of the text. qualities: newest first.
void addQuality(std::span<const RunSummary> runs, const std::vector<QualityRecord>& qualities,
                PaysDecision& decision);

struct PaysResult {
    PaysDecision decision;
    StoredPairs pairs;
    std::optional<double> minutes_left{}; // estimate until a verdict; unknown verdicts only
    bool cancelled = false;
    std::optional<Error> error; // a run failed, or nothing can be stored
};

// Makes the runs on the thread that created it, which needs an event loop, like StudyRunner. Runs
// are stored with their experiment and a tag, so that the same spec continues after an
// interruption.
class PaysRunner : public QObject {
    Q_OBJECT
public:
    PaysRunner(PaysSpec spec, StudyOptions options, Backend backend, QObject* parent = nullptr);
    ~PaysRunner() override;

    void start(); // call once
    void cancel(); // keeps the pairs measured so far
    const PaysResult& result() const;

Q_SIGNALS:
    void stepStarting(int pair, const ep::Message& setting, bool a); // pair: counted from 1
    void progress(double fraction, const ep::Message& what); // progress of the run
    void tokenComplete(const ep::session::TokenComplete& token);
    void runFinished(const ep::session::RunFinished& finished);
    void pairFinished(); // result() has changed
    void finished(); // emitted exactly once; see result()

private:
    struct Private;
    void next();
    void runStep(const PairStep& step);
    void stepEnded();
    Status decideAgain();
    void end();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
