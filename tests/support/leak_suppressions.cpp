// libgit2 1.5 never frees the match data of its regular expressions (revisions such as ":/text", and
// repositories with extensions). The leak checker asks for this by name; other builds never call it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpcre2-8\n";
}
