// Where dragnet-clock.so keeps the number of instructions that a program has executed: at a fixed
// address of the program inside QEMU, for dragnet-calls.so to read.
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-macro-to-enum): this is a header of C

#define DRAGNET_CLOCK_AT 0x2d0000000000u

// Set to "instructions" inside the emulator only.
#define DRAGNET_CALLS_CLOCK "DRAGNET_CALLS_CLOCK"

// NOLINTEND(modernize-macro-to-enum)
