#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace timetabling::test {

/// The files in the given folders below the one that TIMETABLING_TEST_DATA names, sorted. Folders that are not there are left out.
std::vector<std::string> realFiles(std::initializer_list<const char*> folders);

}    // namespace timetabling::test
