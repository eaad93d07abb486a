#include "tracker/devices/device_driver.hpp"

#include <charconv>
#include <cstdlib>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/devices/device_facts.hpp"
#include "tracker/devices/nvml.hpp"

namespace tracker::devices {
namespace {

class NvidiaDriver final : public Driver {
 public:
  explicit NvidiaDriver(const char* library) : nvml_(Nvml::load(&why_none_, library)) {
    if (nvml_ != nullptr && nvml_->device_count() == 0) why_none_ = "the driver sees no GPU";
  }

  DeviceKind kind() const override { return DeviceKind::kGpu; }
  std::string why_none() const override { return why_none_; }

  std::vector<Device> devices() const override {
    std::vector<Device> found;
    for (const auto& uuid : visible())
      if (auto device = nvml_->device(uuid)) found.push_back(std::move(*device));
    return found;
  }

  std::optional<Reading> read(const Device& device) const override {
    if (nvml_ == nullptr || !device.uuid) return {};
    return nvml_->read(*device.uuid);
  }

  std::vector<int> cpus_near(const Device& device) const override {
    return nvml_ != nullptr && device.uuid ? nvml_->cpus_near(*device.uuid) : std::vector<int>();
  }

  Software software() const override {
    Software software;
    if (nvml_ == nullptr) return software;
    software.driver = nvml_->driver_version();
    software.cuda_driver = nvml_->cuda_driver_version();
    return software;
  }

 private:
  std::vector<std::string> visible() const {
    if (nvml_ == nullptr) return {};
    const auto all = nvml_->uuids();
    const char* in_environment = std::getenv("CUDA_VISIBLE_DEVICES");
    std::vector<std::string> chosen;
    if (in_environment != nullptr)
      for (const auto& part : split(in_environment, ',')) {
        std::size_t number = 0;
        const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), number);
        const bool is_number = problem == std::errc() && end == part.data() + part.size();
        if (is_number && number < all.size() && is_counted_like_cuda(all)) chosen.push_back(all[number]);
        for (const auto& uuid : all)
          if ((part.starts_with("GPU-") || part.starts_with("MIG-")) && uuid.starts_with(part))
            chosen.push_back(uuid);
      }
    return chosen.empty() ? all : chosen;
  }

  bool is_counted_like_cuda(const std::vector<std::string>& all) const {
    const char* order = std::getenv("CUDA_DEVICE_ORDER");
    if (order != nullptr && std::string_view(order) == "PCI_BUS_ID") return true;
    std::set<std::string> models;
    for (const auto& uuid : all)
      if (const auto device = nvml_->device(uuid)) models.insert(device->model);
    return models.size() == 1;
  }

  std::string why_none_;  // before nvml_, whose loading writes it
  std::unique_ptr<Nvml> nvml_;
};

class CpuDriver final : public Driver {
 public:
  DeviceKind kind() const override { return DeviceKind::kCpu; }
  std::string why_none() const override { return ""; }
  std::vector<Device> devices() const override { return {cpu_device()}; }
};

}  // namespace

std::unique_ptr<Driver> nvidia_driver(const char* library) {
  return std::make_unique<NvidiaDriver>(library);
}

std::unique_ptr<Driver> cpu_driver() {
  return std::make_unique<CpuDriver>();
}

std::vector<std::unique_ptr<Driver>> device_drivers() {
  std::vector<std::unique_ptr<Driver>> drivers;
  drivers.push_back(nvidia_driver());
  drivers.push_back(cpu_driver());
  return drivers;
}

}  // namespace tracker::devices
