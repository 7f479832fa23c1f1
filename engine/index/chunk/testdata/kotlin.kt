@file:JvmName("Tasks")
package org.example.tasks

import kotlinx.coroutines.flow.Flow

const val LIMIT = 10
typealias Handler = (Task) -> Unit

/** A task. */
data class Task(val id: Int, val title: String) {
    val short: String get() = title.take(LIMIT)

    companion object {
        fun empty() = Task(0, "")
    }

    /** Marks it done. */
    @Synchronized
    fun done(at: Long): Task {
        return copy(title = "$title ($at)")
    }
}

sealed interface Event {
    object Started : Event
    enum class Level { LOW, HIGH }
}

object Registry {
    private val all = mutableMapOf<Int, Task>()
    fun find(id: Int): Task? = all[id]
}

fun String.toTask(): Task = Task(1, this)

fun main() {
    println("x".toTask())
}

/** Trims it. */
@Suppress("UNUSED")
fun <T> List<T>.`trimmed to`(n: Int): List<T> {
    return take(n)
}

/** Looks at each. */
public fun interface Visitor {
    fun visit(task: Task): Boolean

    fun interface Factory {
        fun create(): Visitor
    }
}

class Visits(private val visitor: Visitor)
