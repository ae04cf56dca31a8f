# The sandbox as a Python module of the stable ABI: one file serves every CPython from 3.9 on.
execute_process(
  COMMAND ${TRITONSMITH_PYTHON} -c "import sysconfig; print(sysconfig.get_path('include'))"
  OUTPUT_VARIABLE PYTHON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS ${PYTHON_INCLUDE}/Python.h)
  message(FATAL_ERROR "no Python.h in ${PYTHON_INCLUDE}: install python3-dev (it belongs to ${TRITONSMITH_PYTHON})")
endif()
set(sandbox ${CMAKE_SOURCE_DIR}/src/base/sandbox)
package_library(python_sandbox _sandbox.abi3.so native/sandbox.c
  ${sandbox}/sandbox_core.c ${sandbox}/sandbox_gpu.c ${sandbox}/sandbox_landlock.c ${sandbox}/sandbox_seccomp.c)
target_include_directories(python_sandbox SYSTEM PRIVATE ${PYTHON_INCLUDE})
# Loaded into a plain interpreter, so never built with a sanitizer's runtime.
target_compile_options(python_sandbox PRIVATE -fno-sanitize=all)
target_link_options(python_sandbox PRIVATE -fno-sanitize=all)
