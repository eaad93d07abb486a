// libgit2 that is built with mbedTLS (Debian's is) reads the system's 140 certificates whenever it is
// initialised: 4 ms of each command, for connections that tracker never makes, as it fetches and pushes by
// the git executable. The functions that libgit2 reads them with are found in this program first, and read
// none: libgit2 then trusts nobody, and would refuse every TLS connection. Nothing else in this program uses
// mbedTLS; libgit2 with another TLS library does not look for these.
extern "C" {
__attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_file(void* /*chain*/,
                                                                             const char* /*path*/) {
  return 0;
}
__attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_path(void* /*chain*/,
                                                                             const char* /*path*/) {
  return 0;
}
}
