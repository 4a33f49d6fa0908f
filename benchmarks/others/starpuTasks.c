/* StarPU's part of benchmarks/others/compare: empty tasks, and one large result that ten tasks use. The workers are threads.
 *     starpuTasks COUNT MEBIBYTES      prints lines "name: value"; STARPU_NCPU says how many workers there are */
#include <starpu.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void nothing(void* buffers[], void* arguments) {
    (void)buffers;
    (void)arguments;
}

static void make(void* buffers[], void* arguments) {
    (void)arguments;
    double* values = (double*)STARPU_VECTOR_GET_PTR(buffers[0]);
    for (size_t i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); ++i) values[i] = 1;
}

static void use(void* buffers[], void* arguments) {
    double* result = NULL;
    int number = 0;
    starpu_codelet_unpack_args(arguments, &result, &number);
    *result = ((double*)STARPU_VECTOR_GET_PTR(buffers[0]))[STARPU_VECTOR_GET_NX(buffers[0]) - 1] + number;
}

static struct starpu_codelet nothingTask = {.cpu_funcs = {nothing}, .nbuffers = 0};
static struct starpu_codelet makeTask = {.cpu_funcs = {make}, .nbuffers = 1, .modes = {STARPU_W}};
static struct starpu_codelet useTask = {.cpu_funcs = {use}, .nbuffers = 1, .modes = {STARPU_R}};

static void check(int status, const char* what) {
    if (status == 0) return;
    fprintf(stderr, "starpuTasks: %s: status %d\n", what, status);
    exit(1);
}

static void submitEmpty(int count) {
    for (int i = 0; i < count; ++i) check(starpu_task_insert(&nothingTask, 0), "submit an empty task");
    check(starpu_task_wait_for_all(), "wait");
}

int main(int argc, char** argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 10000;
    const size_t doubles = (argc > 2 ? strtoul(argv[2], NULL, 10) : 100) * (1 << 20) / sizeof(double);
    check(starpu_init(NULL), "start");
    submitEmpty(100);
    double begin = starpu_timing_now();
    submitEmpty(count);
    printf("tasks in a second: %.0f\n", count / (starpu_timing_now() - begin) * 1e6);

    begin = starpu_timing_now();
    starpu_data_handle_t data;
    starpu_vector_data_register(&data, -1, 0, (uint32_t)doubles, sizeof(double));
    check(starpu_task_insert(&makeTask, STARPU_W, data, 0), "submit the maker");
    double results[10];
    for (int i = 0; i < 10; ++i) {
        double* result = &results[i];
        check(starpu_task_insert(&useTask, STARPU_R, data, STARPU_VALUE, &result, sizeof(result), STARPU_VALUE, &i, sizeof(i), 0),
              "submit a user");
    }
    check(starpu_task_wait_for_all(), "wait");
    for (int i = 0; i < 10; ++i) check(results[i] != i + 1.0, "a wrong result");
    printf("seconds for ten users: %.4f\n", (starpu_timing_now() - begin) / 1e6);
    starpu_data_unregister(data);
    starpu_shutdown();
    return 0;
}
