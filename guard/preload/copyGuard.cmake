# Copies a guard library without the folders of the MPI that it was built with: the program's own MPI is to be loaded. from, to: files.
get_filename_component(folder "${to}" DIRECTORY)
get_filename_component(name "${to}" NAME)
file(COPY "${from}" DESTINATION "${folder}/copied")
file(RPATH_REMOVE FILE "${folder}/copied/${name}")
file(RENAME "${folder}/copied/${name}" "${to}")
