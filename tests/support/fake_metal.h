// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metal_buffers.h"

namespace ep::test {

// An imitation of the functions behind MetalCalls: a GPU that executes command buffers in order on
// its own clock, copies each handler block to the heap as Metal does, and calls handlers on other
// threads when told to.
namespace fake_metal {

// How the GPU treats buffers committed from now on.
enum class Behaviour {
    Prompt, // handlers are called in order by the end of synchronize()
    Late, // .. some milliseconds after synchronize() has returned
    Reversed, // .. in reverse order
    Failing, // buffers end with an error
    Lost, // handlers are never called
    Twice, // handlers are called twice
    Throwing, // LibTorch throws when its command buffer is asked for
};

model::MetalCalls calls(); // resets the imitation
void behave(Behaviour behaviour);
void work(double seconds); // encodes work of this duration
int liveBlocks(); // heap copies of blocks that have not been released
int callsOutsideQueue(); // counts get_command_buffer() and commit(); LibTorch 2.15 ends the process
                         // at such a call
void finish(); // waits for all outstanding handlers

} // namespace fake_metal

} // namespace ep::test
