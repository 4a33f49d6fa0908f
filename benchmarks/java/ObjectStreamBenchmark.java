// Measures Java's own serialization of a list of numbers: ObjectOutputStream and ObjectInputStream of an ArrayList<Integer> and of an
// int[]. Each operation has a stream of its own over an array of bytes, as when one object is sent. Run it by hand with a JDK from version
// 17 on:
//     java -XX:+UseSerialGC benchmarks/java/ObjectStreamBenchmark.java
// The results are nanoseconds of the thread's CPU time for each operation: medians of rounds, after a second of warm-up.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;

public final class ObjectStreamBenchmark {
    private static final int ROUND_COUNT = 15;
    private static final long ROUND_NS = 50_000_000L;
    private static final long WARM_UP_NS = 1_000_000_000L;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private interface Operation {
        Object run() throws IOException, ClassNotFoundException;
    }

    /** Keeps the results of the operations, so that the compiler cannot remove any operation. */
    private static volatile Object sink;

    private static byte[] write(Serializable object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** Runs the operation for the given time, and returns the time of one operation. */
    private static double timeNs(Operation operation, long durationNs) throws Exception {
        long start = THREADS.getCurrentThreadCpuTime();
        long tookNs = 0;
        long count = 0;
        for (long batch = 1; tookNs < durationNs; batch = Math.min(2 * batch, 1024)) {
            for (long i = 0; i < batch; ++i) {
                sink = operation.run();
            }
            count += batch;
            tookNs = THREADS.getCurrentThreadCpuTime() - start;
        }
        return (double) tookNs / count;
    }

    private static double medianNs(Operation operation) throws Exception {
        timeNs(operation, WARM_UP_NS);
        double[] rounds = new double[ROUND_COUNT];
        for (int round = 0; round < ROUND_COUNT; ++round) {
            rounds[round] = timeNs(operation, ROUND_NS);
        }
        Arrays.sort(rounds);
        return rounds[ROUND_COUNT / 2];
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("| ints | ArrayList<Integer> write, ns | read, ns | int[] write, ns | read, ns |");
        System.out.println("|---|---|---|---|---|");
        for (int count : new int[] {10, 100, 1000}) {
            Random random = new Random(42);
            ArrayList<Integer> list = new ArrayList<>();
            int[] array = new int[count];
            for (int i = 0; i < count; ++i) {
                array[i] = random.nextInt(2_000_000) - 1_000_000;
                list.add(array[i]);
            }
            byte[] listBytes = write(list);
            byte[] arrayBytes = write(array);
            require(list.equals(read(listBytes)), "the list did not come back");
            require(Arrays.equals(array, (int[]) read(arrayBytes)), "the array did not come back");
            System.out.printf("| %d | %.0f | %.0f | %.0f | %.0f |%n", count, medianNs(() -> write(list)), medianNs(() -> read(listBytes)),
                medianNs(() -> write(array)), medianNs(() -> read(arrayBytes)));
        }
    }

    private ObjectStreamBenchmark() {}
}
