# The target header_check compiles every header of tracker/ and of the measuring kit alone: none may lean on what others include before it.
# Nothing else needs it, so that only script/lint builds it.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tracker/*.hpp"
     "${PROJECT_SOURCE_DIR}/bench/kit/*.hpp")
if(NOT TRACKER_HAS_CUDA)
  list(FILTER headers EXCLUDE REGEX "bench/kit/(cuda_error|device_kernels|gpu_main|gpu_process|launch_timer|launch_trace)")
endif()
set(sources)
foreach(header IN LISTS headers)
  string(REGEX REPLACE "\\.hpp$" ".cpp" source "${PROJECT_BINARY_DIR}/header_check/${header}")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n" @ONLY)
  list(APPEND sources "${source}")
endforeach()

add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(header_check PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/bench/kit")
target_link_libraries(header_check PRIVATE tracker_options benchmark::benchmark)
if(TRACKER_HAS_CUDA)
  target_link_libraries(header_check PRIVATE CUDA::cudart_static)
endif()
