// Programs that a process starts are watched too, also where it clears their environment.
#pragma once

/// Keeps what the environment says about us; returns the folder for stacks files, or NULL.
const char* remember_variables(char* const* environment);

/// The folder for what holds for all processes, or NULL.
const char* sites_folder(void);

/// Carries out execve or execveat, with our variables among the new program's.
long start_program(long number, const long arguments[5]);
