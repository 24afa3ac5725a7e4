import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
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
import { stateChange, type BillAction } from '../domain/actions.ts'
import { unpaid, withMoney, type BillChange } from '../domain/bill.ts'
import { computeLateFeeDue } from '../domain/late-fee.ts'
import { runAction, type ActionSpec, type BulkResult } from './action-runner.ts'
import { findRecoveryFacts } from './recovery-facts.ts'
import { releaseLinks, restoreLinks } from './bill-links.ts'
import { lockBills, selectionCondition } from './bill-query.ts'
import { findPrincipalEntries, findBillRules } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

uniqueMessages({
  bill_overlap: '本期已有有效账单，请先作废那一张再操作',
  bill_relation_once: '本期已有有效账单，请先作废那一张再操作',
  bill_reading_once: '抄表读数已由其他账单计费，请先作废那一张',
  bill_no_once: '账单号已被使用，请重试',
})

/** Who acts, when and why: what every deed on bills is told. */
export interface ActionContext {
  readonly scope: Scope
  readonly today: Day
  readonly now: string
  readonly reason?: string | undefined
  /** How many of the skipped are told (`listed`). */ readonly most?: number | undefined
}

const actionSpec = (action: BillAction, d: ActionContext, more: Partial<ActionSpec> = {}): ActionSpec => ({
  action,
  now: d.now,
  today: d.today,
  reason: d.reason,
  most: d.most,
  decide: () => ({ change: stateChange(action) }),
  ...more,
})

export const findMissingIds = (ids: readonly (string | number)[], rows: readonly Bill[]): number[] => {
  const have = new Set(rows.map(r => r.id))
  return [...new Set(ids.map(Number))].filter(id => !have.has(id))
}

/** The deeds on many bills that `locked` locked; ids and searches both end here. */
export const applyAbolish = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    d.scope,
    rows,
    actionSpec('abolish', d, {
      // An order that let its time run out has no hold on it any more.
      decide: () => ({ change: { ...stateChange('abolish'), lockedUntil: undefined } }),
      also: [
        sql`abolish_time = ${d.now}::timestamptz`,
        sql`abolish_by = ${d.scope.operatorId}`,
        sql`abolish_reason = ${d.reason ?? null}`,
      ],
      then: changed => releaseLinks(tx, d.scope, changed),
    }),
    absent,
  )

export const applyDelete = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    d.scope,
    rows,
    actionSpec('delete', d, { then: changed => releaseLinks(tx, d.scope, changed) }),
    absent,
  )

/** A recovered bill bears its late fee as if it had never been abolished, unless it is due anew (LATE-10). */
export async function applyRecover(
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  resetDue: boolean,
  absent: readonly number[] = [],
): Promise<BulkResult> {
  const owner = d.scope.ownerId
  const ids = rows.map(r => r.id)
  const facts = await findRecoveryFacts(tx, owner, ids)
  const ruleOf = await findBillRules(tx, owner, rows)
  const moves = await findPrincipalEntries(
    tx,
    owner,
    rows.filter(r => r.refundState !== 'none').map(r => r.id),
  )
  return runAction(
    tx,
    d.scope,
    rows,
    actionSpec('recover', d, {
      facts,
      decide: row => {
        const change: BillChange = stateChange('recover', resetDue ? d.today : undefined)
        const b = { ...toBill(row), ...change }
        return {
          change: {
            ...change,
            ...withMoney(
              b,
              { lateDue: computeLateFeeDue(b, ruleOf(row).late, moves.get(row.id) ?? [], d.today) },
              ruleOf(row).principalSettles,
            ),
          },
        }
      },
      also: [sql`abolish_time = null`, sql`abolish_by = null`, sql`abolish_reason = null`],
      then: changed => restoreLinks(tx, d.scope, changed),
    }),
    absent,
  )
}

export const applyAudit = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<BulkResult> => runAction(tx, d.scope, rows, actionSpec('audit', d), absent)

const applyWriteOff = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    d.scope,
    rows,
    actionSpec('writeOff', d, {
      decide: row => ({
        change: stateChange('writeOff'),
        adjust: { type: 'writeOff', amount: unpaid(toBill(row)) },
      }),
    }),
    absent,
  )

const applyReverseWriteOff = async (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<BulkResult> => {
  const ruleOf = await findBillRules(tx, d.scope.ownerId, rows)
  const moves = await findPrincipalEntries(
    tx,
    d.scope.ownerId,
    rows.filter(r => r.paidPrincipal > 0 || r.refundState !== 'none').map(r => r.id),
  )
  return runAction(
    tx,
    d.scope,
    rows,
    actionSpec('reverseWriteOff', d, {
      decide: row => {
        const b = { ...toBill(row), ...stateChange('reverseWriteOff') }
        return {
          change: {
            ...stateChange('reverseWriteOff'),
            ...withMoney(
              b,
              { lateDue: computeLateFeeDue(b, ruleOf(row).late, moves.get(row.id) ?? [], d.today) },
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

type BulkAction = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly number[],
) => Promise<BulkResult>

/**
 * Bills by id: locked, judged, done; those that are gone are told as skipped. `relations`: the deed moves
 * what they were charged by.
 */
const handleByIds =
  (run: BulkAction, relations = false) =>
  async (
    { ids, reason }: { ids: readonly string[]; reason?: string | undefined },
    { tx, scope, today, now }: WriteContext,
  ): Promise<BulkResult> => {
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }), { relations })
    return run(tx, { scope, today, now, reason }, rows, findMissingIds(ids, rows))
  }

export const actionHandlers = [
  writes(auditBills, handleByIds(applyAudit)),
  writes(abolishBills, handleByIds(applyAbolish, true)),
  writes(recoverBills, ({ resetDue, ...q }, c) =>
    handleByIds((tx, d, rows, absent) => applyRecover(tx, d, rows, resetDue ?? false, absent), true)(q, c),
  ),
  writes(deleteBills, handleByIds(applyDelete, true)),
  writes(writeOffBills, handleByIds(applyWriteOff)),
  writes(reverseWriteOff, handleByIds(applyReverseWriteOff)),
]

/**
 * Abolishes bills by id for another module (undo of a batch, a share taken back); what may not be abolished
 * is told.
 */
export const abolishByIds = async (tx: Tx, d: ActionContext, ids: readonly number[]): Promise<BulkResult> => {
  const rows = ids.length
    ? await lockBills(tx, d.scope, selectionCondition(d.scope, { ids: ids.map(String) }), { relations: true })
    : []
  return applyAbolish(tx, d, rows, findMissingIds(ids, rows))
}
