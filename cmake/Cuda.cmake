# nvcc without CMake's CUDA language, which wants a whole toolkit: a toolkit's compiler (13.x) where there is one, else
# that of the wheels in tools/requirements_cuda.txt. Sets TRITONSMITH_NVCC, empty where CUDA sources are not built.
#
#   tritonsmith_cuda_objects(OBJECTS SOURCES a.cu b.cu [TARGETS -gencode ...] [FLAGS ...])
#
# puts the names of the object files into OBJECTS.
set(TRITONSMITH_CUDA AUTO CACHE STRING "Build the CUDA kernels: AUTO (where nvcc is found), ON or OFF")
set_property(CACHE TRITONSMITH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(TRITONSMITH_CUDA_TARGETS "-gencode;arch=compute_90,code=sm_90;-gencode;arch=compute_80,code=[sm_80,compute_80]" CACHE STRING
    "What CUDA sources are compiled for: A100, H100 and H200; PTX for later ones")

set(TRITONSMITH_NVCC "")
if(NOT TRITONSMITH_CUDA STREQUAL "OFF")
  set(candidates ${NVCC} ${SITE_PACKAGES}/nvidia/cu13/bin/nvcc)
  foreach(candidate ${candidates})
    if(NOT EXISTS ${candidate} OR TRITONSMITH_NVCC)
      continue()
    endif()
    execute_process(COMMAND ${candidate} --version OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0 AND said MATCHES "release 13\\.")
      set(TRITONSMITH_NVCC ${candidate})
    endif()
  endforeach()
  if(TRITONSMITH_NVCC)
    # The folder above bin/, also of a nvcc that is a link (/usr/bin/nvcc).
    get_filename_component(cuda_root ${TRITONSMITH_NVCC} REALPATH)
    get_filename_component(cuda_root ${cuda_root}/../.. ABSOLUTE)
    find_library(CUDART_STATIC NAMES libcudart_static.a NO_DEFAULT_PATH
      PATHS ${cuda_root} ${cuda_root}/targets/x86_64-linux ${SITE_PACKAGES}/nvidia/cu13 ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES lib64 lib)
    if(NOT CUDART_STATIC)
      message(STATUS "CUDA kernels are left out: ${TRITONSMITH_NVCC} has no libcudart_static.a beside it")
      set(TRITONSMITH_NVCC "")
    endif()
  endif()
  if(TRITONSMITH_CUDA STREQUAL ON AND NOT TRITONSMITH_NVCC)
    message(FATAL_ERROR "TRITONSMITH_CUDA=ON, but there is no nvcc 13.x: put a CUDA 13 toolkit's bin/ into PATH, or: "
      "${TRITONSMITH_PYTHON} -m pip install -r tools/requirements_cuda.txt")
  endif()
endif()
if(TRITONSMITH_NVCC)
  message(STATUS "CUDA kernels are built by ${TRITONSMITH_NVCC}")
else()
  message(STATUS "CUDA kernels are left out: no nvcc 13.x, or TRITONSMITH_CUDA=OFF")
endif()

function(tritonsmith_cuda_objects objects)
  cmake_parse_arguments(CUDA "" "" "SOURCES;TARGETS;FLAGS" ${ARGN})
  if(NOT CUDA_TARGETS)
    set(CUDA_TARGETS ${TRITONSMITH_CUDA_TARGETS})
  endif()
  set(made)
  foreach(source ${CUDA_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${TRITONSMITH_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -allow-unsupported-compiler -std=c++20 -O3 ${CUDA_TARGETS}
              -I${CMAKE_SOURCE_DIR}/src ${CUDA_FLAGS} -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra
              -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      COMMENT "Building CUDA object ${name}.cuda.o" VERBATIM)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()
