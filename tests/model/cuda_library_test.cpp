// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda_library.h"
#include "gpu/gpu_formats.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// NVIDIA's compiler and driver, imitated: what they are given, and what follows from their errors.
namespace ep::model {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

struct Launched {
    std::string function;
    std::vector<unsigned> grid, block;
    std::vector<void*> parameters;
};

struct FakeCuda {
    int compile_status = 0;
    int launch_status = 0;
    std::string log;
    std::string text;
    std::vector<std::string> options, headers;
    std::vector<std::string> functions; // a function's handle is its place here plus one
    std::vector<Launched> launched;
    int programs = 0; // created and not destroyed
    int modules = 0; // loaded and not unloaded
};
FakeCuda cuda;

std::size_t buffersOf(const std::string& function)
{
    return function == kGpuGate ? 3 : 7;
}

CudaCalls fakeCalls()
{
    cuda = {};
    CudaCalls calls;
    calls.create = [](void** program, const char* text, const char*, int count, const char* const*,
                      const char* const* names) {
        cuda.text = text;
        cuda.headers.assign(names, names + count);
        *program = &++cuda.programs;
        return 0;
    };
    calls.compile = [](void*, int count, const char* const* options) {
        cuda.options.assign(options, options + count);
        return cuda.compile_status;
    };
    calls.log_size = [](void*, std::size_t* bytes) {
        *bytes = cuda.log.size();
        return 0;
    };
    calls.log = [](void*, char* to) {
        std::ranges::copy(cuda.log, to);
        return 0;
    };
    calls.binary_size = [](void*, std::size_t* bytes) {
        *bytes = 4;
        return 0;
    };
    calls.binary = [](void*, char* to) {
        std::memcpy(to, "ELF", 4);
        return 0;
    };
    calls.destroy = [](void**) {
        --cuda.programs;
        return 0;
    };
    calls.load = [](void** module, const void* binary) {
        *module = &++cuda.modules;
        return std::strcmp(static_cast<const char*>(binary), "ELF");
    };
    calls.unload = [](void*) {
        --cuda.modules;
        return 0;
    };
    calls.function = [](void** function, void*, const char* name) {
        cuda.functions.emplace_back(name);
        *function = reinterpret_cast<void*>(cuda.functions.size());
        return 0;
    };
    calls.launch = [](void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned, void*, void** parameters, void**) {
        const std::string& name = cuda.functions.at(reinterpret_cast<std::size_t>(function) - 1);
        Launched launched{name, {gx, gy, gz}, {bx, by, bz}, {}};
        for (std::size_t i = 0; i < buffersOf(name); ++i)
            launched.parameters.push_back(*static_cast<void**>(parameters[i]));
        launched.parameters.push_back(parameters[buffersOf(name)]); // the constants themselves
        cuda.launched.push_back(std::move(launched));
        return cuda.launch_status;
    };
    calls.device = [](int* device) {
        *device = 3;
        return 0;
    };
    calls.attribute = [](int* value, int attribute, int device) {
        *value = attribute == 75 ? 9 : 0;
        return device == 3 ? 0 : 1;
    };
    calls.error_text = [](int, const char** text) {
        *text = "an illegal memory access was encountered";
        return 0;
    };
    return calls;
}

TEST(CudaLibraryTest, CompilesForTheArchitectureOfTheDevice)
{
    const GpuSource source =
        gpuSource(*gpuFormatOf(DType::Q4_K), GpuActivations::F16, GpuKernelKind::Dequantize);
    {
        const auto library = makeCudaLibrary(fakeCalls(), source);
        EXPECT_THAT(cuda.options, testing::Contains("--gpu-architecture=sm_90"));
        EXPECT_THAT(cuda.headers, ElementsAre("metal_stdlib", "metal_simdgroup_matrix"));
        EXPECT_THAT(cuda.functions, ElementsAre("vector_q4_k_f16", "dequantize_q4_k_f16"));
        EXPECT_THAT(
            cuda.text,
            AllOf(HasSubstr("void gemv("), Not(HasSubstr("host_name")),
                  HasSubstr("extern \"C\" __global__ void dequantize_q4_k_f16(Buffer b0, "
                            "Buffer b1, Buffer b2, Buffer b3, Buffer b4, Shape constants)"),
                  HasSubstr("dequantizeUnit<Q4_K, InF16>(b0, b1, b2, b3, b4, constants, ")));
        EXPECT_EQ(cuda.programs, 0) << "is freed once its kernels are loaded";
        EXPECT_EQ(cuda.modules, 1);
    }
    EXPECT_EQ(cuda.modules, 0);
}

TEST(CudaLibraryTest, LaunchesWholeGroupsWithTheAddressesOfTheTensors)
{
    const auto library = makeCudaLibrary(fakeCalls(), gpuFusedSource(GpuActivations::F32));
    const at::Tensor all = at::zeros({4, 8});
    const at::Tensor part = all.select(0, 2);
    const int constants[] = {8, 1};
    library->run({.kernel = kGpuGate,
                  .tensors = {all, part, all},
                  .constants = &constants,
                  .constant_bytes = sizeof constants,
                  .threads = {3 * 128, 2, 1},
                  .group = {128, 1, 1}});
    ASSERT_EQ(cuda.launched.size(), 1U);
    const Launched& launched = cuda.launched.front();
    EXPECT_EQ(launched.function, kGpuGate);
    EXPECT_THAT(launched.grid, ElementsAre(3, 2, 1));
    EXPECT_THAT(launched.block, ElementsAre(128, 1, 1));
    EXPECT_THAT(launched.parameters,
                ElementsAre(all.data_ptr(), all.data_ptr<float>() + 16, all.data_ptr(),
                            static_cast<const void*>(&constants)));
}

TEST(CudaLibraryTest, SaysWhatTheCompilerAndTheDriverSay)
{
    CudaCalls calls = fakeCalls();
    const GpuSource source = gpuFusedSource(GpuActivations::F32);
    cuda.compile_status = 6;
    cuda.log = "kernels(3): warning #1097-D: unknown attribute\nkernels(7): error: no such type\n";
    EXPECT_THAT([&] { makeCudaLibrary(calls, source); },
                ThrowsMessage<std::runtime_error>(testing::StartsWith("kernels(7): error: no")));
    EXPECT_EQ(cuda.programs, 0);
    cuda.compile_status = 0;
    cuda.launch_status = 700;
    const auto library = makeCudaLibrary(calls, source);
    EXPECT_THAT(
        [&] {
            library->run(
                {.kernel = kGpuGate, .tensors = {at::zeros(1), at::zeros(1), at::zeros(1)}});
        },
        ThrowsMessage<std::runtime_error>("gate: an illegal memory access was encountered"));
}

} // namespace
} // namespace ep::model
