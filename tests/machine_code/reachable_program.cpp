// A program with benchmarks, as Google Benchmark has them, that reachable_code_test.cpp compiles in many
// ways.
#include <cstdio>
#include <cstdlib>

#define APART __attribute__((noinline))

#ifndef HELPER
#define HELPER 3
#endif
#ifndef OTHER
#define OTHER 7
#endif
#ifndef FACTOR
#define FACTOR 0.5
#endif
#ifndef TEXT
#define TEXT "a text that is printed"
#endif
#ifndef ENTRY
#define ENTRY 11
#endif
#ifndef CASE
#define CASE 23
#endif
#ifndef POINTED
#define POINTED 31
#endif
#ifndef METHOD
#define METHOD 37
#endif
#ifndef SET_UP
#define SET_UP 41
#endif
#ifndef AROUND
#define AROUND 43
#endif
#ifndef LARGE
#define LARGE 47
#endif

#ifdef MOVED  // what lies before everything else is longer
APART int first_of_all(int n) {
  switch (n) {
    case 1:
      return std::rand() + 1;
    case 2:
      return std::rand() / 3;
    case 3:
      return std::rand() * 5;
    case 4:
      return std::rand() % 7;
    case 5:
      return std::rand() ^ 9;
    default:
      return std::puts("another text, of which there was none");
  }
}
double half_of_all(double x) {
  return x * 0.7071;
}
extern const int more_numbers[] = {1, 2, 3, 5};
#endif

namespace benchmark {

struct State {
  long sum = 1;
};

struct Entry {
  Entry(const char* name, void (*run)(State&)) : name(name), run(run), next(all) { all = this; }
  const char* name;
  void (*run)(State&);
  Entry* next;
  static Entry* all;
};
Entry* Entry::all = nullptr;

struct Fixture {
  virtual ~Fixture() = default;
  virtual void SetUp(State&) {}
  virtual void BenchmarkCase(State&) = 0;
  void Run(State& state) {
    SetUp(state);
    BenchmarkCase(state);
  }
};

}  // namespace benchmark

using benchmark::State;

APART long helper(long n) {
  return n * HELPER + 1;
}
APART long other_helper(long n) {
  return n * OTHER + 2;
}

const int table[] = {2, 3, 5, 7, ENTRY, 13, 17, 19};
struct Large {
  long numbers[40];
};

APART long chosen(long n) {
  switch (n % 8) {
    case 0:
      return std::rand();
    case 1:
      return std::abs(static_cast<int>(n)) + 5;
    case 2:
      return std::rand() * n;
    case 3:
      return std::rand() + CASE;
    case 4:
      return std::atoi("12") + n;
    case 5:
      return std::rand() / 3;
    case 6:
      return std::puts("six");
    default:
      return n ^ std::rand();
  }
}

long pointed(long n) {
  return n + POINTED;
}
long not_pointed(long n) {
  return n - 1;
}
long (*volatile pointer)(long) = pointed;

struct Shape {
  virtual ~Shape() = default;
  virtual long area() const { return 1; }
};
struct Square : Shape {
  long area() const override { return METHOD; }
};
Shape* volatile shape = nullptr;

void sum_up(const Large& large, State& state) {
  for (const long number : large.numbers) state.sum += number;
}

void BM_copy(State& state) {
  Large large = {{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18,    19, 20,
                  21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, LARGE, 39, 40}};
  sum_up(large, state);
  Square square;
  shape = &square;
  state.sum += helper(state.sum) + table[state.sum & 7] + chosen(state.sum) + pointer(3) + shape->area();
  state.sum += static_cast<long>(static_cast<double>(state.sum) * FACTOR);
  std::puts(TEXT);
}

void BM_other(State& state) {
  state.sum += other_helper(state.sum) + not_pointed(state.sum);
}

struct Warm : benchmark::Fixture {
  void SetUp(State& state) override { state.sum = SET_UP; }
};
struct Warm_read_Benchmark : Warm {
  void BenchmarkCase(State& state) override { state.sum += helper(1); }
};
struct Warm_write_Benchmark : Warm {  // of one class the compiler would guess what is called
  void BenchmarkCase(State& state) override { state.sum -= 2; }
};
benchmark::Fixture* volatile warm[] = {new Warm_read_Benchmark, new Warm_write_Benchmark};

benchmark::Entry entries[] = {{"BM_copy", BM_copy}, {"BM_other", BM_other}};

int main() {
  State state;
  state.sum = AROUND;
  for (auto* entry = benchmark::Entry::all; entry != nullptr; entry = entry->next) entry->run(state);
  for (auto* fixture : warm) fixture->Run(state);
  return std::printf("%ld\n", state.sum) < 0;
}
