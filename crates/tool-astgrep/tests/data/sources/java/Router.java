package com.example.web;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.*;
import java.util.function.Function;

/** Finds the handler of a request. */
public final class Router<C extends Context> implements AutoCloseable, Iterable<Route> {
    private static final int MAX_ROUTES = 1_024;
    private static final String[] METHODS = {"GET", "POST"};
    private final List<Route> routes = new ArrayList<>();
    private final Map<String, Function<? super C, Response>> handlers;
    private volatile boolean closed;
    protected int hits = 0, misses;

    static {
        System.setProperty("router", "on");
    }

    public Router(Map<String, Function<? super C, Response>> handlers) {
        this.handlers = requireNonNull(handlers, "handlers");
    }

    public Router() {
        this(new ConcurrentHashMap<>());
    }

    @Override
    public java.util.Iterator<Route> iterator() {
        return routes.iterator();
    }

    @Deprecated(since = "2", forRemoval = true)
    public Router<C> add(final String path, Function<? super C, Response> handler, int... codes) throws IOException {
        if (routes.size() >= MAX_ROUTES) {
            throw new IllegalStateException("too many: " + routes.size());
        } else if (path == null || path.isEmpty()) {
            return this;
        }
        for (int code : codes) {
            assert code >= 100 && code < 600 : "code";
            routes.add(new Route(path, code));
        }
        handlers.put(path, handler);
        return this;
    }

    public <R> Optional<R> find(String path, Class<R> type) {
        for (int i = 0, n = routes.size(); i < n; i++) {
            Route route = routes.get(i);
            if (!route.matches(path)) continue;
            hits++;
            Object body = route.body();
            if (body instanceof String text && !text.isBlank()) {
                return Optional.of(type.cast(text.trim()));
            }
        }
        misses += 1;
        return Optional.empty();
    }

    public String describe(Object value) {
        switch (hits % 3) {
            case 0:
                return "none";
            case 1:
            case 2:
                hits = hits << 1 | 1;
                break;
            default:
                throw new AssertionError();
        }
        return switch (value) {
            case Integer n when n > 10 -> "many";
            case String s -> s;
            case null, default -> {
                String text = String.valueOf(value);
                yield text.length() > 3 ? text.substring(0, 3) : text;
            }
        };
    }

    public List<String> names() {
        return routes.stream()
            .filter(r -> r.code() == 200)
            .map(Route::path)
            .sorted((a, b) -> { return a.compareTo(b); })
            .toList();
    }

    synchronized void load(Path file) {
        try (var reader = Files.newBufferedReader(file); var lock = lock()) {
            String line;
            while ((line = reader.readLine()) != null) {
                var parts = line.split("\\s+", 2);
                routes.add(new Route(parts[0], Integer.parseInt(parts[1])));
            }
        } catch (IOException | NumberFormatException e) {
            log.warn("cannot load {}", file, e);
        } finally {
            closed = false;
        }
        do {
            Thread.onSpinWait();
        } while (!closed);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        Runnable task = () -> System.out.println("closed");
        new Thread(task, "closer").start();
        int[][] grid = new int[3][];
        grid[0] = new int[] {1, 2};
        long mask = ~0L >>> 3;
        char c = (char) ('a' + grid[0][1]);
        Comparator<Route> order = new Comparator<Route>() {
            @Override
            public int compare(Route a, Route b) {
                return Integer.compare(a.code(), b.code());
            }
        };
    }

    public enum Verb implements Named {
        GET("get"),
        POST("post") {
            @Override
            boolean hasBody() { return true; }
        };

        private final String label;

        Verb(String label) { this.label = label; }

        boolean hasBody() { return false; }
    }

    public record Route(String path, int code) {
        public Route {
            if (code < 0) throw new IllegalArgumentException();
        }
        boolean matches(String other) { return path.equals(other); }
        Object body() { return null; }
    }

    public sealed interface Context permits Web, Test {
        String header(String name);
        default int limit() { return 10; }
    }

    @interface Timed {
        String value() default "";
        int[] buckets() default {1, 5};
    }
}
