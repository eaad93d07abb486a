#include "tracker/base/shared_library.hpp"

#include <dlfcn.h>

#include "tracker/base/error.hpp"

namespace tracker {

SharedLibrary::SharedLibrary(const char* file, std::string use, Package package)
    : use_(std::move(use)), package_(package), library_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) refuse();
}

SharedLibrary::Symbol SharedLibrary::operator[](const char* name) const {
  const Symbol found = find(name);
  if (found.address == nullptr) refuse();
  return found;
}

SharedLibrary::Symbol SharedLibrary::find(const char* name) const {
  return {::dlsym(library_, name)};
}

// The loader's words name the file, and the function where that is missing.
void SharedLibrary::refuse() const {
  const char* const why = ::dlerror();
  throw Error(ExitCode::kEnvironment,
              "cannot load what " + use_ + " needs: " + (why != nullptr ? why : "no reason given"),
              std::string("apt-get install ") + package_.deb + ", or dnf install " + package_.rpm);
}

}  // namespace tracker
