import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** How a command of a module ended. */
export interface CommandEnd {
  readonly taskId: Id
  readonly gatewayId: Id
  readonly deviceId: Id
  /** The name that the sending module used. */
  readonly reference: string | undefined
  readonly outcome: 'done' | 'failed' | 'timedOut'
  readonly data?: unknown
  readonly output?: string | undefined
  readonly reason?: string | undefined
}

export interface CommandEndContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly app: App
  readonly end: CommandEnd
}

type CommandEndHandler = (context: CommandEndContext) => Promise<void>

const handlers = new Map<string, CommandEndHandler>()

/**
 * A module hears how its commands end: once for each, in the transaction that ends it, after the last retry.
 * `purpose` is what it sends them with.
 */
export function onCommandEnd(purpose: string, handler: CommandEndHandler): void {
  if (handlers.has(purpose)) throw new Error(`two handlers for commands of ${purpose}`)
  handlers.set(purpose, handler)
}

export const runCommandEndHandler = async (purpose: string, context: CommandEndContext): Promise<void> => {
  await handlers.get(purpose)?.(context)
}
