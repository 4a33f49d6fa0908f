#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace timetabling::test {

/// Returns the files in the given folders below the folder TIMETABLING_TEST_DATA, sorted. Folders that do not exist are left out.
std::vector<std::string> realFiles(std::initializer_list<const char*> folders);

}    // namespace timetabling::test
