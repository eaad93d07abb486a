#include "tracker/postgres/schema.hpp"

#include <iterator>
#include <string>

#include "tracker/base/error.hpp"
#include "tracker/postgres/connection.hpp"

namespace tracker {
namespace {

// Each takes a database from the schema before it to its own; never edited once released. docs/scale.md says
// which features of PostgreSQL they use: keep to what its distributed relatives have.
//
// Every table begins with the repository, by which a cluster may spread them. Names, commits and ids are
// bytes, because bytes sort the same in every database, whatever its language; the views show them as text.
constexpr const char* kMigrations[] = {
    R"sql(
CREATE TABLE IF NOT EXISTS tracker.histories (
  repository text NOT NULL PRIMARY KEY,
  identity text NOT NULL,           -- drawn once: tells a store from another one of that name
  version bigint NOT NULL           -- one more with each step of a writer, who holds this row meanwhile
);
CREATE TABLE IF NOT EXISTS tracker.documents (
  repository text NOT NULL,
  device bytea NOT NULL,
  commit_id bytea NOT NULL,
  id bytea NOT NULL,                -- sorts by time
  kind smallint NOT NULL,           -- 0: a run, 1: a profile
  added_at bigint NOT NULL,         -- the version that brought it
  size_bytes bigint NOT NULL,       -- of the text
  encoding smallint NOT NULL,       -- 1: Zstandard
  body bytea NOT NULL,
  PRIMARY KEY (repository, device, commit_id, id, kind)
);
CREATE INDEX IF NOT EXISTS documents_by_commit ON tracker.documents (repository, commit_id, kind, device, id);
CREATE INDEX IF NOT EXISTS documents_by_time ON tracker.documents (repository, device, kind, id, commit_id);
CREATE INDEX IF NOT EXISTS documents_by_version ON tracker.documents (repository, added_at);
CREATE TABLE IF NOT EXISTS tracker.tombstones (
  repository text NOT NULL,
  device bytea NOT NULL,
  commit_id bytea NOT NULL,
  id bytea NOT NULL,
  kind smallint NOT NULL,
  added_at bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (repository, device, commit_id, id, kind)
);
CREATE INDEX IF NOT EXISTS tombstones_by_version ON tracker.tombstones (repository, added_at);
CREATE OR REPLACE VIEW tracker.runs AS
  SELECT d.repository, convert_from(d.device, 'UTF8') AS device, encode(d.commit_id, 'hex') AS commit_id,
         convert_from(d.id, 'UTF8') AS id, d.size_bytes, length(d.body) AS stored_bytes
  FROM tracker.documents d
  WHERE d.kind = 0 AND NOT EXISTS (
    SELECT 1 FROM tracker.tombstones t
    WHERE t.repository = d.repository AND t.device = d.device AND t.commit_id = d.commit_id AND t.id = d.id
      AND t.kind = d.kind);
)sql",
};

// Neither role may change or remove a document, nor take a tombstone away.
constexpr const char* kReaderRights = R"sql(
GRANT USAGE ON SCHEMA tracker TO tracker_reader;
GRANT SELECT ON tracker.schema_version, tracker.histories, tracker.documents, tracker.tombstones, tracker.runs
  TO tracker_reader;
)sql";

constexpr const char* kRecorderRights = R"sql(
GRANT USAGE ON SCHEMA tracker TO tracker_recorder;
GRANT SELECT ON tracker.schema_version, tracker.histories, tracker.documents, tracker.tombstones, tracker.runs
  TO tracker_recorder;
GRANT INSERT ON tracker.histories, tracker.documents, tracker.tombstones TO tracker_recorder;
GRANT UPDATE ON tracker.histories TO tracker_recorder;
)sql";

struct Role {
  const char* name;
  const char* create;
  const char* rights;
};

constexpr Role kRoles[] = {{"tracker_reader", "CREATE ROLE tracker_reader NOLOGIN", kReaderRights},
                           {"tracker_recorder", "CREATE ROLE tracker_recorder NOLOGIN", kRecorderRights}};

}  // namespace

int newest_postgres_schema() {
  return static_cast<int>(std::size(kMigrations));
}

int postgres_schema_of(PostgresConnection& connection) {
  try {
    const auto rows = connection.run("SELECT version FROM tracker.schema_version");
    return rows.size() == 0 ? 0 : static_cast<int>(rows.number(0, 0));
  } catch (const PostgresFailure& failure) {
    if (failure.state() == "42P01" || failure.state() == "3F000") return 0;  // no such table, no such schema
    throw;
  }
}

int bring_up_to_date(PostgresConnection& connection, bool with_roles) {
  const int before = postgres_schema_of(connection);
  if (before > newest_postgres_schema())
    throw Error(ExitCode::kEnvironment,
                "the tables of " + connection.name() + " have schema " + std::to_string(before) +
                    ", which is newer than this tracker's: " + std::to_string(newest_postgres_schema()),
                "update tracker");
  connection.transaction([&] {
    if (before == 0) {
      connection.run_script(
          "CREATE SCHEMA IF NOT EXISTS tracker;"
          "CREATE TABLE IF NOT EXISTS tracker.schema_version (version integer NOT NULL PRIMARY KEY);");
    }
    for (int at = before; at < newest_postgres_schema(); ++at) connection.run_script(kMigrations[at]);
    if (before < newest_postgres_schema()) {
      connection.run("DELETE FROM tracker.schema_version");
      connection.run("INSERT INTO tracker.schema_version VALUES ($1::bigint)",
                     PostgresValues().big(newest_postgres_schema()));
    }
    for (const auto& role : kRoles) {
      const auto known =
          connection.run("SELECT 1 FROM pg_roles WHERE rolname = $1", PostgresValues().text(role.name));
      if (known.size() == 0 && !with_roles) continue;
      if (known.size() == 0) connection.run(role.create);
      connection.run_script(role.rights);
    }
    return true;
  });
  return before;
}

}  // namespace tracker
