# Debian packages by CPack (scripts/package): tactus has the program, the library, scenes and documentation; libtactus-dev what other
# programs are built with; a component named `python` becomes python3-tactus.
set(TACTUS_MAINTAINER "The Tactus authors <tactus@example.org>" CACHE STRING "Maintainer of packages, with an address")
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tactus)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each component's description has its own first line
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TACTUS_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_COMPONENT_TACTUS_DESCRIPTION "${PROJECT_DESCRIPTION}
A program, a viewer in the browser and a library that compute the force which
a hand holding a haptic device should feel, a thousand times a second, when it
touches soft or rigid bodies; with scenes and documentation.")
set(CPACK_DEBIAN_TACTUS_PACKAGE_NAME tactus)
set(CPACK_DEBIAN_TACTUS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TACTUS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TACTUS_PACKAGE_DEPENDS "sensible-utils") # `tactus view` opens a browser
set(CPACK_DEBIAN_TACTUS_PACKAGE_RECOMMENDS "libopenblas0-pthread, python3") # a client of the network device is in Python
set(CPACK_DEBIAN_TACTUS_PACKAGE_SUGGESTS "chromium, libtactus-dev")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Haptic rendering of deformable objects - development files
Headers, a CMake package and a pkg-config file of the library that computes
forces of touch at 1 kHz.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtactus-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "tactus (= ${PROJECT_VERSION}-1)")

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Haptic rendering of deformable objects - for Python
Meshes, bakes, worlds and recordings from Python, with numpy.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tactus)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy, tactus (>= ${PROJECT_VERSION})")

# What Debian wants of every package: its licence and its changes.
set(debian ${CMAKE_BINARY_DIR}/debian)
string(TIMESTAMP day "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${debian}/changelog "tactus (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Made from the sources by scripts/package.

 -- ${TACTUS_MAINTAINER}  ${day}
")
execute_process(COMMAND gzip -9nc ${debian}/changelog OUTPUT_FILE ${debian}/changelog.Debian.gz)
install(FILES ${debian}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} EXCLUDE_FROM_ALL)
foreach(component development python)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} name)
    install(FILES ${debian}/changelog.Debian.gz cmake/copyright COMPONENT ${component} EXCLUDE_FROM_ALL
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  endif()
endforeach()
file(WRITE ${debian}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_TACTUS_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
include(CPack)
