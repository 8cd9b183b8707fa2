// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::model {

enum class X86Feature { AvxVnni, Avx512Bf16, AmxBf16, AmxInt8, AmxTile };

// Whether the processor has a feature that __builtin_cpu_supports() of the oldest compilers does
// not know. Systems that save the registers of AVX2 and AVX-512 save those of these features,
// except AMX's tiles. (Not inline: it must not be compiled for any of these features.)
bool x86Feature(X86Feature feature);

} // namespace ep::model
