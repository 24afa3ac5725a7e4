import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { audit, type Act } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { inDomain } from '#kit/server/table.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { adjustType } from '../contract/choices.ts'
import { refusal, type Action, type Facts } from '../domain/actions.ts'
import type { Change } from '../domain/bill.ts'
import { toBill, writeBills } from './stored-bill.ts'

/** A row of bill_adjust that a change leaves behind. */
export interface Adjust {
  readonly type: ChoiceOf<typeof adjustType>
  readonly old?: string | undefined
  readonly now?: string | undefined
  readonly amount: Fen
}

/**
 * `beside`: fields that the action changes outside the money and the states, for the audit (`also` writes
 * them).
 */
export interface Decided {
  readonly change: Change
  readonly adjust?: Adjust | undefined
  readonly beside?: Partial<Bill> | undefined
}

export interface About {
  readonly action: Action
  readonly now: string
  readonly today: Day
  readonly reason?: string | undefined
  /** What the rules must know of one bill beside itself. */
  readonly facts?: (b: Bill) => Omit<Facts, 'now'>
  /** The change, or why not, in words. */
  readonly decide: (b: Bill) => Decided | string
  /** Columns that every changed bill gets (`abolish_time = now()`). */
  readonly also?: readonly RawBuilder<any>[]
  /** Of what was skipped so many are told with their reasons; `listed` where nothing is said. */
  readonly most?: number | undefined
  /** In the same transaction, with the bills that changed, as they were. */
  readonly then?: (changed: readonly Bill[]) => Promise<void>
}

export interface Answer {
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly rows: readonly { readonly id?: number; readonly code?: string; readonly reason: string }[]
}

/** Bills as the audit tells them: the entity's own words. */
const told = (c: Change): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      state: c.state,
      amount: c.amount,
      discountAmount: c.discount,
      paidPrincipal: c.paidPrincipal,
      lateFeeDue: c.lateDue,
      lateFeePaid: c.latePaid,
      lateFeeWaived: c.lateWaived,
      lateFeeManual: c.lateManual,
      dueDate: c.dueDate,
      payState: c.payState,
      refundState: c.refundState,
    }).filter(([, v]) => v !== undefined),
  )

const acts = (list: readonly ({ row: Bill } & Decided)[], reason: string | undefined): Act[] =>
  list.map(({ row, change, beside }) => {
    const after: Record<string, unknown> = { ...told(change), ...beside }
    const before = Object.fromEntries(Object.keys(after).map(k => [k, row[k as keyof Bill]]))
    return {
      action: change.deleted ? 'delete' : change.state ? 'state' : 'update',
      entity: bill.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before,
      after,
      reason,
    }
  })

export const noteAdjusts = async (
  tx: Tx,
  scope: Scope,
  list: readonly (Adjust & { readonly billId: number })[],
  reason: string | undefined,
): Promise<void> => {
  if (!list.length) return
  await tx.run(sql`
    insert into bill_adjust (
      owner_id, bill_id, adjust_type, old_value, new_value, amount, reason, create_by, update_by
    )
    select ${scope.ownerId}::bigint, r.bill_id, r.adjust_type, r.old_value, r.new_value, r.amount,
      ${reason ?? null}::text, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from json_to_recordset(
      ${JSON.stringify(list.map(a => ({ bill_id: a.billId, adjust_type: codeOf(adjustType, a.type), old_value: a.old, new_value: a.now, amount: formatYuan(a.amount) })))}::json
    ) as r(bill_id bigint, adjust_type smallint, old_value text, new_value text, amount numeric)
  `)
}

/** Of what was skipped so many are told with their reasons. */
export const listed = 200
const chunk = 20_000

/**
 * One action on bills that `locked` locked: judged one by one by the table of C3.2, written together with
 * audit and adjustment rows. What may not be done is skipped and told (BILL-2, G-11); `absent`: ids that were
 * asked for and are no longer there.
 */
export async function actOn(
  tx: Tx,
  scope: Scope,
  rows: readonly Bill[],
  about: About,
  absent: readonly number[] = [],
): Promise<Answer> {
  const skipped: { id?: number; code?: string; reason: string }[] = absent.map(id => ({
    id,
    reason: '账单不存在或已被删除',
  }))
  const done: ({ row: Bill } & Decided)[] = []
  for (const row of rows) {
    inDomain(bill, scope, row)
    const no = refusal(about.action, toBill(row), { now: about.now, ...about.facts?.(row) })
    const said = no ?? about.decide(row)
    if (typeof said === 'string') {
      skipped.push({ id: row.id, code: row.billNo, reason: said })
    } else {
      done.push({ row, ...said })
    }
  }
  for (let i = 0; i < done.length; i += chunk) {
    const some = done.slice(i, i + chunk)
    await writeBills(tx, scope, some, about.also)
    await audit(tx, scope, acts(some, about.reason))
    await noteAdjusts(
      tx,
      scope,
      some.flatMap(d => (d.adjust ? [{ ...d.adjust, billId: d.row.id }] : [])),
      about.reason,
    )
  }
  if (done.length) {
    await about.then?.(done.map(d => d.row))
  }
  return {
    success: done.length,
    fail: 0,
    skipped: skipped.length,
    rows: skipped.slice(0, about.most ?? listed),
  }
}

/** One bill alone: a skip is a refusal. */
export async function actOnOne(tx: Tx, scope: Scope, row: Bill, about: About): Promise<void> {
  const a = await actOn(tx, scope, [row], about)
  if (a.skipped) refuse(a.rows[0]!.reason)
}
