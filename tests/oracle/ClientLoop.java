import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.client.SqlClient;
import org.apache.flink.table.client.cli.TerminalUtils;

/**
 * Flink's own SQL client, once for every line "FILE.sql TAB FILE.out" on standard input, in one JVM
 * that also holds the cluster. It answers each line with "ok" or with what went wrong, once FILE.out is
 * complete. The bytes are those of sql-client.sh -f; the start of a JVM is paid once.
 */
public final class ClientLoop {
    private static final int SLOTS = 4;

    private final String restPort;

    private ClientLoop(String restPort) {
        this.restPort = restPort;
    }

    /** The way in that the client's main() takes is open to its heirs only. */
    private static final class Client extends SqlClient {
        private Client() {
            super(false, null, null);
        }

        static void start(String[] args, OutputStream out) {
            startClient(
                    args,
                    () ->
                            TerminalUtils.createDumbTerminal(
                                    new ByteArrayInputStream(new byte[0]), out));
        }
    }

    public static void main(String[] args) throws Exception {
        Configuration conf = new Configuration();
        conf.set(RestOptions.BIND_PORT, "0");
        conf.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64 * SLOTS));
        MiniClusterConfiguration shape =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(conf)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(SLOTS)
                        .build();
        PrintStream answers = System.out;
        try (MiniCluster cluster = new MiniCluster(shape)) {
            cluster.start();
            String port = String.valueOf(cluster.getRestAddress().get().getPort());
            ClientLoop loop = new ClientLoop(port);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            answers.println("ready");
            for (String line; (line = in.readLine()) != null; ) {
                String[] files = line.split("\t");
                answers.println(loop.run(files[0], files[1]));
                answers.flush();
            }
        }
        System.exit(0);
    }

    /** Both the terminal's bytes and what the client prints past it go to the file. */
    private String run(String sql, String out) throws Exception {
        PrintStream before = System.out;
        Set<Thread> hooks = new HashSet<>(shutdownHooks().keySet());
        String answer = "ok";
        try (OutputStream file = new FileOutputStream(out)) {
            System.setOut(new PrintStream(file, true, "UTF-8"));
            try {
                Client.start(
                        new String[] {
                            SqlClient.MODE_EMBEDDED,
                            "-Dexecution.target=remote",
                            "-Drest.address=localhost",
                            "-Drest.port=" + restPort,
                            "-f",
                            sql
                        },
                        file);
            } catch (Throwable t) {
                answer = t.toString().replace('\n', ' ');
            }
            endSession(hooks);
            System.out.flush();
        } finally {
            System.setOut(before);
        }
        return answer;
    }

    /** The client closes its session, and says so, in a hook for the JVM's end, which is far here. */
    private static void endSession(Set<Thread> before) throws Exception {
        Set<Thread> added = new HashSet<>(shutdownHooks().keySet());
        added.removeAll(before);
        for (Thread hook : added) {
            if (hook.getClass().getName().startsWith(SqlClient.class.getName())) {
                Runtime.getRuntime().removeShutdownHook(hook);
                hook.run();
            }
        }
    }

    private static Map<Thread, Thread> shutdownHooks() throws Exception {
        Field field = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        field.setAccessible(true);
        @SuppressWarnings("unchecked")
        Map<Thread, Thread> hooks = (Map<Thread, Thread>) field.get(null);
        return hooks;
    }
}
