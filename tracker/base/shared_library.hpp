// A shared library that is loaded when it is first used, and not with the program: what only some commands
// use would make every command start later.
#pragma once

#include <string>

namespace tracker {

class SharedLibrary {
 public:
  // Names of the package with a library: Debian's, and that of Fedora and RHEL.
  struct Package {
    const char* deb;
    const char* rpm;
  };

  // `file` as the system's loader looks for it: "libpq.so.5"; `use`: what needs it. kEnvironment where it
  // cannot be loaded.
  SharedLibrary(const char* file, std::string use, Package package);

  // A function's address: becomes a pointer to whatever type of function it is assigned to.
  struct Symbol {
    void* address;
    template <class Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };

  // kEnvironment where the library has none of that name. It stays valid: no library is unloaded.
  Symbol operator[](const char* name) const;
  // The same, and null where an older release of the library has none of that name.
  Symbol find(const char* name) const;

 private:
  [[noreturn]] void refuse() const;

  std::string use_;
  Package package_;
  void* library_;
};

}  // namespace tracker
