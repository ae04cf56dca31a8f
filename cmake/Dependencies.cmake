# Libraries from the system's packages, and torch from the Python environment's wheel.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)

# torch: the wheel's libraries directly (its CMake package demands a CUDA toolkit). The folder is asked of the
# interpreter without importing torch.
execute_process(
  COMMAND ${TRITONSMITH_PYTHON} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
  OUTPUT_VARIABLE TORCH_DIR OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE found)
if(NOT found EQUAL 0)
  message(FATAL_ERROR "no torch in ${TRITONSMITH_PYTHON}: run ./tritonsmith once, or name a Python that has torch 2.11.0 with -DTRITONSMITH_PYTHON=...")
endif()
add_library(torch_cpu INTERFACE)
target_include_directories(torch_cpu SYSTEM INTERFACE ${TORCH_DIR}/include)
target_link_directories(torch_cpu INTERFACE ${TORCH_DIR}/lib)
target_link_options(torch_cpu INTERFACE -Wl,--no-as-needed)
target_link_libraries(torch_cpu INTERFACE ${TORCH_DIR}/lib/libtorch_cpu.so ${TORCH_DIR}/lib/libc10.so)
set(CMAKE_BUILD_RPATH ${TORCH_DIR}/lib)

include(TreeSitter)
