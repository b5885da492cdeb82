// SPDX-License-Identifier: MIT
//
// usage: cub               a companion (bench/harness/bench.h): "measure N PROBLEM" in, "ns TIME [DIGEST]" out
//        cub N ...         every problem at these counts, one JSON object a line
//
// CUB's answer to the problems of bench/cases, on the same data. A time is that of one call within a batch of calls back
// to back between two events, after 100 ms of the same call; 32-bit counts, which is CUB's fastest. The context stays
// open between requests, which also keeps the card from its idle clock.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -o cub bench/cuda/cub.cu
#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr double warm_ms = 100, set_ms = 12;
constexpr int calls_max = 500;

void check(cudaError_t error)
{
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// ---- Memory --------------------------------------------------------------------------------------------------------

// An array of words on the device.
class words {
public:
    explicit words(uint64_t count = 0) : count_(count)
    {
        if (count > 0) check(cudaMalloc(&data_, count * 4));
    }
    words(words &&other) noexcept : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
    words(const words &) = delete;
    words &operator=(const words &) = delete;
    ~words() { cudaFree(data_); }

    uint32_t *u32() const { return data_; }
    float *f32() const { return reinterpret_cast<float *>(data_); }
    uint8_t *u8() const { return reinterpret_cast<uint8_t *>(data_); }
    int *i32() const { return reinterpret_cast<int *>(data_); }
    uint64_t count() const { return count_; }

private:
    uint32_t *data_ = nullptr;
    uint64_t count_;
};

// ---- Data: as bench/harness/fills.c ----------------------------------------------------------------------------------

__host__ __device__ uint32_t hash(uint32_t index)
{
    uint32_t x = index * 2654435761u;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

struct hashed {
    __device__ uint32_t operator()(uint32_t k) const { return hash(k); }
};
struct hashed_byte {
    __device__ uint32_t operator()(uint32_t k) const { return hash(k) & 255; }
};
struct index_itself {
    __device__ uint32_t operator()(uint32_t k) const { return k; }
};
struct unit_f32 {
    __device__ uint32_t operator()(uint32_t k) const { return __float_as_uint(float(hash(k) >> 8) * 0x1p-24f); }
};
struct run_begins {
    __device__ uint32_t operator()(uint32_t k) const { return hash(k) % 100 == 0; }
};
// Where segments of about `average` begin, and the last one ends: as bench/cases/runs.c.
struct segment_begin {
    uint32_t segments, n, average;
    __device__ uint32_t operator()(uint32_t k) const
    {
        uint64_t begin = uint64_t(k) * average + (k == 0 ? 0 : hash(k) % average);
        return k == segments || begin > n ? n : uint32_t(begin);
    }
};

template <class Fill> __global__ void fill_kernel(uint32_t *to, uint64_t count, Fill fill)
{
    uint64_t step = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t k = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) to[k] = fill(uint32_t(k));
}

template <class Fill> words filled(uint64_t count, Fill fill)
{
    words made(count);
    fill_kernel<<<1024, 256>>>(made.u32(), count, fill);
    check(cudaGetLastError());
    return made;
}

template <class Call> void with_scratch(Call call)
{
    size_t bytes = 0;
    check(call(nullptr, bytes));
    words scratch(bytes / 4 + 1);
    check(call(scratch.u32(), bytes));
    check(cudaDeviceSynchronize());
}

words runs(uint64_t n)
{
    words begins = filled(n, run_begins{}), made(n);
    with_scratch([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, begins.u32(), made.u32(), int(n));
    });
    return made;
}

// ---- Digest: the sum of words[k] * (2k + 1) over all outputs -------------------------------------------------------

__global__ void digest_kernel(const uint32_t *from, uint64_t count, uint64_t place, unsigned long long *sum)
{
    unsigned long long own = 0;
    uint64_t step = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t k = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
        own += from[k] * (2 * (place + k) + 1);
    }
    atomicAdd(sum, own);
}

uint32_t word_at(const words &from)
{
    uint32_t word;
    check(cudaMemcpy(&word, from.u32(), 4, cudaMemcpyDeviceToHost));
    return word;
}

// ---- Tasks ---------------------------------------------------------------------------------------------------------

struct output {
    const words *data;
    const words *count; // NULL: all of them are defined; else the number is there
};

struct task {
    std::string problem;
    uint64_t n = 0;
    std::vector<words> inputs;
    std::vector<words> made;    // outputs
    std::vector<output> digest; // none: f32, which depends on the order of additions
    std::function<void()> call;
};

// Asks `call` for its scratch, and calls it with that.
template <class Call> void set_call(task &t, Call call)
{
    size_t bytes = 0;
    check(call(nullptr, bytes));
    auto scratch = std::make_shared<words>(bytes / 4 + 1);
    t.call = [call, scratch, bytes]() mutable { check(call(scratch->u32(), bytes)); };
}

struct scaled {
    __device__ float operator()(float value) const { return value * 0.99f; }
};
struct odd {
    __device__ bool operator()(uint32_t value) const { return value & 1; }
};

__global__ void copy_kernel(const uint4 *from, uint4 *to, uint64_t count)
{
    uint64_t k = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (k < count) to[k] = from[k];
}

void make_copy(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    const uint32_t *in = t.inputs[0].u32();
    uint32_t *out = t.made[0].u32();
    uint64_t n = t.n;
    t.digest = {{&t.made[0], nullptr}};
    t.call = [=] { check(cudaMemcpyAsync(out, in, n * 4, cudaMemcpyDeviceToDevice)); };
}

void make_copy_kernel(task &t)
{
    make_copy(t);
    const uint4 *in = reinterpret_cast<uint4 *>(t.inputs[0].u32());
    uint4 *out = reinterpret_cast<uint4 *>(t.made[0].u32());
    uint64_t count = t.n / 4;
    if (t.n % 4 != 0) throw std::invalid_argument("a multiple of 4 only");
    t.call = [=] { copy_kernel<<<unsigned((count + 255) / 256), 256>>>(in, out, count); };
}

void make_map(task &t)
{
    t.inputs.push_back(filled(t.n, unit_f32{}));
    t.made.emplace_back(t.n);
    const float *in = t.inputs[0].f32();
    float *out = t.made[0].f32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    t.call = [=] { check(cub::DeviceTransform::Transform(in, out, n, scaled{})); };
}

void make_sum_u32(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(1);
    const uint32_t *in = t.inputs[0].u32();
    uint32_t *out = t.made[0].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) { return cub::DeviceReduce::Sum(scratch, bytes, in, out, n); });
}

void make_sum_f32(task &t)
{
    t.inputs.push_back(filled(t.n, unit_f32{}));
    t.made.emplace_back(1);
    const float *in = t.inputs[0].f32();
    float *out = t.made[0].f32();
    int n = int(t.n);
    set_call(t, [=](void *scratch, size_t &bytes) { return cub::DeviceReduce::Sum(scratch, bytes, in, out, n); });
}

template <class T, class Fill> void make_arg_min(task &t, Fill fill)
{
    t.inputs.push_back(filled(t.n, fill));
    t.made.emplace_back(1);
    t.made.emplace_back(1);
    const T *in = reinterpret_cast<const T *>(t.inputs[0].u32());
    T *least = reinterpret_cast<T *>(t.made[1].u32());
    uint32_t *index = t.made[0].u32();
    int64_t n = int64_t(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::ArgMin(scratch, bytes, in, least, index, n);
    });
}

void make_arg_min_u32(task &t) { make_arg_min<uint32_t>(t, hashed{}); }
void make_arg_min_f32(task &t) { make_arg_min<float>(t, unit_f32{}); }

void make_min_f32(task &t)
{
    t.inputs.push_back(filled(t.n, unit_f32{}));
    t.made.emplace_back(1);
    const float *in = t.inputs[0].f32();
    float *out = t.made[0].f32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) { return cub::DeviceReduce::Min(scratch, bytes, in, out, n); });
}

template <uint32_t average> void make_sum_segments(task &t)
{
    uint32_t segments = uint32_t((t.n + average - 1) / average);
    t.inputs.push_back(filled(t.n, hashed{}));
    t.inputs.push_back(filled(segments + 1, segment_begin{segments, uint32_t(t.n), average}));
    t.made.emplace_back(segments);
    const uint32_t *in = t.inputs[0].u32(), *offsets = t.inputs[1].u32();
    uint32_t *out = t.made[0].u32();
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, int(segments), offsets, offsets + 1);
    });
}

void make_sum_by_key(task &t)
{
    t.inputs.push_back(runs(t.n));
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    t.made.emplace_back(t.n);
    t.made.emplace_back(1);
    const uint32_t *keys = t.inputs[0].u32(), *in = t.inputs[1].u32();
    uint32_t *unique = t.made[0].u32(), *out = t.made[1].u32(), *count = t.made[2].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], &t.made[2]}, {&t.made[1], &t.made[2]}, {&t.made[2], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(scratch, bytes, keys, unique, in, out, count, cuda::std::plus<>{}, n);
    });
}

void make_scan(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    const uint32_t *in = t.inputs[0].u32();
    uint32_t *out = t.made[0].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n);
    });
}

void make_scan_by_key(task &t)
{
    t.inputs.push_back(runs(t.n));
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    const uint32_t *keys = t.inputs[0].u32(), *in = t.inputs[1].u32();
    uint32_t *out = t.made[0].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSumByKey(scratch, bytes, keys, in, out, n);
    });
}

void make_select(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    t.made.emplace_back(1);
    const uint32_t *in = t.inputs[0].u32();
    uint32_t *out = t.made[0].u32(), *count = t.made[1].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], &t.made[1]}, {&t.made[1], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceSelect::If(scratch, bytes, in, out, count, n, odd{});
    });
}

void make_histogram_u32(task &t)
{
    t.inputs.push_back(filled(t.n, hashed_byte{}));
    t.made.emplace_back(256);
    const uint32_t *in = t.inputs[0].u32();
    int *out = t.made[0].i32(), n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, 257, 0u, 256u, n);
    });
}

void make_histogram_u8(task &t)
{
    t.inputs.push_back(filled((t.n + 3) / 4, hashed{}));
    t.made.emplace_back(256);
    const uint8_t *in = t.inputs[0].u8();
    int *out = t.made[0].i32(), n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, 257, 0, 256, n);
    });
}

void make_sort_keys(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.made.emplace_back(t.n);
    const uint32_t *in = t.inputs[0].u32();
    uint32_t *out = t.made[0].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n);
    });
}

void make_sort_pairs(task &t)
{
    t.inputs.push_back(filled(t.n, hashed{}));
    t.inputs.push_back(filled(t.n, index_itself{}));
    t.made.emplace_back(t.n);
    t.made.emplace_back(t.n);
    const uint32_t *keys = t.inputs[0].u32(), *values = t.inputs[1].u32();
    uint32_t *out = t.made[0].u32(), *values_out = t.made[1].u32();
    int n = int(t.n);
    t.digest = {{&t.made[0], nullptr}, {&t.made[1], nullptr}};
    set_call(t, [=](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, out, values, values_out, n);
    });
}

const struct {
    const char *problem;
    void (*make)(task &);
    uint32_t scale; // n is so many times a count asked for
} problems[] = {
    {"copy u32", make_copy, 1},
    {"copy u32 by a kernel", make_copy_kernel, 1},
    {"map f32", make_map, 1},
    {"reduce sum u32", make_sum_u32, 1},
    {"reduce sum f32", make_sum_f32, 1},
    {"reduce min f32", make_min_f32, 1},
    {"reduce arg-min u32", make_arg_min_u32, 1},
    {"reduce arg-min f32", make_arg_min_f32, 1},
    {"reduce segments of 10 u32", make_sum_segments<10>, 1},
    {"reduce segments of 100 u32", make_sum_segments<100>, 1},
    {"reduce segments of 10000 u32", make_sum_segments<10000>, 1},
    {"reduce by key u32", make_sum_by_key, 1},
    {"scan exclusive u32", make_scan, 1},
    {"scan exclusive by key u32", make_scan_by_key, 1},
    {"select odd u32", make_select, 1},
    {"histogram 256 u32", make_histogram_u32, 1},
    {"histogram 256 u8", make_histogram_u8, 4},
    {"sort keys u32", make_sort_keys, 1},
    {"sort pairs u32", make_sort_pairs, 1},
};

// NULL: no such problem.
std::unique_ptr<task> make_task(const std::string &problem, uint64_t n)
{
    for (const auto &known : problems) {
        if (problem != known.problem) continue;
        auto made = std::make_unique<task>();
        made->problem = problem;
        made->n = n;
        made->inputs.reserve(4), made->made.reserve(4); // outputs are pointed to
        known.make(*made);
        return made;
    }
    return nullptr;
}

// ---- Time ----------------------------------------------------------------------------------------------------------

class batch_clock {
public:
    batch_clock() { check(cudaEventCreate(&begin_)), check(cudaEventCreate(&end_)); }
    ~batch_clock() { cudaEventDestroy(begin_), cudaEventDestroy(end_); }

    // Nanoseconds of one call.
    double time(const task &t, int calls)
    {
        float ms;
        check(cudaEventRecord(begin_));
        for (int k = 0; k < calls; k++) t.call();
        check(cudaEventRecord(end_));
        check(cudaEventSynchronize(end_));
        check(cudaGetLastError());
        check(cudaEventElapsedTime(&ms, begin_, end_));
        return ms * 1e6 / calls;
    }

private:
    cudaEvent_t begin_, end_;
};

double measure(const task &t)
{
    batch_clock clock;
    double ns = clock.time(t, 1);
    int calls = 1;
    auto start = std::chrono::steady_clock::now();
    do {
        ns = clock.time(t, calls);
        calls = std::clamp(int(set_ms * 1e6 / ns), 1, calls_max);
    } while (std::chrono::steady_clock::now() - start < std::chrono::duration<double, std::milli>(warm_ms));
    return clock.time(t, calls);
}

uint64_t digest(const task &t)
{
    words sum(2);
    check(cudaMemset(sum.u32(), 0, 8));
    uint64_t place = 0;
    for (const output &o : t.digest) {
        uint64_t count = o.count == nullptr ? o.data->count() : word_at(*o.count);
        digest_kernel<<<1024, 256>>>(o.data->u32(), count, place, reinterpret_cast<unsigned long long *>(sum.u32()));
        place += count;
    }
    uint64_t result;
    check(cudaMemcpy(&result, sum.u32(), 8, cudaMemcpyDeviceToHost));
    return result;
}

// Clears the outputs, so that a digest is that of the calls that were timed.
void clear(const task &t)
{
    for (const words &made : t.made) check(cudaMemset(made.u32(), 0, made.count() * 4));
}

// ---- Programs ------------------------------------------------------------------------------------------------------

void answer(std::unique_ptr<task> &current, const std::string &problem, uint64_t n)
{
    if (n == 0 || n > INT32_MAX) {
        printf("unsupported counts from 1 to 2^31 - 1\n");
        return;
    }
    if (current == nullptr || current->problem != problem || current->n != n) {
        current = nullptr; // before the next one asks for memory
        current = make_task(problem, n);
    }
    if (current == nullptr) {
        printf("unsupported no such problem here\n");
        return;
    }
    clear(*current);
    double ns = measure(*current);
    if (current->digest.empty()) printf("ns %.3f\n", ns);
    else printf("ns %.3f %llx\n", ns, static_cast<unsigned long long>(digest(*current)));
}

int companion()
{
    char line[512];
    std::unique_ptr<task> current;
    check(cudaFree(nullptr)); // opens the context
    while (fgets(line, sizeof line, stdin) != nullptr) {
        unsigned long long n = 0;
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        try {
            if (sscanf(line, "measure %llu %n", &n, &at) == 1 && at > 0) answer(current, line + at, n);
            else printf("failed a request is: measure N PROBLEM\n");
        } catch (const std::exception &error) {
            current = nullptr;
            printf("failed %s\n", error.what());
        }
        fflush(stdout);
    }
    return 0;
}

void print_median(const char *problem, uint64_t n)
{
    std::vector<double> ns;
    std::unique_ptr<task> t = make_task(problem, n);
    for (int round = 0; round < 5; round++) ns.push_back(measure(*t));
    std::sort(ns.begin(), ns.end());
    printf("{\"problem\": \"%s\", \"way\": \"cub\", \"n\": %llu, \"median_ns\": %.3f}\n", problem,
           static_cast<unsigned long long>(n), ns[2]);
    fflush(stdout);
}

int all(int argc, char **argv)
{
    for (const auto &known : problems) {
        for (int k = 1; k < argc; k++) print_median(known.problem, strtoull(argv[k], nullptr, 10) * known.scale);
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return argc > 1 ? all(argc, argv) : companion();
    } catch (const std::exception &error) {
        fprintf(stderr, "cub: %s\n", error.what());
        return 3;
    }
}
