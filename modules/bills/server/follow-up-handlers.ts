import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { findByIds, findPage } from '#kit/server/table.ts'
import { type Tx, sql } from '#kit/server/db.ts'
import { bill, type Bill } from '../contract/bill.ts'
import {
  billFollowUp,
  ignoreFollowUps,
  listFollowUps,
  reassignFollowUps,
  reissueFollowUps,
  type BillFollowUp,
} from '../contract/follow-up.ts'
import { splitByDate } from '../domain/adjustment.ts'
import { refusalOf, type ActionFacts } from '../domain/actions.ts'
import { followUpAdviceOf } from '../domain/follow-up.ts'
import type { ActionContext } from './actions.ts'
import { applyPayer } from './adjustment.ts'
import { lockBills, lockRelations, selectionCondition } from './bill-lock.ts'
import { closeFollowUps, isListed, lockFollowUps } from './follow-ups.ts'
import { findPayerContacts } from './issue.ts'
import { issueBatch } from './issue-batch.ts'
import { replaceBills } from './reprice-write.ts'
import { splitRow } from './split.ts'
import { toBill } from './stored-bill.ts'
import { findWaitingBills } from './waiting-bills.ts'
import { toPayer } from '#modules/fees/server/public.ts'

type Refusal = BulkResult['rows'][number]

interface ByReason {
  readonly ids: readonly string[]
  readonly reason: string
}

const adviceFor = (followUp: BillFollowUp, row: Bill) =>
  followUpAdviceOf({
    kind: followUp.kind,
    effectiveDate: followUp.effectiveDate,
    begin: row.beginDate,
    paidPrincipal: row.paidPrincipal,
    unpaidPrincipal: row.unpaidPrincipal,
    lateFeePaid: row.lateFeePaid,
    isInvoiced: row.invoiceState !== 'none',
  })

const isAboutSource = (ownerId: Id, sourceCode: string) =>
  sql`exists (
    select
    from bill b
    where b.owner_id = ${ownerId} and b.id = t.bill_id and b.source_code = ${sourceCode}
  )`

const listHandler = reads(listFollowUps, async ({ sourceCode, ...query }, { db, scope }) => {
  const page = await findPage(db, billFollowUp, scope, query, {
    filters: defined(listFollowUps.input.filters),
    sums: defined(listFollowUps.output.sums),
    where: [
      isListed(scope.ownerId),
      ...(sourceCode === undefined ? [] : [isAboutSource(scope.ownerId, sourceCode)]),
    ],
  })
  const bills = new Map(
    (
      await findByIds(
        db,
        bill,
        scope,
        page.rows.map(row => row.billId),
      )
    ).map(row => [row.id, row]),
  )
  return {
    ...page,
    rows: page.rows.map(row => {
      const its = bills.get(row.billId)
      return its && row.state === 'open' ? { ...row, advice: adviceFor(row, its) } : row
    }),
  }
})

const bulkOf = (success: number, refused: readonly Refusal[]): BulkResult => ({
  success,
  fail: 0,
  skipped: refused.length,
  rows: refused,
})

/** The bills of follow-ups, their relations locked first. */
async function lockBillsOf(
  { tx, scope }: WriteContext,
  open: readonly BillFollowUp[],
): Promise<ReadonlyMap<Id, Bill>> {
  const ids = open.map(row => String(row.billId))
  const rows = ids.length
    ? await lockBills(tx, scope, selectionCondition(scope, { ids }), { relations: true })
    : []
  return new Map(rows.map(row => [row.id, row]))
}

/** The half of a bill from the day on, or the whole where it begins later. */
async function partSince(
  tx: Tx,
  context: ActionContext,
  row: Bill,
  { effectiveDate }: BillFollowUp,
): Promise<Bill> {
  if (row.beginDate >= effectiveDate) return row
  return defined((await splitRow(tx, context, row, splitByDate(toBill(row), effectiveDate)))[1])
}

const refusedFollowUp = (followUp: BillFollowUp, reason: string): Refusal => ({
  id: followUp.id,
  ...(followUp.billNo ? { code: followUp.billNo } : {}),
  reason,
})

/** Why a follow-up cannot be settled by another payer; undefined when it can. */
function reassignRefusal(
  followUp: BillFollowUp,
  row: Bill | undefined,
  facts: Pick<ActionFacts, 'now' | 'isWaiting'>,
) {
  if (!row) return '账单已删除，无需处理'
  const advice = adviceFor(followUp, row)
  if (advice !== 'split' && advice !== 'payer') return '账单已缴费、已开票或不是缴费人变更，不能拆分改缴费人'
  return refusalOf(advice === 'split' ? 'split' : 'changePayer', toBill(row), facts)
}

async function reassign({ ids, reason }: ByReason, writeContext: WriteContext): Promise<BulkResult> {
  const { tx, scope, today, now } = writeContext
  const context = { scope, today, now, reason }
  const { open, refused } = await lockFollowUps(tx, scope, ids)
  const bills = await lockBillsOf(writeContext, open)
  const payerOf = (followUp: BillFollowUp) => toPayer(followUp.payerKind, followUp.payerId)
  const contacts = await findPayerContacts(
    tx,
    scope.ownerId,
    open.flatMap(row => payerOf(row) ?? []),
  )
  const waiting = await findWaitingBills(tx, scope, [...bills.values()])
  const done: BillFollowUp[] = []
  const skipped: Refusal[] = [...refused]
  for (const followUp of open) {
    const row = bills.get(followUp.billId)
    const payer = payerOf(followUp)
    const contact = payer === undefined ? undefined : contacts.get(payer)
    const facts = { now, isWaiting: waiting.has(followUp.billId) }
    const refusal = contact ? reassignRefusal(followUp, row, facts) : '没有新缴费人，请在账单上变更缴费人'
    if (refusal) {
      skipped.push(refusedFollowUp(followUp, refusal))
      continue
    }
    const part = await partSince(tx, context, defined(row), followUp)
    const { payerKind, payerId } = followUp
    await applyPayer(tx, context, [part], {
      ...defined(contact),
      kind: defined(payerKind),
      id: defined(payerId),
    })
    done.push(followUp)
  }
  await closeFollowUps(tx, scope, done, 'done', `按生效日改由新缴费人缴：${reason}`)
  return bulkOf(done.length, skipped)
}

async function reissue({ ids, reason }: ByReason, writeContext: WriteContext): Promise<BulkResult> {
  const { tx, scope, today, now } = writeContext
  const { open, refused } = await lockFollowUps(tx, scope, ids)
  const areas = open.filter(row => row.kind === 'area')
  await lockRelations(
    tx,
    scope.ownerId,
    sql`t.owner_id = ${scope.ownerId} and t.id = any(${areas.map(row => row.billId)})`,
  )
  const result = await replaceBills(
    tx,
    { scope, now, today, reason },
    areas.map(row => row.billId),
    async (like, drafts, replaced) => {
      const batch = await issueBatch(
        tx,
        scope,
        {
          project: like.projectCode,
          source: 'auto',
          state: like.state === 'pending' ? 'pending' : 'normal',
        },
        'repriced',
        drafts,
        today,
        { message: `面积变更后重新出账，替换 ${replaced} 张：${reason}`.slice(0, 500) },
      )
      return { ids: batch.ids.map(parseId), nos: batch.nos }
    },
    'any',
  )
  const skippedBills = new Map(result.rows.map(row => [row.id, row.reason]))
  const done = areas.filter(row => !skippedBills.has(row.billId))
  await closeFollowUps(tx, scope, done, 'done', `按新面积重新出账：${reason}`)
  const skipped = [
    ...refused,
    ...open.filter(row => row.kind !== 'area').map(row => refusedFollowUp(row, '不是面积变更，请按建议处理')),
    ...areas.flatMap(row => {
      const why = skippedBills.get(row.billId)
      return why ? [refusedFollowUp(row, why)] : []
    }),
  ]
  return bulkOf(done.length, skipped)
}

async function ignore({ ids, reason }: ByReason, { tx, scope }: WriteContext): Promise<BulkResult> {
  const { open, refused } = await lockFollowUps(tx, scope, ids)
  await closeFollowUps(tx, scope, open, 'ignored', reason)
  return bulkOf(open.length, refused)
}

export const followUpHandlers = [
  listHandler,
  writes(reassignFollowUps, reassign),
  writes(reissueFollowUps, reissue),
  writes(ignoreFollowUps, ignore),
]
