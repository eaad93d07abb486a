// The tables of a store in PostgreSQL, and documents as they keep them.
#include <iterator>
#include <memory>
#include <string>

#include <zstd.h>

#include "tracker/base/error.hpp"
#include "tracker/postgres/connection.hpp"
#include "tracker/store/store.hpp"

namespace tracker::postgres {
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
)sql",
    // Steps go through functions of the owner, which number them and say when and by whom: no role writes a
    // table. Each finds everything by its whole name, whatever its caller's search_path. A role may call none
    // of them before it is granted.
    R"sql(
ALTER TABLE tracker.documents ADD COLUMN IF NOT EXISTS recorded_at timestamptz;  -- null: by an older tracker
ALTER TABLE tracker.documents ADD COLUMN IF NOT EXISTS recorded_by text;
ALTER TABLE tracker.tombstones ADD COLUMN IF NOT EXISTS recorded_at timestamptz;
ALTER TABLE tracker.tombstones ADD COLUMN IF NOT EXISTS recorded_by text;
CREATE OR REPLACE VIEW tracker.runs AS
  SELECT d.repository, convert_from(d.device, 'UTF8') AS device, encode(d.commit_id, 'hex') AS commit_id,
         convert_from(d.id, 'UTF8') AS id, d.size_bytes, length(d.body) AS stored_bytes, d.recorded_at, d.recorded_by
  FROM tracker.documents d
  WHERE d.kind = 0 AND NOT EXISTS (
    SELECT 1 FROM tracker.tombstones t
    WHERE t.repository = d.repository AND t.device = d.device AND t.commit_id = d.commit_id AND t.id = d.id
      AND t.kind = d.kind);

-- The number of a writer's step. Its history's row is held until the transaction ends.
CREATE OR REPLACE FUNCTION tracker.take_step(history text) RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  step bigint;
BEGIN
  IF history IS NULL OR octet_length(history) NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'a repository has a name of 1 to 1000 bytes' USING ERRCODE = '22023';
  END IF;
  UPDATE tracker.histories SET version = version + 1 WHERE repository = history RETURNING version INTO step;
  IF NOT FOUND THEN
    INSERT INTO tracker.histories (repository, identity, version)
      VALUES (history, substr(md5(random()::text || clock_timestamp()::text), 1, 16), 0)
      ON CONFLICT (repository) DO NOTHING;
    UPDATE tracker.histories SET version = version + 1 WHERE repository = history RETURNING version INTO step;
  END IF;
  RETURN step;
END
$body$;
REVOKE ALL ON FUNCTION tracker.take_step(text) FROM PUBLIC;

-- Adds all of them in one step. 40001 where another writer added one of them meanwhile.
CREATE OR REPLACE FUNCTION tracker.add_documents(history text, devices bytea[], commit_ids bytea[], ids bytea[],
    kinds smallint[], sizes bigint[], encodings smallint[], bodies bytea[]) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  step bigint;
  added bigint;
BEGIN
  step := tracker.take_step(history);
  IF EXISTS (
    SELECT 1 FROM unnest(devices, commit_ids, ids, kinds, sizes, encodings, bodies)
      AS d (device, commit_id, id, kind, size_bytes, encoding, body)
    WHERE (octet_length(d.device) BETWEEN 1 AND 1000 AND octet_length(d.commit_id) = 20
      AND octet_length(d.id) BETWEEN 1 AND 1000 AND d.kind IN (0, 1) AND d.size_bytes BETWEEN 0 AND 268435456
      AND d.encoding = 1 AND octet_length(d.body) <= 268435456 + 1048576) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'this is no document of tracker' USING ERRCODE = '22023';
  END IF;
  INSERT INTO tracker.documents (repository, device, commit_id, id, kind, added_at, size_bytes, encoding, body,
      recorded_at, recorded_by)
    SELECT history, d.device, d.commit_id, d.id, d.kind, step, d.size_bytes, d.encoding, d.body, clock_timestamp(),
        session_user
      FROM unnest(devices, commit_ids, ids, kinds, sizes, encodings, bodies)
        AS d (device, commit_id, id, kind, size_bytes, encoding, body)
    ON CONFLICT (repository, device, commit_id, id, kind) DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added <> cardinality(ids) THEN
    RAISE EXCEPTION 'another writer added one of the documents' USING ERRCODE = '40001';
  END IF;
  RETURN step;
END
$body$;
REVOKE ALL ON FUNCTION tracker.add_documents(text, bytea[], bytea[], bytea[], smallint[], bigint[], smallint[], bytea[])
  FROM PUBLIC;

-- Puts tombstones beside documents in one step. The places, from 1, of those that had none.
CREATE OR REPLACE FUNCTION tracker.drop_documents(history text, devices bytea[], commit_ids bytea[], ids bytea[],
    kinds smallint[], bodies bytea[]) RETURNS SETOF bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  step bigint;
BEGIN
  step := tracker.take_step(history);
  IF EXISTS (
    SELECT 1 FROM unnest(devices, commit_ids, ids, kinds, bodies) AS d (device, commit_id, id, kind, body)
    WHERE (octet_length(d.device) BETWEEN 1 AND 1000 AND octet_length(d.commit_id) = 20
      AND octet_length(d.id) BETWEEN 1 AND 1000 AND d.kind IN (0, 1) AND octet_length(d.body) <= 1048576) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'this is no tombstone of tracker' USING ERRCODE = '22023';
  END IF;
  RETURN QUERY
    WITH asked AS (
      SELECT d.* FROM unnest(devices, commit_ids, ids, kinds, bodies) WITH ORDINALITY
        AS d (device, commit_id, id, kind, body, place)
    ), added AS (
      INSERT INTO tracker.tombstones AS t (repository, device, commit_id, id, kind, added_at, body, recorded_at, recorded_by)
        SELECT history, a.device, a.commit_id, a.id, a.kind, step, a.body, clock_timestamp(), session_user FROM asked a
        ON CONFLICT (repository, device, commit_id, id, kind) DO NOTHING
        RETURNING t.device, t.commit_id, t.id, t.kind
    )
    SELECT a.place FROM asked a
      JOIN added n ON n.device = a.device AND n.commit_id = a.commit_id AND n.id = a.id AND n.kind = a.kind;
END
$body$;
REVOKE ALL ON FUNCTION tracker.drop_documents(text, bytea[], bytea[], bytea[], smallint[], bytea[]) FROM PUBLIC;
)sql",
};

struct Role {
  const char* name;
  bool adds;
  bool drops;
};

constexpr Role kRoles[] = {
    {"tracker_reader", false, false}, {"tracker_recorder", true, false}, {"tracker_dropper", true, true}};

// None may write a table, or take a tombstone away. What an older tracker granted is taken back.
std::string rights_of(const Role& role) {
  const std::string tables =
      "tracker.schema_version, tracker.histories, tracker.documents, tracker.tombstones";
  const std::string to = std::string(" TO ") + role.name + ";";
  std::string rights = "GRANT USAGE ON SCHEMA tracker" + to + "REVOKE ALL ON " + tables + " FROM " +
                       role.name + ";GRANT SELECT ON " + tables + ", tracker.runs" + to;
  if (role.adds)
    rights +=
        "GRANT EXECUTE ON FUNCTION tracker.add_documents(text, bytea[], bytea[], bytea[], smallint[],"
        " bigint[], smallint[], bytea[])" +
        to;
  if (role.drops)
    rights +=
        "GRANT EXECUTE ON FUNCTION tracker.drop_documents(text, bytea[], bytea[], bytea[], smallint[],"
        " bytea[])" +
        to;
  return rights;
}

}  // namespace

int newest_schema() {
  return static_cast<int>(std::size(kMigrations));
}

int schema_of(Connection& connection) {
  try {
    const auto rows = connection.run("SELECT version FROM tracker.schema_version");
    return rows.size() == 0 ? 0 : static_cast<int>(rows.number(0, 0));
  } catch (const Failure& failure) {
    if (failure.state() == "42P01" || failure.state() == "3F000") return 0;  // no such table, no such schema
    throw;
  }
}

int bring_up_to_date(Connection& connection, bool with_roles) {
  const int before = schema_of(connection);
  if (before > newest_schema())
    throw Error(ExitCode::kEnvironment,
                "the tables of " + connection.name() + " have schema " + std::to_string(before) +
                    ", which is newer than this tracker's: " + std::to_string(newest_schema()),
                "update tracker");
  connection.transaction([&] {
    if (before == 0) {
      connection.run_script(
          "CREATE SCHEMA IF NOT EXISTS tracker;"
          "CREATE TABLE IF NOT EXISTS tracker.schema_version (version integer NOT NULL PRIMARY KEY);");
    }
    for (int at = before; at < newest_schema(); ++at) connection.run_script(kMigrations[at]);
    if (before < newest_schema()) {
      connection.run("DELETE FROM tracker.schema_version");
      connection.run("INSERT INTO tracker.schema_version VALUES ($1::bigint)",
                     PostgresValues().big(newest_schema()));
    }
    for (const auto& role : kRoles) {
      const auto known =
          connection.run("SELECT 1 FROM pg_roles WHERE rolname = $1", PostgresValues().text(role.name));
      if (known.size() == 0 && !with_roles) continue;
      if (known.size() == 0) connection.run(("CREATE ROLE " + std::string(role.name) + " NOLOGIN").c_str());
      connection.run_script(rights_of(role).c_str());
    }
    return true;
  });
  return before;
}

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
  if (size_bytes > store::kDocumentBytesMax)
    throw damaged("it claims " + std::to_string(size_bytes) + " bytes");
  std::string text(size_bytes, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0) throw damaged(ZSTD_getErrorName(size));
  if (size != size_bytes) throw damaged("it is cut off");
  return text;
}

}  // namespace tracker::postgres
