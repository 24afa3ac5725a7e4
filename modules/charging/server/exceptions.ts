import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { exceptionState, exceptionType, type ExceptionType } from '../contract/choices.ts'

export interface NewException {
  readonly hub: { readonly id: Id; readonly hubNo?: string | undefined; readonly projectCode: string }
  readonly portNo?: number | undefined
  readonly order?: { readonly id: Id; readonly orderNo: string } | undefined
  readonly type: ExceptionType
  readonly content: string
  readonly at: Moment
}

/** Open once, however often it is reported. */
export const openException = (
  tx: Tx,
  { hub, portNo, order, type, content, at }: NewException,
): Promise<unknown> =>
  tx.rows(sql`
    insert into charger_exception (
      owner_id, project_code, hub_id, hub_no, port_no, order_id, order_no, exception_type, content, occur_time,
      state
    )
    values (
      ${tx.ownerId}, ${hub.projectCode}, ${hub.id}, ${hub.hubNo ?? ''}, ${portNo ?? null}, ${order?.id ?? null},
      ${order?.orderNo ?? null}, ${codeOf(exceptionType, type)}, ${content.slice(0, 200)}, ${at},
      ${code(exceptionState, 'open')}
    )
    on conflict do nothing
    returning id
  `)

/** What is over by itself. */
const recover = (tx: Tx, now: Moment, isMeant: RawBuilder<unknown>): Promise<number> =>
  tx.execute(sql`
    update charger_exception
    set state = ${code(exceptionState, 'recovered')}, handle_time = ${now}, version = version + 1
    where owner_id = ${tx.ownerId} and state = ${code(exceptionState, 'open')} and ${isMeant}
  `)

/** The port reports that it works again. */
export const recoverPort = (tx: Tx, hubId: Id, portNo: number, now: Moment): Promise<number> =>
  recover(
    tx,
    now,
    sql`hub_id = ${hubId}
      and port_no = ${portNo}
      and exception_type in ${codes(exceptionType, 'overCurrent', 'overHeat', 'leakage', 'other')}`,
  )

/** The pile of an order reports again. */
export const recoverOrder = (tx: Tx, orderId: Id, now: Moment): Promise<number> =>
  recover(
    tx,
    now,
    sql`order_id = ${orderId} and exception_type in ${codes(exceptionType, 'offline', 'settlement', 'lost')}`,
  )
