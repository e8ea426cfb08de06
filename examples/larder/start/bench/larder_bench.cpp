// The hot parts of larder, each on its own.
#include "checksum.h"
#include "compress.h"
#include "generate.h"
#include "index.h"
#include "keys.h"

#include <benchmark/benchmark.h>

namespace {

using namespace larder;

void hash_key(benchmark::State& state) {
  KeyMaker keys(static_cast<std::size_t>(state.range(0)));
  const std::string key(keys.key(1));
  for (auto _ : state)
    benchmark::DoNotOptimize(larder::hash_key(key));
}
BENCHMARK(hash_key)->Arg(8)->Arg(256);

void index_lookup(benchmark::State& state) {
  Image image;
  const auto index = make_index(IndexKind::Hash, image);
  KeyMaker keys(16);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    Record record;
    record.key = keys.key(i);
    index->put(record.key, image.append(record));
  }
  const std::string key(keys.key(500));
  for (auto _ : state)
    benchmark::DoNotOptimize(index->find(key));
}
BENCHMARK(index_lookup);

void compress_block(benchmark::State& state) {
  const std::string text = make_text(1000);
  Compressor compressor;
  std::string coded;
  for (auto _ : state) {
    compressor.compress(text, coded);
    benchmark::DoNotOptimize(coded.data());
  }
}
BENCHMARK(compress_block);

void checksum_block(benchmark::State& state) {
  const std::string text = make_text(1000);
  for (auto _ : state)
    benchmark::DoNotOptimize(checksum(text));
}
BENCHMARK(checksum_block);

} // namespace

BENCHMARK_MAIN();
