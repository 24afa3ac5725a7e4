import { everyone, type Permission } from '#kit/contract/call.ts'
import { Refused } from '#kit/contract/wire.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission } from '#kit/server/scope.ts'
import {
  allMenuCounts,
  allWorkQueues,
  type MenuCount,
  type WaitingWork,
  type WorkQueue,
} from '#kit/server/work-queue.ts'
import { getMenuCounts, getWorkQueues } from '../contract/work-queue.ts'

interface Source<T> {
  readonly needs: Permission | typeof everyone
  readonly entities: readonly string[]
  load(context: ReadContext): Promise<T>
}

interface Loaded<S, T> {
  readonly source: S
  readonly value: T
}

/** So many sources are asked at a time: each takes a connection. */
const concurrent = 3

/**
 * What the sources open to the caller answer, in their order. One that fails is counted and logged and spoils
 * none of the others; one that is refused (a project that does not use the menu) is left out.
 */
async function loadSources<T, S>(
  sources: readonly (S & Source<T>)[],
  context: ReadContext,
): Promise<{ loaded: Loaded<S, T>[]; failed: number; entities: string[] }> {
  const open = sources.filter(({ needs }) => needs === everyone || hasPermission(context.scope, needs))
  const answers: (Loaded<S, T> | undefined)[] = []
  let failed = 0
  const waiting = [...open.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, source] = next
      try {
        answers[i] = { source, value: await source.load(context) }
      } catch (error) {
        if (!(error instanceof Refused)) {
          context.signal.throwIfAborted()
          context.app.log.error(error)
          failed++
        }
      }
    }
  }
  await Promise.all(Array.from({ length: concurrent }, work))
  const loaded = answers.filter(answer => answer !== undefined)
  return { loaded, failed, entities: [...new Set(open.flatMap(source => source.entities))] }
}

export const workQueueHandlers = [
  reads(getWorkQueues, async (_, context) => {
    const { loaded, failed, entities } = await loadSources<WaitingWork | undefined, WorkQueue>(
      allWorkQueues(),
      context,
    )
    const queues = loaded.flatMap(({ source, value }) => {
      if (!value) return []
      const { sum, ...work } = value
      return [{ key: source.key, ...work, ...(sum && { sumLabel: sum.label, sum: sum.amount }) }]
    })
    return { queues, failed, entities }
  }),
  reads(getMenuCounts, async (_, context) => {
    const { loaded, entities } = await loadSources<number, MenuCount>(allMenuCounts(), context)
    const counts = loaded
      .filter(({ value }) => value > 0)
      .map(({ source, value }) => ({ path: source.path, count: value, urgent: source.isUrgent === true }))
    return { counts, entities }
  }),
]
