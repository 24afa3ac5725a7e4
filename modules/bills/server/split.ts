import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import { formatYuan, subtractFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { mergeBill, splitBill } from '../contract/adjustments.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { stateChange } from '../domain/actions.ts'
import { mergeHalves, splitByAmount, splitByDate, type BillHalf } from '../domain/adjustment.ts'
import { withMoney } from '../domain/bill.ts'
import { computeLateFeeDue, type PrincipalEntry } from '../domain/late-fee.ts'
import { runActionOnOne, type ActionDecision } from './action-runner.ts'
import type { ActionContext } from './actions.ts'
import { presentBills } from './bill-query.ts'
import { releaseLinks } from './bill-links.ts'
import { findPrincipalEntries, findBillRules, type BillRule } from './late-fee.ts'
import { mergeLedgerEntries } from './split-ledger.ts'
import { makeHalves } from './split-halves.ts'
import { rewriteBillMonths, toBill } from './stored-bill.ts'
import { lockRelations, lockCurrentBill } from './bill-lock.ts'
import { findWaitingBills } from './waiting-bills.ts'

const findChildren = (db: Db, scope: Scope, parent: number): Promise<Bill[]> =>
  findAll(db, bill, scope, { order: 'id' }, { where: [sql`t.parent_id = ${parent}`] })

/**
 * Splits a bill into two halves that replace it, also for the order that the bill charges; refuses what C3.2
 * forbids.
 */
export async function splitRow(
  tx: Tx,
  context: ActionContext,
  row: Bill,
  halves: readonly [BillHalf, BillHalf] | string,
): Promise<Bill[]> {
  const { scope, today, now, reason } = context
  const made: Bill[] = []
  await runActionOnOne(tx, scope, row, {
    action: 'split',
    now,
    today,
    reason,
    decide: () => (typeof halves === 'string' ? halves : { change: stateChange('split') }),
    afterWrite: async () => {
      // Refused above by `decide`; repeated for the type.
      made.push(...(typeof halves === 'string' ? refuse(halves) : await makeHalves(tx, context, row, halves)))
    },
  })
  return made
}

export const splitHandlers = [
  writes(splitBill, async ({ id, version, on, amount, secondDue, reason }, { tx, scope, today, now }) => {
    if ((on === undefined) === (amount === undefined))
      throw invalidInput([{ Field: 'SplitDate', Message: '请填写拆分日期或第一张金额，二者选一' }])
    // The halves are bills of the relation: ending the charge or undoing the run must wait for them.
    await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = ${id}`)
    const row = await lockCurrentBill(tx, scope, id, version)
    const halves =
      on !== undefined
        ? splitByDate(toBill(row), on, secondDue)
        : splitByAmount(toBill(row), defined(amount), secondDue)
    return presentBills(await splitRow(tx, { scope, today, now, reason }, row, halves), today, now)
  }),
  writes(mergeBill, merge),
]

/** Merges the halves of a split back into the whole, when nothing has happened to them (BILL-12). */
async function merge(
  { id, version, reason }: NonNullable<typeof mergeBill.input.T>,
  { tx, scope, today, now }: WriteContext,
): Promise<Bill> {
  await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = ${id}`)
  const row = await lockCurrentBill(tx, scope, id, version)
  const halfBills = await findByIds(
    tx,
    bill,
    scope,
    (await findChildren(tx, scope, id)).map(c => c.id),
    { lock: true },
  )
  if ((await findWaitingBills(tx, scope, halfBills)).size)
    return refuse('拆分出的账单已在审批中，请等待审批结果后再合并还原')
  const children = halfBills.map(toBill)
  const rule = (await findBillRules(tx, scope.ownerId, [row]))(row)
  await deleteHalves(tx, scope, row, halfBills)
  const entries = (await findPrincipalEntries(tx, scope.ownerId, [id])).get(id) ?? []
  const latest = (of: (m: Bill) => string | undefined): string | null =>
    halfBills
      .flatMap(m => of(m) ?? [])
      .toSorted()
      .at(-1) ?? null
  await runActionOnOne(tx, scope, row, {
    action: 'mergeBack',
    now,
    today,
    reason,
    facts: () => ({ children }),
    extraColumns: [
      sql`late_day = ${today}`,
      sql`disputed = ${halfBills.some(m => m.disputed)}`,
      sql`promise_date = ${latest(m => m.promiseDate)}::date`,
      sql`urge_count = ${Math.max(row.urgeCount, ...halfBills.map(m => m.urgeCount))}`,
      sql`last_urge_time = ${latest(m => m.lastUrgeTime)}::timestamptz`,
    ],
    decide: r => decideMerge(r, children, rule, entries, today),
  })
  await cleanUpHalves(tx, scope, halfBills, reason)
  return defined(presentBills([await requireById(tx, bill, scope, id)], today, now)[0])
}

/**
 * Deletes the halves, so that the whole can have their period again, and moves their payments to the whole.
 */
async function deleteHalves(tx: Tx, scope: Scope, row: Bill, halfBills: readonly Bill[]): Promise<void> {
  if (row.state === 'split' && halfBills.length) {
    await tx.execute(
      sql`
        update bill
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${halfBills.map(m => m.id)})
      `,
    )
    publishRecordsWritten(tx, scope.ownerId, {
      entity: bill.name,
      action: 'delete',
      ids: halfBills.map(m => m.id),
      projectCode: row.projectCode,
    })
    await mergeLedgerEntries(
      tx,
      scope.ownerId,
      row.id,
      halfBills.map(m => m.id),
    )
  }
}

/** Removes the halves from statistics and releases their relations. */
async function cleanUpHalves(
  tx: Tx,
  scope: Scope,
  halfBills: readonly Bill[],
  reason: string | undefined,
): Promise<void> {
  await rewriteBillMonths(
    tx,
    scope.ownerId,
    halfBills.map(m => ({ ...m, deleted: true })),
  )
  await audit(
    tx,
    scope,
    halfBills.map(half => ({
      action: 'delete',
      entity: bill.name,
      entityId: half.id,
      projectCode: half.projectCode,
      before: { billNo: half.billNo, amount: half.amount, state: half.state },
      reason,
    })),
  )
  await releaseLinks(tx, scope, halfBills)
}

function decideMerge(
  row: Bill,
  children: readonly ReturnType<typeof toBill>[],
  rule: BillRule,
  entries: readonly PrincipalEntry[],
  today: Day,
): ActionDecision | string {
  const merged = mergeHalves(toBill(row), children, rule)
  if (typeof merged === 'string') return merged
  const whole = { ...toBill(row), ...stateChange('mergeBack'), ...merged }
  const change = {
    ...stateChange('mergeBack'),
    ...merged,
    ...withMoney(whole, { lateDue: computeLateFeeDue(whole, rule.late, entries, today) }, rule),
  }
  return {
    change,
    ...(whole.discount === row.discountAmount
      ? {}
      : {
          adjust: {
            type: 'discount',
            oldValue: formatYuan(row.discountAmount),
            newValue: formatYuan(whole.discount),
            amount: subtractFen(whole.discount, row.discountAmount),
          },
        }),
  }
}
