import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import type { AgentMessage } from '../contract/agent-protocol.ts'
import { sendToAgent, type AgentConnection } from './device-hub.ts'
import { hasKey } from './gateway-key.ts'
import { KeyRevoked } from './key-revoked.ts'

type Reading = Extract<AgentMessage, { kind: 'reading' }>

/** A code before a reader that leads in, of which every entrance is counted. */
export interface CodeReading {
  readonly deviceId: Id
  readonly projectCode: string
  /** The device's own number of the record; the passage has the same. */
  readonly recordKey: string
  /** The credential, as devices hold it. */
  readonly itemKey: string
}

export type ReadingDecision =
  | { readonly isOpen: true; readonly usedTimes?: number }
  | { readonly isOpen: false; readonly reason: string }

type Decider = (tx: Tx, scope: Scope, reading: CodeReading) => Promise<ReadingDecision>

let decider: Decider | undefined

/** The module of the doors says, once, as it is loaded: counted with the answer, in one transaction. */
export function registerReadingDecider(decide: Decider): void {
  if (decider) throw new Error('two deciders on readings')
  decider = decide
}

const refused = (reason: string): ReadingDecision => ({ isOpen: false, reason })

async function decideReading(
  app: App,
  connection: AgentConnection,
  { deviceId, recordKey, key }: Reading,
): Promise<ReadingDecision> {
  const { ownerId, gatewayId } = connection
  const scope = systemScope(ownerId, new Date(app.clock()).toISOString())
  return app.database.tx(ownerId, async tx => {
    const found = await tx.one(sql`select 1 as found where ${hasKey(connection)}`)
    if (!found) throw new KeyRevoked()
    const device = await tx.one<{ projectCode: string }>(sql`
      select project_code from device where owner_id = ${ownerId} and id = ${deviceId} and gateway_id = ${gatewayId}
    `)
    if (!device || !decider) return refused('设备不属于此网关')
    return decider(tx, scope, { ...device, deviceId, recordKey, itemKey: key })
  })
}

/**
 * Somebody stands at the door: it waits for nothing else that the agent sends. What is not decided opens
 * nothing; what was counted all the same is given back by the passage that follows.
 */
export async function answerReading(app: App, connection: AgentConnection, reading: Reading): Promise<void> {
  const { deviceId, recordKey } = reading
  const answer = (decision: ReadingDecision): void =>
    sendToAgent(connection, { kind: 'readingAnswer', deviceId, recordKey, ...decision })
  try {
    answer(await decideReading(app, connection, reading))
  } catch (error) {
    answer(refused('服务器未能核验，请重试或请门岗放行'))
    if (error instanceof KeyRevoked) throw error
    app.log.warn({ err: error, gateway: connection.gatewayId }, 'reading not decided')
  }
}
