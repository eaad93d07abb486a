// The calls of CUDA's driver that the injected library hears, and what it makes of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tracker::injection {

enum class Kind {
  kLaunch,
  kLaunchEx,
  kGraphMade,
  kGraphLaunch,
  kMoved,  // a copy, a fill, an allocation
  kPlain,  // a wait, a release
  kEventRecord,
  kElapsed,
  kModuleLoaded,
  kFunctionFound
};

// A function of the driver, by CUPTI's number of it. `bytes_at`: where its arguments have the number of
// bytes, or of elements of `element_bytes`; 0: nowhere.
struct Watched {
  std::uint32_t id;
  Kind kind;
  const char* what;
  std::size_t bytes_at = 0;
  std::size_t element_bytes = 1;
};

// The names that the lines give to calls that take time.
inline constexpr const char* kToHost = "copy to the host";
inline constexpr const char* kToDevice = "copy to the device";
inline constexpr const char* kWithin = "copy on the device";
inline constexpr const char* kAnyCopy = "copy";
inline constexpr const char* kFill = "memset";
inline constexpr const char* kAllocation = "allocation";
inline constexpr const char* kRelease = "release of memory";
inline constexpr const char* kDeviceWait = "wait for the device";
inline constexpr const char* kStreamWait = "wait for a stream";
inline constexpr const char* kEventWait = "wait for an event";

// The table of the calls. `id` is CUPTI's number of the call.
inline constexpr Watched kWatched[] = {
    {17, Kind::kPlain, kDeviceWait},
    {800, Kind::kPlain, kDeviceWait},
    {126, Kind::kPlain, kStreamWait},
    {440, Kind::kPlain, kStreamWait},
    {121, Kind::kPlain, kEventWait},
    {18, Kind::kModuleLoaded, ""},
    {19, Kind::kModuleLoaded, ""},
    {20, Kind::kModuleLoaded, ""},
    {21, Kind::kModuleLoaded, ""},
    {23, Kind::kFunctionFound, ""},
    {243, Kind::kMoved, kAllocation, 8},
    {244, Kind::kMoved, kAllocation},
    {371, Kind::kMoved, kAllocation, 8},
    {598, Kind::kMoved, kAllocation, 8},
    {599, Kind::kMoved, kAllocation, 8},
    {611, Kind::kMoved, kAllocation, 8},
    {612, Kind::kMoved, kAllocation, 8},
    {245, Kind::kPlain, kRelease},
    {600, Kind::kPlain, kRelease},
    {601, Kind::kPlain, kRelease},
    {276, Kind::kMoved, kToDevice, 16},
    {277, Kind::kMoved, kToDevice, 16},
    {397, Kind::kMoved, kToDevice, 16},
    {421, Kind::kMoved, kToDevice, 16},
    {278, Kind::kMoved, kToHost, 16},
    {279, Kind::kMoved, kToHost, 16},
    {398, Kind::kMoved, kToHost, 16},
    {422, Kind::kMoved, kToHost, 16},
    {280, Kind::kMoved, kWithin, 16},
    {281, Kind::kMoved, kWithin, 16},
    {399, Kind::kMoved, kWithin, 16},
    {423, Kind::kMoved, kWithin, 16},
    {305, Kind::kMoved, kAnyCopy, 16},
    {306, Kind::kMoved, kAnyCopy, 16},
    {408, Kind::kMoved, kAnyCopy, 16},
    {418, Kind::kMoved, kAnyCopy, 16},
    {318, Kind::kMoved, kAnyCopy, 32},
    {319, Kind::kMoved, kAnyCopy, 32},
    {409, Kind::kMoved, kAnyCopy, 32},
    {426, Kind::kMoved, kAnyCopy, 32},
    {287, Kind::kMoved, kAnyCopy},
    {288, Kind::kMoved, kAnyCopy},
    {289, Kind::kMoved, kAnyCopy},
    {290, Kind::kMoved, kAnyCopy},
    {291, Kind::kMoved, kAnyCopy},
    {405, Kind::kMoved, kAnyCopy},
    {406, Kind::kMoved, kAnyCopy},
    {407, Kind::kMoved, kAnyCopy},
    {424, Kind::kMoved, kAnyCopy},
    {425, Kind::kMoved, kAnyCopy},
    {776, Kind::kMoved, kAnyCopy},
    {777, Kind::kMoved, kAnyCopy},
    {796, Kind::kMoved, kAnyCopy},
    {797, Kind::kMoved, kAnyCopy},
    {249, Kind::kMoved, kFill, 16},
    {216, Kind::kMoved, kFill, 16},
    {411, Kind::kMoved, kFill, 16},
    {428, Kind::kMoved, kFill, 16},
    {250, Kind::kMoved, kFill, 16, 2},
    {218, Kind::kMoved, kFill, 16, 2},
    {412, Kind::kMoved, kFill, 16, 2},
    {429, Kind::kMoved, kFill, 16, 2},
    {251, Kind::kMoved, kFill, 16, 4},
    {220, Kind::kMoved, kFill, 16, 4},
    {413, Kind::kMoved, kFill, 16, 4},
    {430, Kind::kMoved, kFill, 16, 4},
    {252, Kind::kMoved, kFill},
    {222, Kind::kMoved, kFill},
    {253, Kind::kMoved, kFill},
    {224, Kind::kMoved, kFill},
    {254, Kind::kMoved, kFill},
    {226, Kind::kMoved, kFill},
    {119, Kind::kEventRecord, ""},
    {441, Kind::kEventRecord, ""},
    {587, Kind::kEventRecord, ""},
    {588, Kind::kEventRecord, ""},
    {123, Kind::kElapsed, ""},
    {780, Kind::kElapsed, ""},
    {307, Kind::kLaunch, ""},
    {442, Kind::kLaunch, ""},
    {477, Kind::kLaunch, ""},
    {478, Kind::kLaunch, ""},
    {652, Kind::kLaunchEx, ""},
    {653, Kind::kLaunchEx, ""},
    {513, Kind::kGraphMade, ""},
    {578, Kind::kGraphMade, ""},
    {643, Kind::kGraphMade, ""},
    {656, Kind::kGraphMade, ""},
    {657, Kind::kGraphMade, ""},
    {514, Kind::kGraphLaunch, ""},
    {515, Kind::kGraphLaunch, ""},
};

}  // namespace tracker::injection
