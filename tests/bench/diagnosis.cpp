// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the tables of docs/diagnosis.md: how often the diagnosis of a simulated run with known
// causes is correct.
//   ep-diagnosis [SEEDS [--pairs]]     100 seeds and pairs take some minutes
#include "support/diagnosis_trials.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace ep;

void print(const char* title, const test::Score& score, const char* goal)
{
    std::printf("| %s | %s | %.1f %% of %d |\n", title, goal, 100.0 * score.share(), score.runs);
}

void print(const char* title, std::vector<double> errors, const char* goal)
{
    std::ranges::sort(errors);
    if (!errors.empty())
        std::printf("| %s | %s | median %.2f %%, largest %.2f %% |\n", title, goal,
                    100.0 * errors[errors.size() / 2], 100.0 * errors.back());
}

} // namespace

int main(int argc, char** argv)
{
    const int seeds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 8;
    const bool pairs = argc > 2 && std::strcmp(argv[2], "--pairs") == 0;
    const test::DiagnosisScores scores = test::scoreDiagnoses(seeds, pairs);
    std::printf("| cause | named first where it explains 10 %% or more | something else named |\n"
                "| --- | ---: | ---: |\n");
    test::Score first;
    test::Score wrong;
    for (const energy::CauseFacts& facts : energy::kCauses) {
        const auto one = scores.first.find(facts.cause);
        const test::Score named = one == scores.first.end() ? test::Score{} : one->second;
        const test::Score& other = scores.wrong.at(facts.cause);
        std::printf("| %s | %.1f %% of %d | %.1f %% of %d |\n", facts.title, 100.0 * named.share(),
                    named.runs, 100.0 * other.share(), other.runs);
        first.runs += named.runs;
        first.good += named.good;
        wrong.runs += other.runs;
        wrong.good += other.good;
    }
    std::printf("\n| figure | goal | found |\n| --- | --- | --- |\n");
    print("single cause named first", first, ">= 95 %");
    print("wrong cause named, alone", wrong, "<= 1 %");
    if (pairs) {
        print("both of a pair named, each 10 % or more", scores.pairs_both, "");
        print("wrong cause named, in pairs", scores.pairs_wrong, "<= 1 %");
    }
    print("nothing unusual in runs without any", scores.usual, ">= 98 %");
    print("intervals of shares hold", scores.shares, "93 to 97 %");
    print("the same, constants fitted to one varied run", scores.fitted_shares, "93 to 97 %");
    print("intervals of predicted savings hold", scores.savings, "93 to 97 %");
    print("intervals of what a cause explains hold", scores.explained, "");
    print("J/FLOP fitted to one varied run", scores.errors_flop, "2 %");
    print("J/byte fitted to one varied run", scores.errors_byte, "2 %");
    print("static power fitted to one varied run", scores.errors_watts, "2 %");
    for (const auto& [pair, count] : scores.confused)
        std::fprintf(stderr, "put in %s, named %s: %d\n", energy::factsOf(pair.first).id,
                     energy::factsOf(pair.second).id, count);
    return 0;
}
