// What a store on a git ref takes, without reading its documents.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "tracker/model/store_stats.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

struct GitDocumentSizes {
  DocumentSizes sizes;
  std::set<std::string> not_here;  // paths of documents that this clone has left out
};

// Nothing is fetched. kEnvironment where folders are missing or cannot be read. A ref that does not exist has
// no documents.
GitDocumentSizes git_document_sizes(const Repository& repository, const std::string& ref);

// As `git count-objects -v` says it; kEnvironment where it fails.
GitDisk git_disk(const Repository& repository);

// What the bytes come to as git packs them: zlib at its default level. Nothing is written to disk.
std::uint64_t compressed_bytes(std::string_view bytes);

}  // namespace tracker
