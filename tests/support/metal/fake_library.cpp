// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/metal/fake_library.h"

#include "support/metal/imitated_kernels.h"
#include "support/metal/lanes.h"

#include <limits>
#include <map>
#include <regex>
#include <stdexcept>

namespace ep::test::metal {
namespace {

// The kernels that the text instantiates, by their host names.
std::map<std::string, ImitatedKernel> kernelsOf(const std::string& source)
{
    static const std::regex line(
        R"re(template \[\[host_name\("([a-z0-9_]+)"\)\]\] \[\[kernel\]\] decltype\(([^)]+)\) ([^;]+);)re");
    std::map<std::string, ImitatedKernel> kernels;
    for (std::sregex_iterator at(source.begin(), source.end(), line), end; at != end; ++at) {
        const std::string function = (*at)[2];
        const auto found = imitatedKernels().find(function);
        if (found == imitatedKernels().end() || (*at)[3] != function)
            throw std::runtime_error("program_source: error: no function " + function);
        kernels[(*at)[1]] = found->second;
    }
    return kernels;
}

class FakeLibrary final : public model::GpuLibrary {
public:
    FakeLibrary(std::map<std::string, ImitatedKernel> kernels, LibraryBehaviour behaviour,
                LibraryLog& log)
        : m_kernels(std::move(kernels))
        , m_behaviour(behaviour)
        , m_log(log)
    {
    }

    void run(const model::GpuLaunch& launch) override
    {
        m_log.run.push_back(launch.kernel);
        if (m_behaviour == LibraryBehaviour::Throwing)
            throw std::runtime_error("the GPU has been reset\nwith a trace of calls");
        const ImitatedKernel kernel = m_kernels.at(launch.kernel);
        std::vector<void*> buffers;
        for (const at::Tensor& tensor : launch.tensors) {
            if (!tensor.defined() || !tensor.is_contiguous())
                throw std::logic_error("a buffer is missing or has gaps");
            buffers.push_back(tensor.data_ptr());
        }
        if (buffers.size() != kernel.buffers || launch.constant_bytes != kernel.constant_bytes)
            throw std::logic_error("other buffers or constants than the kernel has");
        buffers.push_back(const_cast<void*>(launch.constants));
        std::array<std::uint32_t, 3> groups{};
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (launch.threads[i] % launch.group[i] != 0)
                throw std::logic_error("a threadgroup is not whole");
            groups[i] = static_cast<std::uint32_t>(launch.threads[i] / launch.group[i]);
        }
        for (std::uint32_t y = 0; y < groups[1]; ++y) {
            for (std::uint32_t x = 0; x < groups[0]; ++x) {
                const std::array<std::uint32_t, 3> group{x, y, 0};
                runGroup(static_cast<unsigned>(launch.group[0]),
                         [&](unsigned thread) { kernel.run(buffers.data(), group, thread); });
            }
        }
        spoil(launch);
    }

private:
    void spoil(const model::GpuLaunch& launch) const
    {
        const bool tile = launch.kernel.starts_with("tile_");
        const at::Tensor last = launch.tensors.back().flatten()[-1];
        if (m_behaviour == LibraryBehaviour::WrongTiles && tile) {
            const at::Tensor all = launch.tensors.back().to(at::kFloat).abs().max();
            last.add_(all.item<float>() * 0.03F);
        }
        if (m_behaviour == LibraryBehaviour::NotNumbers && !tile)
            last.fill_(std::numeric_limits<float>::quiet_NaN());
    }

    std::map<std::string, ImitatedKernel> m_kernels;
    LibraryBehaviour m_behaviour;
    LibraryLog& m_log;
};

} // namespace

std::unique_ptr<model::GpuLibrary> fakeLibrary(const model::GpuSource& source,
                                               LibraryBehaviour behaviour, LibraryLog& log)
{
    if (behaviour == LibraryBehaviour::Missing)
        return nullptr;
    auto kernels = kernelsOf(model::metalText(source));
    std::string names;
    for (const auto& [name, kernel] : kernels)
        names += (names.empty() ? "" : ", ") + name;
    log.compiled.push_back(names);
    if (behaviour == LibraryBehaviour::RefusesText)
        throw std::runtime_error("program_source:12:3: error: unknown type name\n  more lines");
    return std::make_unique<FakeLibrary>(std::move(kernels), behaviour, log);
}

model::GpuLanguage metalBy(LibraryBehaviour behaviour, LibraryLog& log, bool tiles)
{
    return {.name = "Metal",
            .gpus = "Apple's GPUs",
            .tiles = tiles,
            .compile = [behaviour, &log](const model::GpuSource& source) {
                return fakeLibrary(source, behaviour, log);
            }};
}

} // namespace ep::test::metal
