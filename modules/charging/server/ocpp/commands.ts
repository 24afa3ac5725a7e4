import { codeOf, keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { clockScope } from '#kit/server/scope.ts'
import { orderState } from '../../contract/choices.ts'
import { hubCommandKind, hubCommandState, type HubCommandKind } from '../../contract/hub.ts'
import { failStart } from '../starting.ts'
import { readOrder } from '../stored-order.ts'
import type { CommandAnswer, HubConnection } from './connections.ts'

const statusOf = (answer: CommandAnswer): string => (typeof answer?.status === 'string' ? answer.status : '')

/** Claims the one start that is sent; a second sender finds it claimed. */
const takeStart = (app: App, ownerId: Id, orderId: Id): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update charger_order
      set run_start_sent = true
      where owner_id = ${ownerId}
        and id = ${orderId}
        and state = ${code(orderState, 'starting')}
        and not run_start_sent
    `),
  )

/** A pile that refuses has failed; one that does not answer may have begun, and has until its time is up. */
export async function sendStart(app: App, connection: HubConnection, orderId: Id): Promise<void> {
  const { ownerId } = connection
  if ((await takeStart(app, ownerId, orderId)) !== 1) return
  const { idTag, portNo } = await readOrder(app.database.reader(ownerId), clockScope(app, ownerId), orderId)
  const answer = await connection.command('RemoteStartTransaction', { connectorId: portNo, idTag })
  if (statusOf(answer) === 'Rejected') {
    await failStart(app, ownerId, orderId, '充电桩拒绝启动')
  }
}

/** A pile that refuses does not know the transaction, or does not obey: the moment is kept. */
export async function sendStop(app: App, connection: HubConnection, orderId: Id): Promise<void> {
  const answer = await connection.command('RemoteStopTransaction', { transactionId: orderId })
  const refused = statusOf(answer) === 'Rejected' ? fromInstant(app.clock()) : undefined
  if (!answer) return
  await app.database.tx(connection.ownerId, tx =>
    tx.execute(sql`
      update charger_order
      set run_stop_refused = ${
        refused === undefined ? sql`null` : sql`coalesce(run_stop_refused, ${refused}::timestamptz)`
      }
      where owner_id = ${connection.ownerId}
        and id = ${orderId}
        and state in ${codes(orderState, 'charging', 'abnormal')}
    `),
  )
}

const requests: Readonly<Record<HubCommandKind, (portNo: number) => readonly [string, object]>> = {
  softReset: () => ['Reset', { type: 'Soft' }],
  hardReset: () => ['Reset', { type: 'Hard' }],
  unlock: portNo => ['UnlockConnector', { connectorId: portNo }],
}

const acceptedStatuses: ReadonlySet<string> = new Set(['Accepted', 'Unlocked'])

/** Why a pile did not carry it out. */
const refusalTexts: Readonly<Record<string, string>> = {
  Rejected: '充电桩拒绝',
  UnlockFailed: '解锁失败，请现场处理',
  NotSupported: '充电桩不支持该指令',
}

/** A failure of the protocol has no status. */
const answerText = (answer: CommandAnswer, status: string): string | null => {
  if (!answer) return '请检查充电桩的连接后重试'
  return acceptedStatuses.has(status) ? null : (refusalTexts[status] ?? `充电桩答复 ${status || '无法识别'}`)
}

export async function sendCommand(app: App, connection: HubConnection, commandId: Id): Promise<void> {
  const { ownerId } = connection
  const row = await app.database.reader(ownerId).one<{ kind: number; portNo?: number }>(sql`
    select kind, port_no
    from charger_command
    where owner_id = ${ownerId} and id = ${commandId} and state = ${code(hubCommandState, 'sent')}
  `)
  if (!row) return
  const [action, payload] = requests[defined(keyOf(hubCommandKind, row.kind))](row.portNo ?? 1)
  const answer = await connection.command(action, payload)
  const status = statusOf(answer)
  const state = !answer ? 'silent' : acceptedStatuses.has(status) ? 'accepted' : 'refused'
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update charger_command
      set state = ${codeOf(hubCommandState, state)}, answer = ${answerText(answer, status)}, version = version + 1
      where owner_id = ${ownerId} and id = ${commandId} and state = ${code(hubCommandState, 'sent')}
    `),
  )
  app.live.publish(ownerId, { topic: 'chargers' }, 'chargers')
}

/** What was paid while the pile was away for a moment. */
export async function sendWaitingStarts(app: App, connection: HubConnection): Promise<void> {
  const { ownerId, hubId } = connection
  const waiting = await app.database.reader(ownerId).rows<{ id: Id }>(sql`
    select id
    from charger_order
    where owner_id = ${ownerId}
      and hub_id = ${hubId}
      and state = ${code(orderState, 'starting')}
      and not run_start_sent
    order by id
  `)
  for (const { id } of waiting) {
    await sendStart(app, connection, id)
  }
}
