window.BENCHMARK_DATA = {
  "lastUpdate": 1700000000000,
  "repoUrl": "https://github.com/example/project",
  "entries": {
    "C++ Benchmark": [
      {
        "commit": {"id": "1111111111111111111111111111111111111111", "message": "one", "timestamp": "2023-11-13T10:00:00Z"},
        "date": 1699870000000, "tool": "googlecpp",
        "benches": [{"name": "BM_a", "value": 12.5, "unit": "ns/iter", "extra": "iterations: 5"}]
      },
      {
        "commit": {"id": "2222222222222222222222222222222222222222", "message": "two", "timestamp": "2023-11-14T10:00:00Z"},
        "date": 1699956000000, "tool": "googlecpp",
        "benches": [{"name": "BM_a", "value": 14, "unit": "ns/iter", "extra": "iterations: 5"}]
      }
    ],
    "Throughput": [
      {
        "commit": {"id": "2222222222222222222222222222222222222222", "message": "two", "timestamp": "2023-11-14T10:00:00Z"},
        "date": 1699956000000, "tool": "customBiggerIsBetter",
        "benches": [{"name": "served", "value": 900, "unit": "requests"}]
      }
    ]
  }
}
