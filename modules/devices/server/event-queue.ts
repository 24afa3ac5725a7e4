import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { ReceivedEvent } from './agent-message.ts'
import { hubOf, sendToAgent, type AgentConnection } from './device-hub.ts'
import { storeMessageEvents, storeTogether, type IncomingEvents } from './event-store.ts'
import { KeyRevoked } from './key-revoked.ts'
import { isRetryable } from './message-failure.ts'

/** Events of a company that come within this time share one transaction, and one wait for the disk. */
const windowMs = 25
const maxEventsTogether = 1000

interface Waiting {
  readonly incoming: IncomingEvents
  readonly resolve: () => void
  readonly reject: (err: unknown) => void
}

const settle = async ({ resolve, reject }: Waiting, work: Promise<void>): Promise<void> =>
  work.then(resolve, reject)

/** As many events as fit in one transaction, at least one. */
function takeSome(waiting: Waiting[]): Waiting[] {
  let count = 0
  const end = waiting.findIndex(({ incoming }, i) => {
    count += incoming.events.length
    return i > 0 && count > maxEventsTogether
  })
  return waiting.splice(0, end < 0 ? waiting.length : end)
}

async function storeSome(app: App, ownerId: Id, some: readonly Waiting[]): Promise<void> {
  try {
    const revoked = await storeTogether(
      app,
      ownerId,
      some.map(({ incoming }) => incoming),
    )
    for (const { incoming, resolve, reject } of some) {
      if (revoked.has(incoming.connection)) {
        reject(new KeyRevoked())
      } else {
        resolve()
      }
    }
  } catch (err) {
    if (isRetryable(err)) {
      some.forEach(({ reject }) => reject(err))
      return
    }
    // One of them is at fault: the others do not suffer for it.
    for (const each of some) {
      await settle(each, storeMessageEvents(app, each.incoming))
    }
  }
}

/** The events of one company that wait for the next transaction. */
export class EventQueue {
  readonly #app: App
  readonly #ownerId: Id
  readonly #waiting: Waiting[] = []
  #isRunning = false

  constructor(app: App, ownerId: Id) {
    this.#app = app
    this.#ownerId = ownerId
  }

  /** Resolves when they are stored. */
  store(incoming: IncomingEvents): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ incoming, resolve, reject })
      this.#startSoon()
    })
  }

  #startSoon(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    setTimeout(() => void this.#run(), windowMs)
  }

  async #run(): Promise<void> {
    await storeSome(this.#app, this.#ownerId, takeSome(this.#waiting))
    this.#isRunning = false
    if (this.#waiting.length) {
      this.#startSoon()
    }
  }
}

/** In ascending order of their numbers: the agent says so, and a sequence must not depend on it. */
const inOrder = (events: readonly ReceivedEvent[]): readonly ReceivedEvent[] =>
  events.toSorted((a, b) => a.seq - b.seq).filter((event, i, all) => event.seq !== all[i - 1]?.seq)

/** Stores the events of a message, with all that their handlers do, and lets the agent delete them. */
export async function storeEvents(
  app: App,
  connection: AgentConnection,
  received: readonly ReceivedEvent[],
): Promise<void> {
  const events = inOrder(received)
  const last = events.at(-1)
  if (!last) return
  const { eventQueues } = hubOf(app)
  const { ownerId } = connection
  const queue = eventQueues.get(ownerId) ?? new EventQueue(app, ownerId)
  eventQueues.set(ownerId, queue)
  await queue.store({ connection, events })
  sendToAgent(connection, { kind: 'eventsAck', seq: last.seq })
}
