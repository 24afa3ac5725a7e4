import { parseId, type Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { messageFigures, type MessageOutcome } from '#modules/messaging/server/public.ts'
import { reminderState } from '../contract/choices.ts'
import { countReminders, uncountReminders } from './reminder-notices.ts'

/** Of demand notices, as `defineMessageSource` knows them. */
export const noticeSourceKey = 'bills.notice'

interface ChangedNotice {
  readonly id: Id
  readonly billIds: readonly string[]
}

const billsOf = (changed: readonly ChangedNotice[]): Id[] =>
  changed.flatMap(({ billIds }) => billIds.map(id => parseId(id)))

/** A message that arrived after all: its notice is not sent a second time. */
async function markDelivered(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  const now = fromInstant(Date.parse(scope.time))
  const changed = await tx.rows<ChangedNotice>(sql`
    update fee_notice
    set state = ${code(reminderState, 'sent')}, fail_reason = null, send_time = ${now}::timestamptz,
      ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${[...ids]}::bigint[])
      and state in ${codes(reminderState, 'queued', 'failed', 'noContact')}
    returning id, bill_ids
  `)
  await countReminders(tx, scope, billsOf(changed), now)
}

/** A message that reached nobody: its notice can be sent again. */
async function markFailed(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  reasons: ReadonlyMap<Id, string>,
): Promise<void> {
  const why = ids.map(id => ({ id, why: (reasons.get(id) ?? '送达回执为失败').slice(0, 100) }))
  const changed = await tx.rows<ChangedNotice>(sql`
    update fee_notice n
    set state = ${code(reminderState, 'failed')}, fail_reason = r.why, send_time = null, ${touch(scope, 'n')}
    from json_to_recordset(${JSON.stringify(why)}::json) as r(id bigint, why text)
    where n.owner_id = ${scope.ownerId}
      and n.id = r.id
      and n.state = ${code(reminderState, 'sent')}
    returning n.id, n.bill_ids
  `)
  await uncountReminders(tx, scope, billsOf(changed))
}

/**
 * Makes notices follow what became of their messages. A notice that is being sent is left to its sender, who
 * calls this when it has written its outcome: the lock lets the later of the two see what the other wrote.
 */
export async function followMessages(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  reasons: ReadonlyMap<Id, string> = new Map(),
): Promise<void> {
  if (!ids.length) return
  await tx.rows(sql`
    select id
    from fee_notice
    where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
    order by id
    for update
  `)
  const figures = await messageFigures(tx, scope, noticeSourceKey, ids)
  const delivered = figures.filter(each => each.delivered > 0).map(({ bizId }) => bizId)
  const lost = figures.filter(each => each.failed > 0 && each.sent === 0).map(({ bizId }) => bizId)
  if (delivered.length) {
    await markDelivered(tx, scope, delivered)
  }
  if (lost.length) {
    await markFailed(tx, scope, lost, reasons)
  }
}

/** What the delivery reports, or people who asked the provider, came to. */
export async function followOutcomes(
  tx: Tx,
  scope: Scope,
  outcomes: readonly MessageOutcome[],
): Promise<void> {
  const final = outcomes.filter(({ state }) => state === 'delivered' || state === 'failed')
  const reasons = new Map(final.flatMap(({ bizId, reason }) => (reason ? [[bizId, reason] as const] : [])))
  await followMessages(tx, scope, [...new Set(final.map(({ bizId }) => bizId))], reasons)
}
