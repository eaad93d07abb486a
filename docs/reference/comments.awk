#!/usr/bin/awk -f
# Makes Doxygen's comments of plain ones: of a declaration below ("// …" alone on a line), or of what stands before
# them on the line. The comment at a header's top is that of the file.
function escaped(text) {
  gsub(/[\\@<>&#$%"]/, "\\\\&", text)
  gsub(/(^|[^A-Za-z0-9_>])::/, "&\\", text)  # "::error" is no name of ours
  gsub(/::\\/, "\\::", text)
  return text
}
function flush(slashes) {
  for (i = 1; i <= kept; ++i) print indents[i] slashes (slashes == "//" ? plain[i] : escaped(plain[i]))
  kept = 0
}
FNR == 1 && /^\/\/ / { print "/// \\file" }
match($0, /^[ \t]*\/\/ /) {
  ++kept
  indents[kept] = substr($0, 1, RLENGTH - 3)
  plain[kept] = " " substr($0, RLENGTH + 1)
  next
}
{
  flush(/^namespace/ ? "//" : "///")  # of a namespace, which all headers share, nothing is said
  if (match($0, /[;,{})A-Za-z0-9_] +\/\/ /))
    print substr($0, 1, RSTART) "  ///< " escaped(substr($0, RSTART + RLENGTH))
  else
    print
}
END { flush("//") }
