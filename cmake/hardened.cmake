# Flags of hardened release builds (TACTUS_HARDENED). Debug builds and sanitizers do without: _FORTIFY_SOURCE needs an
# optimizing compiler, and sanitizers replace the functions that it checks. They leave arithmetic as it is and so are no part of
# TAC_ARITHMETIC_FLAGS.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)

set(hardened -fstack-protector-strong)
# Level 3 needs a compiler that knows sizes at run time, and glibc 2.34; glibc warns where it takes 3 as 2.
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <string.h>\nint main(void) { return (int)strlen(\"\"); }" TACTUS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
list(APPEND hardened -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${TACTUS_FORTIFY_3}>,3,2>) # -U: a distribution may set its own
# Indirect branches reach marked targets only, where processor, kernel and C library enforce it. On arm64 return addresses are signed too.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set(branches -fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(branches -mbranch-protection=standard)
endif()
if(branches)
  check_c_compiler_flag(${branches} TACTUS_BRANCHES_PROTECTED)
  if(TACTUS_BRANCHES_PROTECTED)
    list(APPEND hardened ${branches})
  endif()
endif()
set(optimized $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
target_compile_options(tac_flags INTERFACE "$<${optimized}:${hardened}>")
add_link_options($<${optimized}:LINKER:-z,relro,-z,now>)
check_pie_supported(LANGUAGES C CXX) # lets CMake link programs with -pie
