// A thread pool with futures, and some shapes that use it.
#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

namespace work::detail {

template <typename T, std::size_t N = 16>
class ring {
public:
    using value_type = T;
    static constexpr std::size_t capacity = N;

    bool push(T value) noexcept(std::is_nothrow_move_assignable_v<T>) {
        if (size_ == N) return false;
        items_[(head_ + size_++) % N] = std::move(value);
        return true;
    }
    const T& front() const { return items_[head_]; }
    explicit operator bool() const { return size_ != 0; }

private:
    T items_[N]{};
    std::size_t head_ = 0, size_ = 0;
};

}  // namespace work::detail

namespace work {

enum class Level : unsigned char { quiet, normal = 3, loud };

struct Task final {
    std::function<void()> run;
    int priority{0};
    friend bool operator<(const Task& a, const Task& b) { return a.priority < b.priority; }
};

class Pool {
public:
    explicit Pool(unsigned threads = std::thread::hardware_concurrency());
    Pool(const Pool&) = delete;
    Pool& operator=(Pool&&) = default;
    virtual ~Pool() noexcept;

    template <class F, class... Args>
    auto submit(F&& f, Args&&... args) -> std::future<std::invoke_result_t<F, Args...>> {
        using Result = std::invoke_result_t<F, Args...>;
        auto task = std::make_shared<std::packaged_task<Result()>>(
            [f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable { return f(args...); });
        {
            std::lock_guard<std::mutex> lock(mutex_);
            queue_.push(Task{[task] { (*task)(); }, 1});
        }
        ready_.notify_one();
        return task->get_future();
    }

    [[nodiscard]] std::size_t pending() const;
    virtual void on_error(const std::exception& error) = 0;

protected:
    mutable std::mutex mutex_;
    std::condition_variable ready_;
    std::priority_queue<Task> queue_;
    std::vector<std::thread> threads_;
    bool stopping_ : 1;
    Level level_ = Level::normal;
};

Pool::Pool(unsigned threads) : stopping_(false) {
    threads_.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) {
        threads_.emplace_back([this]() -> void {
            while (true) {
                Task task;
                {
                    std::unique_lock lock{mutex_};
                    ready_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
                    if (stopping_ && queue_.empty()) return;
                    task = queue_.top();
                    queue_.pop();
                }
                try {
                    task.run();
                } catch (const std::exception& error) {
                    on_error(error);
                } catch (...) {
                    throw;
                }
            }
        });
    }
}

Pool::~Pool() noexcept {
    stopping_ = true;
    ready_.notify_all();
    for (auto& thread : threads_) thread.join();
}

std::size_t Pool::pending() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
}

class Logging : public Pool, private std::enable_shared_from_this<Logging> {
public:
    using Pool::Pool;
    void on_error(const std::exception& error) override {
        auto [it, fresh] = counts_.try_emplace(error.what(), 0);
        it->second += fresh ? 1 : 2;
    }

private:
    std::map<std::string, int> counts_;
};

template <typename T>
requires std::integral<T>
constexpr T gcd(T a, T b) {
    return b == 0 ? a : gcd(b, a % b);
}

static_assert(gcd(12, 18) == 6, "gcd");

inline std::string describe(Level level) {
    switch (level) {
        case Level::quiet:
            return "quiet";
        case Level::loud: {
            std::string text = R"(loud "as told")";
            return text + std::to_string(static_cast<int>(level));
        }
        default:
            break;
    }
    return {};
}

}  // namespace work

int main(int argc, char* argv[]) {
    using namespace std::chrono_literals;
    std::vector<std::pair<int, std::string>> rows = {{1, "one"}, {2, "two"}};
    auto pool = std::make_unique<work::Logging>(2);
    std::vector<std::future<int>> results;
    for (const auto& [number, name] : rows) {
        if (name.empty() || number < 0) continue;
        results.push_back(pool->submit([number](int factor) { return number * factor; }, 3));
    }
    int sum = 0;
    do {
        sum += results.back().get();
        results.pop_back();
    } while (!results.empty());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    int* raw = new int[4];
    delete[] raw;
    const char* label = argc > 1 ? argv[1] : nullptr;
    std::printf("%d %s\n", sum, label ? label : "none");
    return sum == 9 ? 0 : 1;
}
