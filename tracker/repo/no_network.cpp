// libgit2 without its network: tracker fetches and pushes by the git executable, and opens no connection
// through libgit2. This object is linked before libgit2 wherever that is linked (cmake/Dependencies.cmake).
//
// A shared libgit2 with mbedTLS, as Debian's, reads the system's 140 certificates whenever it is initialised,
// 4 ms of each command. It looks for the functions that read them in this program first, and finds two that
// read none: libgit2 then trusts nobody, and would refuse every TLS connection.
//
// A static libgit2 would bring SSH, TLS and Kerberos along, with the libraries that these need. The functions
// through which it enters them are defined here, so that the linker leaves their files in the archive. Each
// refuses.
namespace {
constexpr int kRefused = -1;  // as libgit2's GIT_ERROR
}

// NOLINTBEGIN(readability-identifier-naming): libgit2's and mbedTLS' names.
extern "C" {
__attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_file(void* /*chain*/,
                                                                             const char* /*path*/) {
  return 0;
}
__attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_path(void* /*chain*/,
                                                                             const char* /*path*/) {
  return 0;
}

int git_transport_ssh_global_init() {
  return 0;
}
int git_transport_ssh_with_paths(void** /*out*/, void* /*owner*/, void* /*payload*/) {
  return kRefused;
}
int git_smart_subtransport_ssh(void** /*out*/, void* /*owner*/, void* /*parameter*/) {
  return kRefused;
}

int git_mbedtls_stream_global_init() {
  return 0;
}
int git_mbedtls_stream_new(void** /*out*/, const char* /*host*/, const char* /*port*/) {
  return kRefused;
}
int git_mbedtls_stream_wrap(void** /*out*/, void* /*inner*/, const char* /*host*/) {
  return kRefused;
}
int git_mbedtls__set_cert_location(const char* /*file*/, const char* /*path*/) {
  return kRefused;
}

int git_http_auth_negotiate(void** /*out*/, const void* /*url*/) {
  return kRefused;
}
}
// NOLINTEND(readability-identifier-naming)
