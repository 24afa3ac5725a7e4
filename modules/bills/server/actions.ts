import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueSays, writes, type Writing } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'

import type { Bill } from '../contract/bill.ts'
import {
  abolishBills,
  auditBills,
  deleteBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import { moved, type Action } from '../domain/actions.ts'
import { unpaid, withMoney, type Change } from '../domain/bill.ts'
import { lateDueOf } from '../domain/late-fee.ts'
import { actOn, type About, type Answer } from './act.ts'
import { returnFacts } from './back.ts'
import { billsGo, billsReturn } from './gone.ts'
import { locked, meantCondition } from './find.ts'
import { movesOf, rulesOf } from './late.ts'
import { toBill } from './stored-bill.ts'

uniqueSays({
  bill_overlap: '本期已有有效账单，请先作废那一张再操作',
  bill_relation_once: '本期已有有效账单，请先作废那一张再操作',
  bill_reading_once: '抄表读数已由其他账单计费，请先作废那一张',
  bill_no_once: '账单号已被使用，请重试',
})

/** Who acts, when and why: what every deed on bills is told. */
export interface Deed {
  readonly scope: Scope
  readonly today: Day
  readonly now: string
  readonly reason?: string | undefined
  /** How many of the skipped are told (`listed`). */ readonly most?: number | undefined
}

const about = (action: Action, d: Deed, more: Partial<About> = {}): About => ({
  action,
  now: d.now,
  today: d.today,
  reason: d.reason,
  most: d.most,
  decide: () => ({ change: moved(action) }),
  ...more,
})

export const noneOf = (ids: readonly (string | number)[], rows: readonly Bill[]): number[] => {
  const have = new Set(rows.map(r => r.id))
  return [...new Set(ids.map(Number))].filter(id => !have.has(id))
}

/** The deeds on many bills that `locked` locked; ids and searches both end here. */
export const abolish = (
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> =>
  actOn(
    tx,
    d.scope,
    rows,
    about('abolish', d, {
      // An order that let its time run out has no hold on it any more.
      decide: () => ({ change: { ...moved('abolish'), lockedUntil: undefined } }),
      also: [
        sql`abolish_time = now()`,
        sql`abolish_by = ${d.scope.operatorId}`,
        sql`abolish_reason = ${d.reason ?? null}`,
      ],
      then: changed => billsGo(tx, d.scope, changed),
    }),
    absent,
  )

export const deleting = (
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> =>
  actOn(tx, d.scope, rows, about('delete', d, { then: changed => billsGo(tx, d.scope, changed) }), absent)

/** A recovered bill bears its late fee as if it had never been abolished, unless it is due anew (LATE-10). */
export async function recover(
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  resetDue: boolean,
  absent: readonly number[] = [],
): Promise<Answer> {
  const owner = d.scope.ownerId
  const ids = rows.map(r => r.id)
  const facts = await returnFacts(tx, owner, ids)
  const ruleOf = await rulesOf(tx, owner, rows)
  const moves = await movesOf(
    tx,
    owner,
    rows.filter(r => r.refundState !== 'none').map(r => r.id),
  )
  return actOn(
    tx,
    d.scope,
    rows,
    about('recover', d, {
      facts,
      decide: row => {
        const change: Change = moved('recover', resetDue ? d.today : undefined)
        const b = { ...toBill(row), ...change }
        return {
          change: {
            ...change,
            ...withMoney(
              b,
              { lateDue: lateDueOf(b, ruleOf(row).late, moves.get(row.id) ?? [], d.today) },
              ruleOf(row).principalSettles,
            ),
          },
        }
      },
      also: [sql`abolish_time = null`, sql`abolish_by = null`, sql`abolish_reason = null`],
      then: changed => billsReturn(tx, d.scope, changed),
    }),
    absent,
  )
}

export const audited = (
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> => actOn(tx, d.scope, rows, about('audit', d), absent)

const off = (tx: Tx, d: Deed, rows: readonly Bill[], absent: readonly number[] = []): Promise<Answer> =>
  actOn(
    tx,
    d.scope,
    rows,
    about('writeOff', d, {
      decide: row => ({
        change: moved('writeOff'),
        adjust: { type: 'writeOff', amount: unpaid(toBill(row)) },
      }),
    }),
    absent,
  )

const back = async (
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> => {
  const ruleOf = await rulesOf(tx, d.scope.ownerId, rows)
  const moves = await movesOf(
    tx,
    d.scope.ownerId,
    rows.filter(r => r.paidPrincipal > 0 || r.refundState !== 'none').map(r => r.id),
  )
  return actOn(
    tx,
    d.scope,
    rows,
    about('reverseWriteOff', d, {
      decide: row => {
        const b = { ...toBill(row), ...moved('reverseWriteOff') }
        return {
          change: {
            ...moved('reverseWriteOff'),
            ...withMoney(
              b,
              { lateDue: lateDueOf(b, ruleOf(row).late, moves.get(row.id) ?? [], d.today) },
              ruleOf(row).principalSettles,
            ),
          },
          adjust: { type: 'writeOff', now: '撤销', amount: -unpaid(toBill(row)) },
        }
      },
    }),
    absent,
  )
}

type Run = (tx: Tx, d: Deed, rows: readonly Bill[], absent: readonly number[]) => Promise<Answer>

/**
 * Bills by id: locked, judged, done; those that are gone are told as skipped. `relations`: the deed moves
 * what they were charged by.
 */
const byIdsDo =
  (run: Run, relations = false) =>
  async (
    { ids, reason }: { ids: readonly string[]; reason?: string | undefined },
    { tx, scope, today, now }: Writing,
  ): Promise<Answer> => {
    const rows = await locked(tx, scope, meantCondition(scope, { ids }), { relations })
    return run(tx, { scope, today, now, reason }, rows, noneOf(ids, rows))
  }

export const actionHandlers = [
  writes(auditBills, byIdsDo(audited)),
  writes(abolishBills, byIdsDo(abolish, true)),
  writes(recoverBills, ({ resetDue, ...q }, c) =>
    byIdsDo((tx, d, rows, absent) => recover(tx, d, rows, resetDue ?? false, absent), true)(q, c),
  ),
  writes(deleteBills, byIdsDo(deleting, true)),
  writes(writeOffBills, byIdsDo(off)),
  writes(reverseWriteOff, byIdsDo(back)),
]

/**
 * Abolishes bills by id for another module (undo of a batch, a share taken back); what may not be abolished
 * is told.
 */
export const abolishByIds = async (tx: Tx, d: Deed, ids: readonly number[]): Promise<Answer> => {
  const rows = ids.length
    ? await locked(tx, d.scope, meantCondition(d.scope, { ids: ids.map(String) }), { relations: true })
    : []
  return abolish(tx, d, rows, noneOf(ids, rows))
}
