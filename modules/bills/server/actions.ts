import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { periodAfter as periodAfterChoice } from '#modules/fees/contract/choices.ts'
import type { PeriodAfter } from '#modules/fees/server/public.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { negateFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'

import type { Bill } from '../contract/bill.ts'
import { abolishBills, auditBills, deleteBills, recoverBills, reverseWriteOff } from '../contract/actions.ts'
import { stateChange, type BillAction } from '../domain/actions.ts'
import { unpaid, withMoney, type BillChange } from '../domain/bill.ts'
import { computeLateFeeDue } from '../domain/late-fee.ts'
import { runAction, type ActionSpec } from './action-runner.ts'
import { findRecoveryBatch } from './recovery-facts.ts'
import { releaseLinks, restoreLinks } from './bill-links.ts'
import { findPrincipalEntries, findBillRules } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'

uniqueMessages({
  bill_overlap: '本期已有有效账单，请先作废该账单再操作',
  bill_relation_once: '本期已有有效账单，请先作废该账单再操作',
  bill_reading_once: '抄表读数已由其他账单计费，请先作废该账单',
  bill_no_once: '账单号已被使用，请重试',
})

/** Who acts, when and why. */
export interface ActionContext {
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
  readonly reason?: string | undefined
  /** What becomes of the days of abolished bills; nothing is recorded where it is missing (GEN-3). */
  readonly periodAfter?: PeriodAfter | undefined
  /** How many skipped bills are reported (`maxReportedRows` by default). */
  readonly maxReported?: number | undefined
}

const actionSpec = (
  action: BillAction,
  context: ActionContext,
  overrides: Partial<ActionSpec> = {},
): ActionSpec => ({
  action,
  now: context.now,
  today: context.today,
  reason: context.reason,
  maxReported: context.maxReported,
  decide: () => ({ change: stateChange(action) }),
  ...overrides,
})

export const findMissingIds = (ids: readonly (string | number)[], rows: readonly Bill[]): Id[] => {
  const have = new Set(rows.map(r => r.id))
  return [...new Set(ids.map(parseId))].filter(id => !have.has(id))
}

/** Writes what becomes of the days of a bill. */
export const periodAfterColumn = (after: PeriodAfter | undefined) =>
  sql`period_after = ${after ? codeOf(periodAfterChoice, after) : null}::smallint`

/**
 * Actions on bills from `lockBills`, by ids as well as by filter. `afterWrite`: what takes the place of the
 * bills, before other modules hear that they are gone.
 */
export const applyAbolish = (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
  afterWrite?: () => Promise<void>,
): Promise<BulkResult> =>
  runAction(
    tx,
    context.scope,
    rows,
    actionSpec('abolish', context, {
      // An expired payment order loses its hold.
      decide: () => ({ change: { ...stateChange('abolish'), lockedUntil: undefined } }),
      extraColumns: [
        sql`abolish_time = ${context.now}::timestamptz`,
        sql`abolish_by = ${context.scope.operatorId}`,
        sql`abolish_reason = ${context.reason ?? null}`,
        periodAfterColumn(context.periodAfter),
      ],
      afterWrite: async changed => {
        await releaseLinks(tx, context.scope, changed)
        await afterWrite?.()
      },
    }),
    missing,
  )

export const applyDelete = (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    context.scope,
    rows,
    actionSpec('delete', context, { afterWrite: changed => releaseLinks(tx, context.scope, changed) }),
    missing,
  )

/**
 * A recovered bill has the late fee that it would have if it had never been abolished, unless it gets a new
 * due date (LATE-10).
 */
export async function applyRecover(
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  resetDue: boolean,
  missing: readonly Id[] = [],
): Promise<BulkResult> {
  const ownerId = context.scope.ownerId
  const ids = rows.map(r => r.id)
  const batch = await findRecoveryBatch(tx, ownerId, ids)
  const ruleOf = await findBillRules(tx, ownerId, rows)
  const entries = await findPrincipalEntries(
    tx,
    ownerId,
    rows.filter(r => r.refundState !== 'none').map(r => r.id),
  )
  return runAction(
    tx,
    context.scope,
    rows,
    actionSpec('recover', context, {
      facts: bill => batch.judge(bill),
      decide: row => {
        const change: BillChange = stateChange('recover', resetDue ? context.today : undefined)
        const bill = { ...toBill(row), ...change }
        return {
          change: {
            ...change,
            ...withMoney(
              bill,
              {
                lateDue: computeLateFeeDue(bill, ruleOf(row).late, entries.get(row.id) ?? [], context.today),
              },
              ruleOf(row),
            ),
          },
        }
      },
      extraColumns: [
        sql`abolish_time = null`,
        sql`abolish_by = null`,
        sql`abolish_reason = null`,
        periodAfterColumn(undefined),
      ],
      afterWrite: changed => restoreLinks(tx, context.scope, changed),
    }),
    missing,
  )
}

export const applyAudit = (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> => runAction(tx, context.scope, rows, actionSpec('audit', context), missing)

export const writeOffSpec = (context: ActionContext): ActionSpec =>
  actionSpec('writeOff', context, {
    decide: row => ({
      change: stateChange('writeOff'),
      adjust: { type: 'writeOff', amount: unpaid(toBill(row)) },
    }),
  })

export const applyWriteOff = (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> => runAction(tx, context.scope, rows, writeOffSpec(context), missing)

const applyReverseWriteOff = async (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> => {
  const ruleOf = await findBillRules(tx, context.scope.ownerId, rows)
  const entries = await findPrincipalEntries(
    tx,
    context.scope.ownerId,
    rows.filter(r => r.paidPrincipal > 0 || r.refundState !== 'none').map(r => r.id),
  )
  return runAction(
    tx,
    context.scope,
    rows,
    actionSpec('reverseWriteOff', context, {
      decide: row => {
        const bill = { ...toBill(row), ...stateChange('reverseWriteOff') }
        return {
          change: {
            ...stateChange('reverseWriteOff'),
            ...withMoney(
              bill,
              {
                lateDue: computeLateFeeDue(bill, ruleOf(row).late, entries.get(row.id) ?? [], context.today),
              },
              ruleOf(row),
            ),
          },
          adjust: { type: 'writeOff', now: '撤销', amount: negateFen(unpaid(toBill(row))) },
        }
      },
    }),
    missing,
  )
}

type BulkAction = (
  tx: Tx,
  d: ActionContext,
  rows: readonly Bill[],
  absent: readonly Id[],
) => Promise<BulkResult>

/**
 * Handles an action on bills by id; ids that no longer exist are reported as skipped. `relations`: the
 * action changes how far relations are billed.
 */
const handleByIds =
  (run: BulkAction, relations = false) =>
  async (
    {
      ids,
      reason,
      periodAfter,
    }: { ids: readonly string[]; reason?: string | undefined; periodAfter?: PeriodAfter | undefined },
    { tx, scope, today, now }: WriteContext,
  ): Promise<BulkResult> => {
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }), { relations })
    return run(tx, { scope, today, now, reason, periodAfter }, rows, findMissingIds(ids, rows))
  }

export const actionHandlers = [
  writes(auditBills, handleByIds(applyAudit)),
  writes(abolishBills, handleByIds(applyAbolish, true)),
  writes(recoverBills, ({ resetDue, ...q }, writeContext) =>
    handleByIds(
      (tx, context, rows, missing) => applyRecover(tx, context, rows, resetDue ?? false, missing),
      true,
    )(q, writeContext),
  ),
  writes(deleteBills, handleByIds(applyDelete, true)),
  writes(reverseWriteOff, handleByIds(applyReverseWriteOff)),
]

/** Abolishes bills by id for another module; bills that cannot be abolished are reported as skipped. */
export const abolishByIds = async (
  tx: Tx,
  context: ActionContext,
  ids: readonly Id[],
): Promise<BulkResult> => {
  const rows = ids.length
    ? await lockBills(tx, context.scope, selectionCondition(context.scope, { ids: ids.map(String) }), {
        relations: true,
      })
    : []
  return applyAbolish(tx, context, rows, findMissingIds(ids, rows))
}
