# Untried with vcpkg. REPO, REF and SHA512 come with the first release; FERRY_SOURCE names a copy of the tree until then.
if(NOT DEFINED ENV{FERRY_SOURCE})
    message(FATAL_ERROR "Ferry has no release yet: set FERRY_SOURCE to the folder of its source")
endif()
set(SOURCE_PATH "$ENV{FERRY_SOURCE}")

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES mpi FERRY_WITH_MPI)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${features} -DFERRY_WITH_OPENCL=OFF -DFERRY_BUILD_TESTS=OFF -DFERRY_BUILD_EXAMPLES=OFF -DFERRY_BUILD_APPS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME ferry CONFIG_PATH lib/cmake/ferry)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/bin"
    "${CURRENT_PACKAGES_DIR}/debug/bin")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
