@file:JvmName("Tasks")

package com.example.tasks

import java.time.Duration
import kotlin.math.max as larger
import kotlinx.coroutines.*

const val LIMIT = 50
private val pattern = Regex("""^\d+\s""")
typealias Handler = suspend (Task) -> Unit

enum class Priority(val weight: Int) {
    LOW(1),
    HIGH(10) {
        override fun label() = "!"
    };

    open fun label(): String = name.lowercase()
}

interface Repository<out T : Any> {
    val size: Int
    fun find(id: Long): T?
    suspend fun all(limit: Int = LIMIT): List<T>
}

@Serializable
data class Task(
    val id: Long,
    var title: String,
    val priority: Priority = Priority.LOW,
    private val tags: Set<String> = emptySet(),
)

sealed class Result {
    data class Ok(val task: Task) : Result()
    class Failed(val error: Throwable, val code: Int) : Result()
    object Pending : Result()
}

class MemoryRepository(tasks: Iterable<Task>) : Repository<Task>, AutoCloseable {
    private val items = mutableMapOf<Long, Task>()
    private lateinit var listener: Handler
    override val size: Int
        get() = items.size
    var closed = false
        private set(value) {
            field = value
        }

    init {
        for (task in tasks) {
            items[task.id] = task
        }
    }

    constructor() : this(emptyList())

    override fun find(id: Long): Task? = items[id]

    override suspend fun all(limit: Int): List<Task> {
        delay(10L)
        return items.values.filter { it.priority != Priority.LOW }.take(limit)
    }

    fun update(id: Long, block: (Task) -> Task): Result {
        val old = find(id) ?: return Result.Pending
        return try {
            require(old.title.isNotBlank()) { "title of $id" }
            val new = block(old)
            items[id] = new.copy(title = new.title.trim())
            Result.Ok(new)
        } catch (e: IllegalArgumentException) {
            Result.Failed(e, -1)
        } finally {
            println("updated ${items.size} of ${LIMIT - 1}")
        }
    }

    override fun close() {
        closed = true
    }

    companion object {
        @JvmStatic
        fun of(vararg tasks: Task): MemoryRepository = MemoryRepository(tasks.toList())
    }
}

fun describe(value: Any?): String = when (value) {
    null -> "nothing"
    is Task -> value.title
    in 1..9, 0 -> "digit"
    !is String -> value.toString()
    else -> {
        val short = value.take(3)
        "$short..."
    }
}

operator fun Task.plus(tag: String): Task = copy(title = "$title #$tag")

infix fun Int.times(block: () -> Unit) {
    repeat(this) { block() }
}

inline fun <reified T> Iterable<*>.only(): List<T> where T : Any {
    val found = ArrayList<T>()
    for ((index, item) in withIndex()) {
        if (item !is T || index > LIMIT) continue
        found.add(item)
    }
    return found
}

fun score(tasks: List<Task>): Int {
    var total = 0
    var i = 0
    while (i < tasks.size) {
        total += if (tasks[i].priority == Priority.HIGH) 10 else larger(1, i)
        i++
    }
    do {
        total -= 1
        if (total % 7 == 0) break
    } while (total > 100 && !tasks.isEmpty())
    return total
}

object Registry {
    val names: Map<String, Int> by lazy { mapOf("a" to 1, "b" to 2) }
    fun lookup(key: String) = names[key]!! + names.getOrElse("z") { 0 }
}

suspend fun main(args: Array<String>) = coroutineScope {
    val repository: Repository<Task> = MemoryRepository.of(Task(1, "one"), Task(id = 2L, title = args.firstOrNull() ?: "two"))
    val jobs = (1..3).map { n ->
        launch(Dispatchers.Default) {
            delay(Duration.ofSeconds(n.toLong()).toMillis())
            println("job $n: ${repository.find(n.toLong())?.title?.length}")
        }
    }
    jobs.forEach(Job::start)
    val anonymous = object : Runnable {
        override fun run() = Unit
    }
    val square = fun(x: Int): Int { return x * x }
    val text = anonymous as? String
    when {
        text == null -> println(square(3))
        text.isEmpty() -> throw IllegalStateException("empty")
    }
}
