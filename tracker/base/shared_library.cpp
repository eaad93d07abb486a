#include "tracker/base/shared_library.hpp"

#include <dlfcn.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {

SharedLibrary::SharedLibrary(const char* file, std::string use, std::string package)
    : use_(std::move(use)), package_(std::move(package)), library_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) refuse();
}

SharedLibrary::Symbol SharedLibrary::operator[](const char* name) const {
  void* const found = ::dlsym(library_, name);
  if (found == nullptr) refuse();
  return {found};
}

// The loader's words name the file, and the function where that is missing.
void SharedLibrary::refuse() const {
  const char* const why = ::dlerror();
  throw Error(ExitCode::kEnvironment,
              "cannot load what " + use_ + " needs: " + printable(why != nullptr ? why : "no reason given"),
              "apt-get install " + package_);
}

}  // namespace tracker
