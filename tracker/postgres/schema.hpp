// The tables of a store in PostgreSQL, the functions that write them, and the roles that use both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracker::postgres {

class Connection;

// What this tracker reads and writes. One more for each change of the tables.
int newest_schema();

// The schema that the database has; 0 where it has none. Failure.
int schema_of(Connection& connection);

// Brings the tables up to the newest schema, in one transaction, and lets the roles use them: tracker_reader
// reads, tracker_recorder also adds, tracker_dropper also drops; none changes or removes what is recorded.
// `with_roles` makes the roles where they are not there. What the database had before; kEnvironment where
// that is newer than this tracker.
int bring_up_to_date(Connection& connection, bool with_roles);

// Documents as a database keeps them: compressed by Zstandard, with a checksum.

std::string pack_text(std::string_view text);

// The text of `size_bytes` bytes. kEnvironment, naming `where`, for what is damaged or of another size.
std::string unpack_text(std::string_view packed, std::size_t size_bytes, const std::string& where);

}  // namespace tracker::postgres
