// How a project's commits are built, for the room `build`.
#pragma once

#include "build/builder.h"
#include "history/repository.h"
#include "project/project.h"

namespace dragnet::lab {

build::Recipe recipe_of(const project::Project& project, const history::Repository& repository);

} // namespace dragnet::lab
