-- What a tracker of schema 1 made and recorded: pg_dump --no-owner --inserts --schema=tracker, without its settings.
CREATE SCHEMA tracker;
CREATE TABLE tracker.documents (
    repository text NOT NULL,
    device bytea NOT NULL,
    commit_id bytea NOT NULL,
    id bytea NOT NULL,
    kind smallint NOT NULL,
    added_at bigint NOT NULL,
    size_bytes bigint NOT NULL,
    encoding smallint NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE tracker.histories (
    repository text NOT NULL,
    identity text NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE tracker.tombstones (
    repository text NOT NULL,
    device bytea NOT NULL,
    commit_id bytea NOT NULL,
    id bytea NOT NULL,
    kind smallint NOT NULL,
    added_at bigint NOT NULL,
    body bytea NOT NULL
);
CREATE VIEW tracker.runs AS
 SELECT d.repository,
    convert_from(d.device, 'UTF8'::name) AS device,
    encode(d.commit_id, 'hex'::text) AS commit_id,
    convert_from(d.id, 'UTF8'::name) AS id,
    d.size_bytes,
    length(d.body) AS stored_bytes
   FROM tracker.documents d
  WHERE ((d.kind = 0) AND (NOT (EXISTS ( SELECT 1
           FROM tracker.tombstones t
          WHERE ((t.repository = d.repository) AND (t.device = d.device) AND (t.commit_id = d.commit_id) AND (t.id = d.id) AND (t.kind = d.kind))))));
CREATE TABLE tracker.schema_version (
    version integer NOT NULL
);
INSERT INTO tracker.documents VALUES ('kernels', '\x677075', '\xaa00000000000000000000000000000000000001', '\x31', 0, 2, 2, 1, '\x28b52ffd24021100007b7dd194f27a');
INSERT INTO tracker.documents VALUES ('kernels', '\x677075', '\xaa00000000000000000000000000000000000001', '\x32', 0, 2, 3, 1, '\x28b52ffd240319000074776f8b44f4ec');
INSERT INTO tracker.documents VALUES ('kernels', '\x677075', '\xaa00000000000000000000000000000000000001', '\x32', 1, 2, 7, 1, '\x28b52ffd240739000070726f66696c653a79351d');
INSERT INTO tracker.histories VALUES ('kernels', 'e2bfdf1409df9bc7', 2);
INSERT INTO tracker.schema_version VALUES (1);
INSERT INTO tracker.tombstones VALUES ('kernels', '\x677075', '\xaa00000000000000000000000000000000000001', '\x32', 0, 1, '\x776879');
ALTER TABLE ONLY tracker.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (repository, device, commit_id, id, kind);
ALTER TABLE ONLY tracker.histories
    ADD CONSTRAINT histories_pkey PRIMARY KEY (repository);
ALTER TABLE ONLY tracker.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY tracker.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (repository, device, commit_id, id, kind);
CREATE INDEX documents_by_commit ON tracker.documents USING btree (repository, commit_id, kind, device, id);
CREATE INDEX documents_by_time ON tracker.documents USING btree (repository, device, kind, id, commit_id);
CREATE INDEX documents_by_version ON tracker.documents USING btree (repository, added_at);
CREATE INDEX tombstones_by_version ON tracker.tombstones USING btree (repository, added_at);
GRANT USAGE ON SCHEMA tracker TO tracker_reader;
GRANT USAGE ON SCHEMA tracker TO tracker_recorder;
GRANT SELECT ON TABLE tracker.documents TO tracker_reader;
GRANT SELECT,INSERT ON TABLE tracker.documents TO tracker_recorder;
GRANT SELECT ON TABLE tracker.histories TO tracker_reader;
GRANT SELECT,INSERT,UPDATE ON TABLE tracker.histories TO tracker_recorder;
GRANT SELECT ON TABLE tracker.tombstones TO tracker_reader;
GRANT SELECT,INSERT ON TABLE tracker.tombstones TO tracker_recorder;
GRANT SELECT ON TABLE tracker.runs TO tracker_reader;
GRANT SELECT ON TABLE tracker.runs TO tracker_recorder;
GRANT SELECT ON TABLE tracker.schema_version TO tracker_reader;
GRANT SELECT ON TABLE tracker.schema_version TO tracker_recorder;
