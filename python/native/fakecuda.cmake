# The CUDA device that computes nothing: libraries that stand in for libcudart.so.13, libcuda.so.1 and libnvrtc.so.13
# in tracer processes.
get_filename_component(CUDA_INCLUDE ${TORCH_DIR}/../nvidia/cu13/include ABSOLUTE)
if(NOT EXISTS ${CUDA_INCLUDE}/cuda_runtime_api.h)
  message(FATAL_ERROR "no ${CUDA_INCLUDE}/cuda_runtime_api.h: the wheel nvidia-cuda-runtime 13 that torch depends on is missing")
endif()
package_library(fake_cudart libfakecudart.so native/fake_cuda_runtime.c native/fake_cuda_devices.c)
package_library(fake_cuda libcuda.so.1 native/fake_cuda_driver.c)
package_library(fake_nvrtc libnvrtc.so.13 native/fake_nvrtc.c)
set(map ${CMAKE_CURRENT_SOURCE_DIR}/native/fake_cudart.map)
# The runtime's wheel lacks crt/*.h, which belong to the compiler's; Triton's wheel carries them.
target_include_directories(fake_cudart SYSTEM PRIVATE ${CUDA_INCLUDE} ${TRITON_DIR}/backends/nvidia/include)
# PyTorch asks for versioned symbols, and only a preloaded library of the same version comes first.
target_link_options(fake_cudart PRIVATE -Wl,--version-script=${map})
set_target_properties(fake_cudart PROPERTIES LINK_DEPENDS ${map})
target_link_libraries(fake_cudart PRIVATE ${CMAKE_DL_LIBS})
# The real NVRTC lies on PyTorch's own search path, which comes first; so ours is loaded before anyone asks, as a need of
# the preloaded library.
target_link_options(fake_cudart PRIVATE -Wl,--no-as-needed)
target_link_libraries(fake_cudart PRIVATE fake_nvrtc)
set_target_properties(fake_cudart PROPERTIES BUILD_RPATH "$ORIGIN/fake_cuda" BUILD_RPATH_USE_ORIGIN ON)
target_link_options(fake_cuda PRIVATE -Wl,-soname,libcuda.so.1)
target_link_options(fake_nvrtc PRIVATE -Wl,-soname,libnvrtc.so.13)
set_target_properties(fake_cuda fake_nvrtc PROPERTIES NO_SONAME ON
  LIBRARY_OUTPUT_DIRECTORY ${TRITONSMITH_PACKAGE_DIR}/native/fake_cuda)
foreach(library fake_cudart fake_cuda fake_nvrtc)
  # A CUDA prototype has more parameters than a device that does nothing reads; and no sanitizer's runtime in plain Python.
  target_compile_options(${library} PRIVATE -Wno-unused-parameter -fno-sanitize=all)
  target_link_options(${library} PRIVATE -fno-sanitize=all)
endforeach()
