// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/backend.h"

#include "ep/model/memory.h"
#include "ep/power/sampler.h"
#include "ep/store/store.h"

#include <utility>

namespace ep::session {

namespace {

class SampledFeed final : public PowerFeed {
public:
    Status start(const power::SourceChoice& choice, int intervalMs, PowerSink sink) override
    {
        return m_sampler.start(choice, intervalMs,
                               {std::move(sink.sample), std::move(sink.problem)});
    }
    void stop() override { m_sampler.stop(); }
    std::string kind() const override { return m_sampler.kind(); }
    std::string detail() const override { return m_sampler.detail(); }
    std::string reason() const override { return m_sampler.reason(); }
    power::SourceFacts facts() const override { return m_sampler.facts(); }

private:
    power::Sampler m_sampler;
};

} // namespace

Backend realBackend()
{
    return {.openEngineLibrary = [] { return model::EngineLibrary::open(); },
            .makePowerFeed = [] { return std::make_unique<SampledFeed>(); },
            .availableMemory = [] { return model::availableMemory(); },
            .beginActivity = beginActivity,
            .kernelFile = store::defaultDatabasePath().parent_path() / "kernels.json"};
}

} // namespace ep::session
