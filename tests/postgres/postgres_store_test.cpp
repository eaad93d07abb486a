// What only a store in PostgreSQL can meet: servers that stop, roles that may not, tables of another tracker.
#include "tracker/postgres/postgres_store.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/store/key_printer.hpp"
#include "tests/store/writers.hpp"
#include "tests/support/postgres_server.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/store.hpp"

namespace tracker::postgres {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kCommit = "aa00000000000000000000000000000000000001";
const store::Key kRun{"gpu", kCommit, "1"};

class Postgres : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_postgres(); !why.empty()) GTEST_SKIP() << why;
    server_.emplace();
    url_ = server_->create("perf");
  }
  PostgresServer& server() { return *server_; }
  const std::string& url() const { return url_; }
  std::unique_ptr<store::Store> open(const std::string& repository = "kernels") const {
    return open_store(url_, [repository] { return repository; });
  }
  // As a user that has this role alone.
  std::unique_ptr<store::Store> open_as(const std::string& user) const {
    return open_store(server_->url("perf", user), [] { return std::string("kernels"); });
  }
  void sql(const std::string& statements) const { Connection(url_).run_script(statements.c_str()); }

 private:
  std::optional<PostgresServer> server_;
  std::string url_;
};

std::string first_add(store::Store& store, const store::Key& key = kRun) {
  return error_of([&] { store.add({{key, "{}"}}); });
}

TEST_F(Postgres, AsksForItsTables) {
  const auto store = open();
  EXPECT_THAT(error_of([&] { store->keys(); }),
              AllOf(StartsWith("4 | the database postgresql://owner@/perf?host="),
                    HasSubstr("has no tables of tracker"), HasSubstr("store prepare")));
  auto prepared = prepare_store(url(), true);
  EXPECT_EQ(prepared.before, 0);
  EXPECT_EQ(prepared.now, 2);
  EXPECT_THAT(store->keys(), IsEmpty());
  prepared = prepare_store(url(), true);
  EXPECT_EQ(prepared.before, 2) << "and nothing to do";
  EXPECT_EQ(first_add(*store), "no error");
}

TEST_F(Postgres, RefusesTablesOfAnotherTracker) {
  prepare_store(url(), false);
  sql("UPDATE tracker.schema_version SET version = 3");
  EXPECT_THAT(error_of([&] { open()->keys(); }),
              AllOf(HasSubstr("have schema 3, and this tracker uses 2"), HasSubstr("update tracker")));
  EXPECT_THAT(
      error_of([&] { prepare_store(url(), false); }),
      AllOf(StartsWith("4 | "), HasSubstr("is newer than this tracker's: 2"), HasSubstr("update tracker")));
}

TEST_F(Postgres, KeepsRepositoriesApart) {
  prepare_store(url(), false);
  const auto one = open("one");
  const auto other = open("it's \"other\"; --");
  EXPECT_EQ(first_add(*one), "no error");
  EXPECT_EQ(first_add(*other, {"gpu", kCommit, "2"}), "no error");
  EXPECT_THAT(one->keys(), ElementsAre(kRun));
  EXPECT_THAT(other->keys(), ElementsAre(store::Key{"gpu", kCommit, "2"}));
  EXPECT_FALSE(one->changes_since(other->version())) << "versions are those of one history";
}

TEST_F(Postgres, LetsReadersReadAndNothingElse) {
  prepare_store(url(), true);
  EXPECT_EQ(first_add(*open()), "no error");
  sql("CREATE ROLE rita LOGIN; GRANT tracker_reader TO rita; CREATE ROLE nobody_here LOGIN");
  const auto reader = open_as("rita");
  EXPECT_THAT(reader->keys(), ElementsAre(kRun));
  EXPECT_EQ(reader->read(kRun), "{}");
  EXPECT_EQ(reader->version(), open()->version());
  EXPECT_THAT(first_add(*reader, {"gpu", kCommit, "2"}),
              AllOf(StartsWith("4 | user 'rita' may not record in postgresql://rita@/perf"),
                    HasSubstr("permission denied"), HasSubstr("tracker_recorder")));
  EXPECT_THAT(error_of([&] { reader->drop(kRun, "why"); }), HasSubstr("may not drop documents of"));
  EXPECT_THAT(error_of([&] { reader->require_writable(); }), StartsWith("4 | user 'rita' may not record in"));
  const std::string version = open()->version();
  open()->require_writable();
  EXPECT_EQ(open()->version(), version) << "asking is no step";
  EXPECT_THAT(reader->keys(), ElementsAre(kRun)) << "it goes on reading";
  server().create("empty");
  EXPECT_THAT(error_of([&] { prepare_store(server().url("empty", "rita"), false); }),
              HasSubstr("user 'rita' may not prepare"));
  EXPECT_THAT(error_of([&] { open_as("nobody_here")->keys(); }),
              AllOf(StartsWith("4 | user 'nobody_here' may not read"), HasSubstr("tracker_reader")));
}

TEST_F(Postgres, LetsRecordersAddAndChangeNothing) {
  prepare_store(url(), true);
  sql("CREATE ROLE rudi LOGIN; GRANT tracker_recorder TO rudi");
  const auto recorder = open_as("rudi");
  EXPECT_EQ(first_add(*recorder), "no error");
  EXPECT_THAT(error_of([&] {
                recorder->drop({"gpu", kCommit, "2"}, "why");
              }),
              AllOf(StartsWith("4 | user 'rudi' may not drop documents of postgresql://rudi@/perf"),
                    HasSubstr("tracker_dropper to drop")));
  EXPECT_THAT(error_of([&] {
                recorder->replace({{kRun, "why", store::Key{"gpu", kCommit, "1-compact"}, "{}"}});
              }),
              HasSubstr("may not replace documents of"));
  EXPECT_THAT(recorder->keys(), ElementsAre(kRun));
  for (const char* statement :
       {"INSERT INTO tracker.documents VALUES ('kernels', '', '', '', 0, 1, 1, 1, '')",
        "INSERT INTO tracker.tombstones SELECT repository, device, commit_id, id, kind, 1, '' FROM "
        "tracker.documents",
        "INSERT INTO tracker.histories VALUES ('other', '', 9)",
        "UPDATE tracker.histories SET version = 9223372036854775807",
        "UPDATE tracker.documents SET added_at = 0",
        "UPDATE tracker.documents SET recorded_at = now()",
        "SELECT 1 FROM tracker.histories FOR UPDATE",
        "SELECT 1 FROM tracker.documents FOR KEY SHARE",
        "BEGIN; LOCK TABLE tracker.documents IN EXCLUSIVE MODE",
        "SELECT tracker.take_step('kernels')",
        "SELECT tracker.drop_documents('kernels', '{}', '{}', '{}', '{}', '{}')",
        "CREATE TABLE tracker.mine ()",
        "CREATE FUNCTION tracker.take_step(x text, y text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER FUNCTION tracker.take_step(text) SET search_path = public",
        "DELETE FROM tracker.documents",
        "UPDATE tracker.documents SET body = ''",
        "TRUNCATE tracker.documents",
        "DELETE FROM tracker.tombstones",
        "UPDATE tracker.tombstones SET body = ''",
        "DROP TABLE tracker.documents",
        "UPDATE tracker.schema_version SET version = 9",
        "DELETE FROM tracker.histories"})
    try {
      Connection(server().url("perf", "rudi")).run_script(statement);
      ADD_FAILURE() << statement;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.state(), "42501") << statement << ": " << failure.what();
    }
}

// The functions number the steps and say who records, and take nothing that is no document.
TEST_F(Postgres, LetsTheServerSayWhatAStepIs) {
  prepare_store(url(), true);
  sql("CREATE ROLE rudi LOGIN; GRANT tracker_recorder TO rudi; CREATE ROLE dora LOGIN; GRANT tracker_dropper "
      "TO "
      "dora; CREATE ROLE rita LOGIN; GRANT tracker_reader TO rita");
  EXPECT_EQ(first_add(*open_as("rudi")), "no error");
  Connection as_rudi(server().url("perf", "rudi"));
  const auto add = [&](const std::string& values) {
    try {
      as_rudi.run_script(("SELECT tracker.add_documents('kernels', " + values + ")").c_str());
      return std::string("no error");
    } catch (const Failure& failure) {
      return failure.state();
    }
  };
  const std::string commit = "ARRAY[decode(repeat('aa', 20), 'hex')]";
  EXPECT_EQ(
      add("ARRAY['gpu'::bytea], " + commit + ", ARRAY['5'::bytea], '{0}', '{1}', '{1}', ARRAY['x'::bytea]"),
      "no error");
  for (const std::string& values :
       {"ARRAY[''::bytea], " + commit + ", ARRAY['6'::bytea], '{0}', '{1}', '{1}', ARRAY['x'::bytea]",
        std::string("ARRAY['gpu'::bytea], ARRAY['a'::bytea], ARRAY['6'::bytea], '{0}', '{1}', '{1}', "
                    "ARRAY['x'::bytea]"),
        "ARRAY['gpu'::bytea], " + commit + ", ARRAY['6'::bytea], '{7}', '{1}', '{1}', ARRAY['x'::bytea]",
        "ARRAY['gpu'::bytea], " + commit + ", ARRAY['6'::bytea], '{0}', '{-1}', '{1}', ARRAY['x'::bytea]",
        "ARRAY['gpu'::bytea], " + commit +
            ", ARRAY['6'::bytea], '{0}', '{268435457}', '{1}', ARRAY['x'::bytea]",
        "ARRAY['gpu'::bytea], " + commit + ", ARRAY['6'::bytea], '{0}', '{1}', '{2}', ARRAY['x'::bytea]",
        "ARRAY['gpu'::bytea], " + commit + ", ARRAY['6'::bytea], '{0}', '{1}', '{1}', ARRAY[NULL::bytea]",
        "ARRAY['gpu'::bytea], " + commit +
            ", ARRAY['6'::bytea, '7'], '{0}', '{1}', '{1}', ARRAY['x'::bytea]"})
    EXPECT_EQ(add(values), "22023") << values;
  const auto rows = as_rudi.run(
      "SELECT added_at, recorded_by, (recorded_at BETWEEN now() - interval '1 minute' AND now() + interval "
      "'1 minute')"
      "::int FROM tracker.documents ORDER BY added_at");
  ASSERT_EQ(rows.size(), 2);
  for (int row = 0; row < 2; ++row) {
    EXPECT_EQ(rows.number(row, 0), row + 1);
    EXPECT_EQ(rows.bytes(row, 1), "rudi");
    EXPECT_EQ(rows.number(row, 2), 1);
  }
  // What a caller puts into its search_path is not called.
  as_rudi.run_script(
      "CREATE FUNCTION pg_temp.octet_length(bytea) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE ''called''; "
      "END';"
      "SET search_path = pg_temp, pg_catalog");
  EXPECT_EQ(
      add("ARRAY['gpu'::bytea], " + commit + ", ARRAY['8'::bytea], '{0}', '{1}', '{1}', ARRAY['x'::bytea]"),
      "no error");
  const auto dropper = open_as("dora");
  EXPECT_TRUE(dropper->drop(kRun, "why"));
  EXPECT_FALSE(dropper->drop(kRun, "why"));
  dropper->replace({{{"gpu", kCommit, "9"}, "why", store::Key{"gpu", kCommit, "9-compact"}, "{}"}});
  EXPECT_EQ(open()->keys_of(kCommit).size(), 1u);
  EXPECT_THAT(error_of([&] { open_as("rita")->drop(kRun, "why"); }), HasSubstr("may not drop documents of"));
}

// A recorder who stays in the middle of a step holds others up for seconds, and they are told; readers read
// on.
TEST_F(Postgres, SaysThatAnotherSessionHoldsAStep) {
  prepare_store(url(), true);
  sql("CREATE ROLE rudi LOGIN; GRANT tracker_recorder TO rudi");
  EXPECT_EQ(first_add(*open()), "no error");
  Connection holder(server().url("perf", "rudi"));
  for (const char* repository : {"kernels", "new"}) {
    holder.run_script(
        ("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT tracker.add_documents('" +
         std::string(repository) + "', '{}', '{}', '{}', '{}', '{}', '{}', '{}')")
            .c_str());
    const auto begin = std::chrono::steady_clock::now();
    run_writers(3, [&](int writer) {
      const auto store = open(repository);
      EXPECT_THAT(first_add(*store, {"gpu", kCommit, "of-" + std::to_string(writer)}),
                  AllOf(StartsWith("4 | cannot record in postgresql://owner@/perf"),
                        HasSubstr("another session has been in the middle of a step"),
                        HasSubstr("pg_terminate_backend")));
      EXPECT_EQ(store->run_count(), std::string(repository) == "new" ? 0u : 1u);
      if (HasFailure()) throw std::runtime_error("as said above");
    });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(12));
    holder.run("ROLLBACK");
    EXPECT_EQ(first_add(*open(repository), {"gpu", kCommit, "9"}), "no error");
  }
}

// What a tracker of schema 1 made and recorded is read on, and its roles lose the right to write tables.
TEST_F(Postgres, BringsAnOlderDatabaseUpToDate) {
  sql("CREATE ROLE tracker_reader; CREATE ROLE tracker_recorder; CREATE ROLE rudi LOGIN; GRANT "
      "tracker_recorder TO "
      "rudi; CREATE ROLE dora LOGIN");
  std::ifstream file(fs::path(TEST_DATA) / "schema-1.sql");
  ASSERT_TRUE(file);
  sql({std::istreambuf_iterator<char>(file), {}});
  EXPECT_THAT(error_of([&] { open_as("rudi")->keys(); }),
              AllOf(HasSubstr("have schema 1, and this tracker uses 2"), HasSubstr("store prepare")));
  const auto prepared = prepare_store(url(), true);
  EXPECT_EQ(prepared.before, 1);
  EXPECT_EQ(prepared.now, 2);
  const auto store = open_as("rudi");
  EXPECT_THAT(store->keys(), ElementsAre(kRun));
  EXPECT_EQ(store->read(kRun), "{}");
  EXPECT_EQ(store->read({"gpu", kCommit, "2"}), "two");
  EXPECT_EQ(store->version(), "e2bfdf1409df9bc7:2") << "what follows the store goes on from there";
  EXPECT_EQ(first_add(*store, {"gpu", kCommit, "3"}), "no error");
  EXPECT_EQ(store->version(), "e2bfdf1409df9bc7:3");
  for (const char* statement :
       {"UPDATE tracker.histories SET version = 9",
        "INSERT INTO tracker.tombstones VALUES ('kernels', '', '', '', 0, 1, '')",
        "INSERT INTO tracker.documents VALUES ('kernels', '', '', '', 0, 1, 1, 1, '')"})
    EXPECT_THROW(Connection(server().url("perf", "rudi")).run(statement), Failure) << statement;
  sql("GRANT tracker_dropper TO dora");
  EXPECT_TRUE(open_as("dora")->drop({"gpu", kCommit, "3"}, "why"));
  EXPECT_FALSE(open_as("dora")->drop({"gpu", kCommit, "2"}, "why"));
}

// More machines at once than the server lets in: they wait for one another.
TEST_F(Postgres, WaitsForAPlace) {
  prepare_store(url(), true);
  sql("CREATE ROLE rudi LOGIN CONNECTION LIMIT 1; GRANT tracker_recorder TO rudi");
  auto first = std::make_unique<Connection>(server().url("perf", "rudi"));
  first->open();
  std::string said;
  std::thread worker([&] { said = first_add(*open_as("rudi")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  first.reset();
  worker.join();
  EXPECT_EQ(said, "no error");
}

// A server that is starting, or not there for a moment, when a command begins.
TEST_F(Postgres, WaitsForAServerThatStarts) {
  prepare_store(url(), false);
  EXPECT_EQ(first_add(*open()), "no error");
  const auto when_started = [&](const std::function<void()>& work) {
    std::string said;
    std::thread worker([&] { said = error_of(work); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    server().start();
    worker.join();
    EXPECT_EQ(said, "no error");
  };
  for (const int signal : {SIGINT, SIGQUIT}) {
    server().stop(signal);
    when_started([&] { EXPECT_EQ(open()->read(kRun), "{}"); });
  }
  server().stop();
  when_started([&] { prepare_store(url(), false); });
}

TEST_F(Postgres, GoesOnAfterTheServerWasRestarted) {
  prepare_store(url(), false);
  const auto store = open();
  EXPECT_EQ(first_add(*store), "no error");
  // The server lives as long as the thread that started it.
  const auto while_restarted = [&](int signal, const std::function<void()>& work) {
    server().stop(signal);
    std::string said;
    std::thread worker([&] { said = error_of(work); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    server().start();
    worker.join();
    EXPECT_EQ(said, "no error");
  };
  for (const int signal : {SIGINT, SIGQUIT})
    while_restarted(signal, [&] { EXPECT_EQ(store->read(kRun), "{}"); });
  while_restarted(SIGQUIT, [&] { store->add({{{"gpu", kCommit, "2"}, "{}"}}); });
  while_restarted(SIGQUIT, [&] { EXPECT_TRUE(store->drop({"gpu", kCommit, "3"}, "why")); });
  EXPECT_EQ(store->run_count(), 2u);
}

// Writers go on over a server that is stopped, at once or not, and started again in the middle of their work.
TEST_F(Postgres, LosesNothingWhenTheServerIsRestartedInMidWork) {
  prepare_store(url(), false);
  constexpr int kWriters = 3;
  constexpr int kAdds = 40;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    run_writers(kWriters, [&](int writer) {
      const auto store = open();
      for (int i = 0; i < kAdds; ++i) {
        const std::string id = std::to_string(writer) + "-" + std::to_string(i);
        store->add({{{"gpu", kCommit, id}, id}, {{"gpu", kCommit, id, store::DocumentKind::kProfile}, id}});
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  for (const int signal : {SIGINT, SIGQUIT}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    server().stop(signal);
    server().start();
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const auto store = open();
  EXPECT_EQ(store->run_count(), std::size_t{kWriters * kAdds});
  for (const auto& key : store->keys()) EXPECT_EQ(store->read(key), key.id);
  EXPECT_EQ(store->profile_keys_of(kCommit).size(), std::size_t{kWriters * kAdds});
}

// After ten seconds; at once where the server lets nobody in.
TEST_F(Postgres, SaysWhichServerCannotBeReached) {
  const auto begin = std::chrono::steady_clock::now();
  const auto no_such_database = open_store(server().url("none"), [] { return std::string("x"); });
  EXPECT_THAT(error_of([&] { no_such_database->keys(); }), HasSubstr("database \"none\" does not exist"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  server().stop();
  EXPECT_THAT(error_of([&] { open()->keys(); }),
              AllOf(StartsWith("4 | cannot reach the server at " + server().socket().string()),
                    HasSubstr("see that it runs")));
  const auto nowhere = open_store("postgresql://ada@127.0.0.1:1/perf", [] { return std::string("x"); });
  EXPECT_THAT(error_of([&] { nowhere->keys(); }),
              StartsWith("4 | cannot reach the server at 127.0.0.1:1 for the store "
                         "postgresql://ada@127.0.0.1:1/perf: "));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(45)) << "for two servers";
}

// What cannot be had now is no document that cannot be used: nobody goes on with the others.
TEST_F(Postgres, LeavesNothingOutBecauseTheConnectionIsLost) {
  prepare_store(url(), true);
  EXPECT_EQ(first_add(*open()), "no error");
  const auto reader = open();
  reader->on_left_out([](const store::LeftOut& one) { ADD_FAILURE() << one.key.id << one.why; });
  sql("CREATE ROLE nobody_here LOGIN");
  EXPECT_THROW(history::read_stored_run(*open_as("nobody_here"), kRun), store::Unreachable);
  server().stop();
  EXPECT_THROW(history::read_stored_run(*reader, kRun), store::Unreachable);
}

// A server that asks for passwords.
TEST(PostgresPasswords, AreNeverShown) {
  if (const auto why = why_no_postgres(); !why.empty()) GTEST_SKIP() << why;
  const PostgresServer server("scram-sha-256");
  const auto url = server.create("perf");
  prepare_store(url, true);
  Connection(url).run_script(
      "CREATE ROLE rita LOGIN PASSWORD 's3cret-and-l0ng'; GRANT tracker_reader TO rita");
  const auto open = [&](const std::string& login) {
    return open_store("postgresql://" + login + "@/perf?host=" + server.socket().string(),
                      [] { return std::string("kernels"); });
  };
  EXPECT_THAT(open("rita:s3cret-and-l0ng")->keys(), IsEmpty());
  EXPECT_THAT(open("rita:s3cret-and-l0ng")->describe(), Not(HasSubstr("s3cret")));
  EXPECT_THAT(
      error_of([&] { open("rita:wr0ng-but-l0ng")->keys(); }),
      AllOf(HasSubstr("password authentication failed"), HasSubstr("~/.pgpass"), Not(HasSubstr("wr0ng"))));
  EXPECT_THAT(error_of([&] { open("rita")->keys(); }), AllOf(HasSubstr("password"), HasSubstr("~/.pgpass")));

  const ScratchFolder folder;
  write_file(folder.path() / "pgpass", "*:*:*:rita:s3cret-and-l0ng\n");
  fs::permissions(folder.path() / "pgpass", fs::perms(0600));
  write_file(folder.path() / "services",
             "[perf]\nhost=" + server.socket().string() + "\ndbname=perf\nuser=rita\n");
  ::setenv("PGPASSFILE", (folder.path() / "pgpass").c_str(), 1);
  ::setenv("PGSERVICEFILE", (folder.path() / "services").c_str(), 1);
  EXPECT_THAT(open("rita")->keys(), IsEmpty());
  const auto by_service = open_store("postgresql:///?service=perf", [] { return std::string("x"); });
  EXPECT_THAT(by_service->keys(), IsEmpty());
  EXPECT_EQ(by_service->describe(), "postgresql:///?service=perf");
  ::unsetenv("PGPASSFILE");
  ::unsetenv("PGSERVICEFILE");
}

TEST(PostgresUrls, AreRefusedWithoutAWordOfThePassword) {
  for (const std::string url :
       {"postgresql://rita:s3cret%@host/perf", "postgresql://rita:s3cret@host/perf?no=such",
        "mysql://rita:s3cret@host/perf", "postgresql://rita:s3cret@[host/perf"})
    EXPECT_THAT(error_of([&] { open_store(url, [] { return std::string("x"); }); }),
                AllOf(StartsWith("2 | the URL of the store is not valid"), Not(HasSubstr("s3cret"))))
        << url;
  EXPECT_TRUE(has_password("postgresql://rita:x@host/perf"));
  EXPECT_TRUE(has_password("postgresql://rita@host/perf?password=x"));
  EXPECT_FALSE(has_password("postgresql://rita@host/perf"));
}

// A writer that hangs in mid work, with the others waiting for it, is ended by the server.
TEST_F(Postgres, LetsNoTransactionHang) {
  Connection connection(url());
  connection.transaction([&] {
    const auto rows = connection.run("SELECT current_setting('idle_in_transaction_session_timeout')");
    EXPECT_EQ(rows.bytes(0, 0), "1min");
    return true;
  });
  EXPECT_EQ(connection.run("SELECT current_setting('idle_in_transaction_session_timeout')").bytes(0, 0), "0");
}

// What 16 machines of a fleet do: all of it is there, and none twice.
TEST_F(Postgres, TakesAllOfAFleet) {
  prepare_store(url(), false);
  constexpr int kWriters = 16;
  constexpr int kAdds = 25;
  run_writers(kWriters, [&](int writer) {
    const auto store = open();
    for (int i = 0; i < kAdds; ++i) {
      const std::string id = std::to_string(writer) + "-" + std::to_string(i);
      store->add({{{"gpu-" + std::to_string(writer % 4), kCommit, id}, std::string(20'000, 'x') + id}});
    }
  });
  const auto store = open();
  EXPECT_EQ(store->run_count(), std::size_t{kWriters * kAdds});
  for (const auto& key : store->keys()) EXPECT_EQ(store->read(key), std::string(20'000, 'x') + key.id);
  EXPECT_THAT(store->version(), ::testing::EndsWith(":" + std::to_string(kWriters * kAdds))) << "a step each";
}

// In the middle of a step: what was before is there, nothing of the step is, and the step can be taken again.
TEST_F(Postgres, TakesNothingOfAStepThatFillsTheServersDisk) {
  prepare_store(url(), false);
  const auto store = open();
  EXPECT_EQ(first_add(*store), "no error");
  sql("CREATE FUNCTION tracker.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
      "'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;"
      "CREATE TRIGGER fill BEFORE INSERT ON tracker.documents FOR EACH ROW WHEN (NEW.id = '3') "
      "EXECUTE FUNCTION tracker.fill()");
  const store::Key second{"gpu", kCommit, "2"};
  const store::Key third{"gpu", kCommit, "3"};
  const auto add = [&] { store->add({{second, "{}"}, {third, "{}"}}); };
  const auto replace = [&] { store->replace({{kRun, "why", third, "{}"}}); };
  const auto version = store->version();
  for (const auto& step : {std::function<void()>(add), std::function<void()>(replace)}) {
    EXPECT_THAT(error_of(step), AllOf(StartsWith("4 | "), HasSubstr("No space left on device")));
    EXPECT_THAT(store->keys(), ElementsAre(kRun));
    EXPECT_THAT(open()->keys(), ElementsAre(kRun));
    EXPECT_EQ(store->version(), version);
  }
  sql("DROP TRIGGER fill ON tracker.documents");
  EXPECT_EQ(error_of(add), "no error");
  EXPECT_EQ(store->run_count(), 3u);
}

TEST_F(Postgres, SaysWhatIsDamaged) {
  prepare_store(url(), false);
  const auto store = open();
  store->add({{kRun, "{}"}, {{"gpu", kCommit, "2"}, "{}"}});
  sql("UPDATE tracker.documents SET body = substr(body, 1, 5) WHERE id = '1'");
  EXPECT_THAT(error_of([&] { store->read(kRun); }),
              StartsWith("4 | cannot read run 'gpu/aa/" + kCommit + "/1.json' in 'postgresql://"));
  EXPECT_EQ(store->read({"gpu", kCommit, "2"}), "{}");
  sql("UPDATE tracker.documents SET encoding = 9 WHERE id = '2'");
  EXPECT_THAT(error_of([&] { store->read({"gpu", kCommit, "2"}); }), HasSubstr("a newer tracker packed it"));
  sql("INSERT INTO tracker.documents VALUES ('kernels', '../x', '', '', 0, 1, 1, 1, '')");
  EXPECT_EQ(store->keys().size(), 2u) << "what is no key is passed over";
}

}  // namespace
}  // namespace tracker::postgres
