import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { smsChange, type SmsChange } from '../contract/sms-choices.ts'

/** What a new company may try the sending with. */
export const openingQuota = 500

type QuotaScope = Pick<Scope, 'ownerId' | 'operatorId' | 'time' | 'name'>

export interface QuotaRef {
  readonly source?: string | undefined
  readonly bizId?: Id | undefined
  readonly refNo?: string | undefined
}

interface Balance {
  readonly usable: number
  readonly frozen: number
}

const usable = sql`total_count - used_count - frozen_count`

const writeLedger = (
  tx: Tx,
  scope: QuotaScope,
  type: SmsChange,
  qty: number,
  after: Balance,
  { source, bizId, refNo }: QuotaRef,
): Promise<number> =>
  tx.execute(sql`
    insert into sms_ledger (
      owner_id, change_type, qty, usable_qty, frozen_qty, source, biz_id, ref_no, operator_name,
      create_time, update_time, create_by, update_by
    )
    values (
      ${scope.ownerId}, ${codeOf(smsChange, type)}, ${qty}, ${after.usable}, ${after.frozen},
      ${source ?? null}, ${bizId ?? null}, ${refNo ?? null}, ${scope.name},
      ${scope.time}::timestamptz, ${scope.time}::timestamptz, ${scope.operatorId}, ${scope.operatorId}
    )
  `)

/** The account of a company; a new one starts with a few. */
export async function ensureAccount(tx: Tx, scope: QuotaScope): Promise<void> {
  const created = await tx.execute(sql`
    insert into sms_account (owner_id, total_count)
    values (${scope.ownerId}, ${openingQuota})
    on conflict do nothing
  `)
  if (created) {
    await writeLedger(tx, scope, 'opening', openingQuota, { usable: openingQuota, frozen: 0 }, {})
  }
}

/** By how much each count of the account changes. */
interface Move {
  readonly total?: number
  readonly used?: number
  readonly frozen?: number
}

/** Moves the counts at once, unless less than nothing would be left of one: then nothing changes. */
const move = (
  tx: Tx,
  scope: QuotaScope,
  { total = 0, used = 0, frozen = 0 }: Move,
): Promise<Balance | undefined> =>
  tx.one<Balance>(sql`
    update sms_account
    set total_count = total_count + ${total}::integer, used_count = used_count + ${used}::integer,
      frozen_count = frozen_count + ${frozen}::integer, update_time = ${scope.time}::timestamptz,
      version = version + 1
    where owner_id = ${scope.ownerId}
      and ${notDeleted()}
      and used_count + ${used}::integer >= 0
      and frozen_count + ${frozen}::integer >= 0
      and ${usable} + ${total - used - frozen}::integer >= 0
    returning ${usable} as usable, frozen_count as frozen
  `)

export async function findUsable(db: Pick<Db, 'one'>, ownerId: Id): Promise<number> {
  const row = await db.one<{ usable: number }>(sql`
    select ${usable} as usable from sms_account where owner_id = ${ownerId} and ${notDeleted()}
  `)
  return row?.usable ?? openingQuota
}

/** SMS-2: sets segments aside for messages that will be sent; false where the quota is not enough. */
export async function tryReserve(tx: Tx, scope: QuotaScope, qty: number, ref: QuotaRef): Promise<boolean> {
  if (qty === 0) return true
  await ensureAccount(tx, scope)
  const after = await move(tx, scope, { frozen: qty })
  if (!after) return false
  await writeLedger(tx, scope, 'reserved', -qty, after, ref)
  return true
}

export async function reserve(tx: Tx, scope: QuotaScope, qty: number, ref: QuotaRef): Promise<void> {
  if (await tryReserve(tx, scope, qty, ref)) return
  const left = await findUsable(tx, scope.ownerId)
  refuse(`短信余量不足：需 ${qty} 条，可用 ${left} 条，请先购买短信，或减少接收人`)
}

async function mustMove(tx: Tx, scope: QuotaScope, counts: Move): Promise<Balance> {
  const after = await move(tx, scope, counts)
  if (!after) throw new Error(`the quota of company ${scope.ownerId} does not hold what is moved`)
  return after
}

/** Segments of messages that ended: those that arrived are used up, the others come back. */
export async function settleQuota(
  tx: Tx,
  scope: QuotaScope,
  { used, returned, takenBack }: { used: number; returned: number; takenBack: number },
  ref: QuotaRef,
): Promise<void> {
  if (used > 0) {
    await writeLedger(tx, scope, 'used', -used, await mustMove(tx, scope, { used, frozen: -used }), ref)
  }
  if (returned > 0) {
    const after = await mustMove(tx, scope, { frozen: -returned })
    await writeLedger(tx, scope, 'returned', returned, after, ref)
  }
  // Counted as arrived for want of a report, which came late and says otherwise.
  if (takenBack > 0) {
    const after = await mustMove(tx, scope, { used: -takenBack })
    await writeLedger(tx, scope, 'returned', takenBack, after, ref)
  }
}

/** SMS-4: credits what a paid order bought, once; false where it was credited before. */
export async function creditQuota(tx: Tx, scope: QuotaScope, qty: number, orderNo: string): Promise<boolean> {
  await ensureAccount(tx, scope)
  // The account's row is locked first: two reports of one payment wait for each other here.
  await tx.execute(sql`
    select 1 from sms_account where owner_id = ${scope.ownerId} and ${notDeleted()} for update
  `)
  const known = await tx.one(sql`
    select 1 as found
    from sms_ledger
    where owner_id = ${scope.ownerId}
      and ref_no = ${orderNo}
      and change_type = ${codeOf(smsChange, 'bought')}
  `)
  if (known) return false
  await writeLedger(tx, scope, 'bought', qty, await mustMove(tx, scope, { total: qty }), { refNo: orderNo })
  return true
}
