# Third-party libraries: the system's packages, or the folder that tools/vendor gathers for machines without them.
# The folder comes first where it is there: TRITONSMITH_VENDOR_DIR, else .vendor/.
find_package(Threads REQUIRED)
set(TRITONSMITH_VENDOR_DIR "" CACHE PATH "Folder made by tools/vendor; empty: .vendor/ if there is one")
if(NOT TRITONSMITH_VENDOR_DIR AND EXISTS ${CMAKE_SOURCE_DIR}/.vendor/include)
  set(TRITONSMITH_VENDOR_DIR ${CMAKE_SOURCE_DIR}/.vendor)
endif()

if(TRITONSMITH_VENDOR_DIR)
  message(STATUS "Third-party libraries: ${TRITONSMITH_VENDOR_DIR}")
  include(Vendored)
else()
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(fmt REQUIRED)
  find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)  # headers alone
  find_package(GTest REQUIRED)
  find_path(SQLITE3_INCLUDE sqlite3.h REQUIRED)
  find_library(SQLITE3_LIBRARY sqlite3 REQUIRED)
  add_library(sqlite3 INTERFACE IMPORTED)
  target_include_directories(sqlite3 SYSTEM INTERFACE ${SQLITE3_INCLUDE})
  target_link_libraries(sqlite3 INTERFACE ${SQLITE3_LIBRARY})
  find_package(benchmark QUIET)
  find_path(PCRE2_INCLUDE pcre2.h REQUIRED)
  find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)
  add_library(pcre2 INTERFACE IMPORTED)
  target_include_directories(pcre2 SYSTEM INTERFACE ${PCRE2_INCLUDE})
  target_link_libraries(pcre2 INTERFACE ${PCRE2_LIBRARY})
  find_path(UTF8PROC_INCLUDE utf8proc.h REQUIRED)
  find_library(UTF8PROC_LIBRARY utf8proc REQUIRED)
  add_library(utf8proc INTERFACE IMPORTED)
  target_include_directories(utf8proc SYSTEM INTERFACE ${UTF8PROC_INCLUDE})
  target_link_libraries(utf8proc INTERFACE ${UTF8PROC_LIBRARY})
  # cpp-httplib as Debian builds it (a library, with TLS): its own package file says which macros it was built with.
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
  find_package(OpenSSL REQUIRED)
  add_library(httplib INTERFACE IMPORTED)
  target_link_libraries(httplib INTERFACE PkgConfig::HTTPLIB OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
endif()

# torch: the wheel's libraries directly (its CMake package demands a CUDA toolkit). The folders are asked of the
# interpreter without importing anything.
execute_process(
  COMMAND ${TRITONSMITH_PYTHON} -I -c "import importlib.util as u; print(*[u.find_spec(n).submodule_search_locations[0] for n in ('torch', 'triton')], sep=';')"
  OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE found ERROR_QUIET)
if(NOT found EQUAL 0)
  message(FATAL_ERROR "no torch and triton in ${TRITONSMITH_PYTHON}: run ./tritonsmith once, or name a Python that has torch 2.11.0 and triton 3.6.0 with -DTRITONSMITH_PYTHON=...")
endif()
list(GET folders 0 TORCH_DIR)
list(GET folders 1 TRITON_DIR)
add_library(torch_cpu INTERFACE)
target_include_directories(torch_cpu SYSTEM INTERFACE ${TORCH_DIR}/include)
target_link_directories(torch_cpu INTERFACE ${TORCH_DIR}/lib)
target_link_options(torch_cpu INTERFACE -Wl,--no-as-needed)
target_link_libraries(torch_cpu INTERFACE ${TORCH_DIR}/lib/libtorch_cpu.so ${TORCH_DIR}/lib/libc10.so)
set(CMAKE_BUILD_RPATH ${TORCH_DIR}/lib)

# cuda_headers: cuda.h, for the types of the driver's interface (src/cuda loads the driver itself at run time). The wheels
# that torch depends on bring it; a torch for another CUDA has it elsewhere, or leaves it to the toolkit.
get_filename_component(SITE_PACKAGES ${TORCH_DIR} DIRECTORY)
find_path(CUDA_INCLUDE cuda.h NO_DEFAULT_PATH
  PATHS ${SITE_PACKAGES}/nvidia/cu13/include ${SITE_PACKAGES}/nvidia/cuda_runtime/include ${TRITON_DIR}/backends/nvidia/include
        ENV CUDA_HOME /usr/local/cuda /usr PATH_SUFFIXES include)
if(NOT CUDA_INCLUDE)
  message(FATAL_ERROR "no cuda.h beside torch (nvidia/cu13/include) or in /usr/local/cuda/include: name its folder with -DCUDA_INCLUDE=...")
endif()
add_library(cuda_headers INTERFACE)
target_include_directories(cuda_headers SYSTEM INTERFACE ${CUDA_INCLUDE})
# The runtime's headers, which torch's include, need crt/: a wheel of its own, which the toolkit may stand in for.
find_program(NVCC nvcc PATHS ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin)
get_filename_component(NVCC_BIN "${NVCC}" REALPATH)
get_filename_component(NVCC_BIN "${NVCC_BIN}" DIRECTORY)
find_path(CUDA_CRT_INCLUDE crt/host_defines.h NO_DEFAULT_PATH
  PATHS ${CUDA_INCLUDE} ${NVCC_BIN}/../include ${NVCC_BIN}/../targets/x86_64-linux/include ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES include)
if(CUDA_CRT_INCLUDE AND NOT CUDA_CRT_INCLUDE STREQUAL CUDA_INCLUDE)
  target_include_directories(cuda_headers SYSTEM INTERFACE ${CUDA_CRT_INCLUDE})
endif()

# torch_cuda: torch's operators for NVIDIA GPUs. Loading them needs no driver.
find_library(CUDART NAMES libcudart.so.13 libcudart.so.12 libcudart.so NO_DEFAULT_PATH
  PATHS ${SITE_PACKAGES}/nvidia/cu13/lib ${SITE_PACKAGES}/nvidia/cuda_runtime/lib ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES lib64 lib)
add_library(torch_cuda INTERFACE)
target_link_libraries(torch_cuda INTERFACE torch_cpu cuda_headers ${TORCH_DIR}/lib/libtorch_cuda.so ${TORCH_DIR}/lib/libc10_cuda.so ${CUDART})

include(TreeSitter)
