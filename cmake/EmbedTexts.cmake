# Run as a script: writes OUTPUT, a source with the texts of ASSETS, files below FOLDER, as string literals.
set(text "// Written by cmake/EmbedTexts.cmake.\n#include \"tracker/site/pages.hpp\"\n\nnamespace tracker::site {\n
const std::vector<Asset>& embedded_assets() {\n  static const std::vector<Asset> assets{\n")
foreach(asset IN LISTS ASSETS)
  file(READ "${FOLDER}/${asset}" content)
  string(FIND "${content}" ")embedded\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${asset} holds what ends a literal here: )embedded\"")
  endif()
  string(APPEND text "      {\"${asset}\", R\"embedded(${content})embedded\"},\n")
endforeach()
string(APPEND text "  };\n  return assets;\n}\n\n}  // namespace tracker::site\n")
file(WRITE "${OUTPUT}" "${text}")
