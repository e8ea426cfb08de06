// The environment variables that tell dragnet-exec.so what to do, for C and C++.
#pragma once

// Programs below this folder, as a resolved path, are started inside the emulator; "/" means all.
#define DRAGNET_COUNT_BELOW "DRAGNET_COUNT_BELOW"
// The emulator.
#define DRAGNET_COUNT_WITH "DRAGNET_COUNT_WITH"
// The value of its option -plugin.
#define DRAGNET_COUNT_PLUGIN "DRAGNET_COUNT_PLUGIN"
