#include "lab/recipe.h"
#include "build/builder.h"
#include "history/repository.h"
#include "project/project.h"

#include <filesystem>
#include <system_error>

namespace dragnet::lab {

build::Recipe recipe_of(const project::Project& project, const history::Repository& repository) {
  std::error_code problem;
  const auto inside = std::filesystem::relative(project.root, repository.root(), problem);
  return {project.build.command, project.build.environment, project.build.limit,
          inside == "." ? std::filesystem::path() : inside};
}

} // namespace dragnet::lab
