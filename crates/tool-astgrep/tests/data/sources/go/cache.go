// Package cache keeps values for a while.
package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	log "example.com/log"
)

const (
	defaultTTL = 5 * time.Minute
	maxEntries = 1 << 10
)

type Kind int

const (
	KindText Kind = iota
	KindBinary
)

var (
	// ErrMissing says that there is no such key.
	ErrMissing = errors.New("missing")
	registry   = map[string]*Cache[string]{}
)

type Store interface {
	io.Closer
	Get(ctx context.Context, key string) (value string, ok bool)
	Set(key, value string, opts ...Option) error
}

type Number interface {
	~int | ~int64 | float64
}

type entry[V any] struct {
	value   V
	expires time.Time `json:"expires,omitempty"`
	hits    uint32
}

type Cache[V any] struct {
	sync.RWMutex
	entries map[string]entry[V]
	ttl     time.Duration
	evict   chan<- string
	onMiss  func(key string) (V, error)
}

type Option func(*config)

type config struct{ ttl time.Duration }

func WithTTL(ttl time.Duration) Option {
	return func(c *config) { c.ttl = ttl }
}

func New[V any](opts ...Option) *Cache[V] {
	c := config{ttl: defaultTTL}
	for _, opt := range opts {
		opt(&c)
	}
	return &Cache[V]{entries: make(map[string]entry[V], 16), ttl: c.ttl}
}

func (c *Cache[V]) Get(ctx context.Context, key string) (v V, err error) {
	c.RLock()
	defer c.RUnlock()
	if e, ok := c.entries[key]; ok && time.Now().Before(e.expires) {
		return e.value, nil
	} else if c.onMiss == nil {
		return v, fmt.Errorf("get %q: %w", key, ErrMissing)
	}
	return c.onMiss(key)
}

func (c *Cache[V]) Set(key string, value V) {
	c.Lock()
	c.entries[key] = entry[V]{value: value, expires: time.Now().Add(c.ttl)}
	c.Unlock()
	if len(c.entries) > maxEntries {
		select {
		case c.evict <- key:
		case <-time.After(10 * time.Millisecond):
			log.Printf("slow: %s", key)
		default:
		}
	}
}

func Sum[N Number](numbers ...N) (total N) {
	for i := 0; i < len(numbers); i++ {
		total += numbers[i]
	}
	return
}

func describe(x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("%d", v)
	case *Cache[string]:
		return "cache"
	default:
		return fmt.Sprint(v)
	}
}

func (k Kind) String() string {
	switch k {
	case KindText:
		return `text`
	case KindBinary:
		fallthrough
	default:
		return "binary"
	}
}

func serve(ctx context.Context, addr string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		key := r.URL.Query().Get("key")
		value, err := registry["main"].Get(r.Context(), key)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		fmt.Fprintln(w, value)
	})
	server := &http.Server{Addr: addr, Handler: mux}
	done := make(chan error, 1)
	go func() {
		done <- server.ListenAndServe()
	}()
	var matrix [3][2]float64
	points := []struct{ X, Y int }{{1, 2}, {3, 4}}
	bytes := []byte("abc")
outer:
	for row := range matrix {
		for col := range matrix[row] {
			if row&col != 0 || points[0].X >= -1 {
				continue outer
			}
			matrix[row][col] = float64(bytes[col]) / 2.5
		}
	}
	if r := recover(); r != nil {
		panic(r.(error))
	}
	select {
	case <-ctx.Done():
		return server.Shutdown(context.Background())
	case err := <-done:
		return err
	}
}
