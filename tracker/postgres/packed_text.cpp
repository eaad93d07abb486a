#include "tracker/postgres/packed_text.hpp"

#include <memory>

#include <zstd.h>

#include "tracker/base/error.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

std::string pack_text(std::string_view text) {
  constexpr int kLevel = 3;  // Zstandard's own choice: higher ones take times as long for some percent
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0)
    throw Error(ExitCode::kEnvironment,
                std::string("cannot compress a document: ") + ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

std::string unpack_text(std::string_view packed, std::size_t size_bytes, const std::string& where) {
  const auto damaged = [&](const std::string& why) {
    return Error(ExitCode::kEnvironment, "cannot read " + where + ": " + why,
                 "restore the database, or drop the document: tracker store drop");
  };
  if (size_bytes > kDocumentBytesMax) throw damaged("it claims " + std::to_string(size_bytes) + " bytes");
  std::string text(size_bytes, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0) throw damaged(ZSTD_getErrorName(size));
  if (size != size_bytes) throw damaged("it is cut off");
  return text;
}

}  // namespace tracker
