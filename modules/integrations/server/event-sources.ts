import type { Call, Permission } from '#kit/contract/call.ts'
import { codeOf, keyOf, keysOf, type ChoiceOf, type Fields, type ValueOf } from '#kit/contract/field.ts'
import type { Entity, Row } from '#kit/contract/entity.ts'
import { listOf, type Shape } from '#kit/contract/shape.ts'
import { encodeResponse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { runReadCall, type ReadContext } from '#kit/server/handler.ts'
import { maskAnswer } from '#kit/server/privacy.ts'
import { onRecordsWritten, type RecordChange } from '#kit/server/record-events.ts'
import { sql } from '#kit/server/db.ts'
import { findAll } from '#kit/server/table.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { presentBills } from '#modules/bills/server/public.ts'
import { getRecord, payRecord } from '#modules/payments/contract/record.ts'
import { feeRefund, getRefund } from '#modules/payments/contract/refund.ts'
import { onPaid } from '#modules/payments/server/public.ts'
import { getResident, listResidents, resident } from '#modules/residents/contract/resident.ts'
import { getRoom, room } from '#modules/rooms/contract/room.ts'
import { webhookEvent } from '../contract/webhook.ts'
import { recordEvents } from './event-outbox.ts'

export type WebhookEvent = ChoiceOf<typeof webhookEvent>

type LoadRecords<T> = (ids: readonly Id[], context: ReadContext) => Promise<readonly T[]>

/** The source of an event's data, and who may receive it. */
interface EventSource {
  readonly needs: Permission
  /**
   * The records as their lists answer them, by id: under the wire's names, phones and documents masked, and
   * none outside the scope.
   */
  load(ids: readonly Id[], context: ReadContext): Promise<ReadonlyMap<Id, unknown>>
}

/** The first is the call that shows one such record: its permission is needed. */
function sourceOf<T extends { readonly id: Id }>(
  { needs, route }: Pick<Call, 'needs' | 'route'>,
  output: Shape<readonly T[]>,
  load: LoadRecords<T>,
): EventSource {
  if (typeof needs !== 'object') throw new Error(`${route} needs no permission`)
  return {
    needs,
    load: async (ids, context) => {
      const rows = await load(ids, context)
      const { Data } = encodeResponse<unknown>({ output }, maskAnswer(output, rows))
      const encoded: readonly unknown[] = Array.isArray(Data) ? Data : []
      return new Map(rows.map((row, i) => [row.id, encoded[i]]))
    },
  }
}

/** Those within the scope; the others are left out, and do not refuse the whole set. */
const findWithin = <F extends Fields>(
  records: Entity<F>,
  ids: readonly Id[],
  { db, scope }: Pick<ReadContext, 'db' | 'scope'>,
): Promise<ValueOf<F>[]> =>
  findAll(db, records, scope, {}, { where: [sql`t.id = any(${[...ids]}::bigint[])`], limit: ids.length + 1 })

const bills = sourceOf<Row<typeof bill>>(getBill, listOf(bill), async (ids, { db, scope, today, now }) =>
  presentBills(await findWithin(bill, ids, { db, scope }), today, now),
)
const payments = sourceOf<Row<typeof payRecord>>(getRecord, listOf(payRecord), (ids, context) =>
  findWithin(payRecord, ids, context),
)
const refunds = sourceOf<Row<typeof feeRefund>>(getRefund, listOf(feeRefund), (ids, context) =>
  findWithin(feeRefund, ids, context),
)
const residents = sourceOf<Row<typeof resident>>(getResident, listOf(resident), async (ids, context) => {
  const input = { userIds: ids.map(String), page: 1, size: Math.max(1, ids.length) }
  return (await runReadCall(listResidents, input, context)).rows
})
const rooms = sourceOf<Row<typeof room>>(getRoom, listOf(room), (ids, context) =>
  findWithin(room, ids, context),
)

/** Every event that can be sent: a module's new one is added here, to the choice and to what publishes it. */
export const eventSources: Readonly<Record<WebhookEvent, EventSource>> = {
  billCreated: bills,
  billUpdated: bills,
  billDeleted: bills,
  paymentCreated: payments,
  paymentUpdated: payments,
  refundCompleted: refunds,
  residentCreated: residents,
  residentUpdated: residents,
  residentDeleted: residents,
  roomCreated: rooms,
  roomUpdated: rooms,
  roomDeleted: rooms,
}

/** Of a deleted record only the number is sent. */
const deletionTypes: ReadonlySet<string> = new Set(
  keysOf(webhookEvent)
    .map(event => String(codeOf(webhookEvent, event)))
    .filter(type => type.endsWith('.deleted')),
)
export const isDeletion = (type: string): boolean => deletionTypes.has(type)

export const sourceOfType = (type: string): EventSource | undefined => {
  const event = keyOf(webhookEvent, type)
  return event && eventSources[event]
}

type EventsOfActions = Readonly<Record<RecordChange['action'], WebhookEvent>>

const publishWrites = (entity: Entity, events: EventsOfActions): void =>
  onRecordsWritten(entity.name, (tx, ownerId, { action, ids, projectCode }) =>
    recordEvents(tx, ownerId, events[action], ids, projectCode),
  )

publishWrites(bill, { insert: 'billCreated', update: 'billUpdated', delete: 'billDeleted' })
publishWrites(resident, { insert: 'residentCreated', update: 'residentUpdated', delete: 'residentDeleted' })
publishWrites(room, { insert: 'roomCreated', update: 'roomUpdated', delete: 'roomDeleted' })

onPaid((tx, { ownerId }, { kind, recordId, recordType, refundId, projectCode }) => {
  if (refundId !== undefined) {
    recordEvents(tx, ownerId, 'refundCompleted', [refundId], projectCode)
  } else {
    const event = recordType === undefined && kind !== 'refunded' ? 'paymentUpdated' : 'paymentCreated'
    recordEvents(tx, ownerId, event, [recordId], projectCode)
  }
})
