// The machine code that an executable carries for its kernels, as nvcc put it there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/machine_code/cubin.hpp"
#include "tracker/machine_code/fatbin.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct KernelId {
  std::string name;      // mangled
  int architecture = 0;  // whose code runs: 90 for sm_90 and sm_90a
  bool operator==(const KernelId&) const = default;
};

class MachineCode {
 public:
  // The whole of an executable's file. Never throws: for what is none, or is damaged, there is no code.
  explicit MachineCode(std::string executable);
  // Of cubins for this architecture, as the driver loaded them.
  MachineCode(std::vector<std::string> cubins, int architecture);

  // Hash, size and instructions of the kernels; one that stands there twice counts once. Where one of them is
  // not known there is no hash, and why_no_hash says it; without kernels there is nothing.
  Code code_of(const std::vector<KernelId>& kernels) const;

  // Everything that has machine code here.
  std::vector<KernelId> functions() const;

 private:
  struct Unit {
    int architecture = 0;
    bool is_specific = false;
    Cubin cubin;
  };
  struct Found;

  void add(const FatbinEntry& entry);
  Found find(const KernelId& kernel) const;

  std::vector<std::unique_ptr<const std::string>>
      files_;  // the units are views of them, wherever this is moved to
  std::vector<Unit> units_;
  std::vector<ByteView> ptx_;
  bool has_compressed_ = false;  // of cubins
  std::string why_none_;
};

}  // namespace tracker
