import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { labelOf, codeOf, keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sumFen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { periodAfter, skipReason } from '#modules/fees/contract/choices.ts'
import { findNextRelations, gapKey } from '#modules/fees/server/public.ts'
import { billState } from '../contract/choices.ts'
import { billGaps, gapLimit, listGaps, markGaps, type Gap } from '../contract/gaps.ts'
import { toBillDraft } from './bill-draft.ts'
import { hasGap } from './gap-bills.ts'
import { issueBatch } from './issue-batch.ts'
import { findPayerContacts } from './issue.ts'
import { planRelations, type PlannedRelationGap } from './run-plan.ts'
import { prepareRun } from './run-scope.ts'

interface FreeingBill {
  readonly id: Id
  readonly billNo: string
  readonly state: number
  readonly day: Day
  readonly reason?: string
}

/** The abolished bills that left gaps, with time and reason. */
const findFreeingBills = async (
  db: Db,
  ownerId: Id,
  gaps: readonly PlannedRelationGap[],
): Promise<ReadonlyMap<Id, FreeingBill>> => {
  const rows = await db.rows<FreeingBill>(sql`
    select id, bill_no, state, coalesce(abolish_time, update_time)::date as day, abolish_reason as reason
    from bill
    where owner_id = ${ownerId} and id = any(${gaps.flatMap(({ gap }) => gap.billId ?? [])}::bigint[])
  `)
  return new Map(rows.map(row => [row.id, row]))
}

function causeOf(by: FreeingBill | undefined): string {
  if (!by) return '账单已作废'
  const action = keyOf(billState, by.state) === 'abolished' ? '作废' : '删除'
  return `账单 ${by.billNo} ${by.day} ${action}${by.reason ? `：${by.reason}` : ''}`
}

const describeSkip = ({ detail, reason }: NonNullable<PlannedRelationGap['gap']['skipped']>): string =>
  detail ?? labelOf(skipReason, reason)

/** Gaps as a preview and the list show them. */
export async function presentGaps(
  db: Db,
  ownerId: Id,
  project: string,
  gaps: readonly PlannedRelationGap[],
): Promise<Gap[]> {
  if (!gaps.length) return []
  const [freeing, contacts] = await Promise.all([
    findFreeingBills(db, ownerId, gaps),
    findPayerContacts(
      db,
      ownerId,
      gaps.flatMap(({ gap }) => gap.lines.map(line => line.payer)),
    ),
  ])
  return gaps.map(({ billingRelation, charged, located, gap }) => {
    const payers = gap.lines.flatMap(({ payer }) =>
      payer === undefined ? [] : (contacts.get(payer)?.name ?? []),
    )
    return {
      key: gapKey(billingRelation.relation.id, gap),
      relationId: billingRelation.relation.id,
      projectCode: project,
      sourceType: billingRelation.sourceType,
      sourceCode: billingRelation.sourceCode,
      sourceName: located.name,
      itemName: charged.item.name,
      standardName: charged.standard.name,
      ...(payers.length ? { payerName: [...new Set(payers)].join('、') } : {}),
      begin: gap.begin,
      end: gap.end,
      amount: sumFen(gap.lines.map(line => line.amount)),
      ...(gap.after ? { periodAfter: gap.after } : {}),
      cause: causeOf(gap.billId === undefined ? undefined : freeing.get(gap.billId)),
      ...(gap.skipped ? { refusal: describeSkip(gap.skipped) } : {}),
      isBilled: gap.isBilled,
    }
  })
}

interface GapQuery {
  readonly project: string
  readonly today: Day
  /** Keys to bill. */
  readonly keys: readonly string[]
  /** Locks the relations, so that nobody else bills them. */
  readonly lock: boolean
}

const relationIdOf = (key: string): Id => parseId(key.split('/')[0])

/** The gaps of a project, or of the relations of some; nothing else of them is planned. */
async function planGapsOf(
  db: Db,
  scope: Scope,
  { project, today, keys, lock }: GapQuery,
): Promise<readonly PlannedRelationGap[]> {
  const prepared = await prepareRun(db, scope, project, {}, { month: monthOf(today), today })
  const relations = await findNextRelations(db, scope.ownerId, {
    ...prepared.walk,
    after: 0,
    limit: gapLimit,
    lock,
    where: [
      ...(prepared.walk.where ?? []),
      keys.length
        ? sql`t.id = any(${[...new Set(keys.map(relationIdOf))]}::bigint[])`
        : hasGap(scope.ownerId, 'unwaived'),
    ],
  })
  const gapScope = { kind: 'gaps' as const, today, gaps: new Set(keys) }
  return (await planRelations(db, { ...prepared.run, scope: gapScope }, relations)).gaps
}

const listHandler = reads(listGaps, async ({ projectCode }, { db, scope, today }) => {
  const gaps = await planGapsOf(db, scope, { project: projectCode, today, keys: [], lock: false })
  return presentGaps(db, scope.ownerId, projectCode, gaps)
})

interface ChosenGaps {
  readonly chosen: readonly PlannedRelationGap[]
  /** How many of the keys were found, and the others as rows of the answer. */
  readonly found: number
  readonly missing: NonNullable<BulkResult['rows']>
}

/** The gaps of the keys that somebody chose, their relations locked. */
async function lockChosenGaps(
  { tx, scope, today }: WriteContext,
  project: string,
  keys: readonly string[],
): Promise<ChosenGaps> {
  const planned = await planGapsOf(tx, scope, { project, today, keys, lock: true })
  const chosen = planned.filter(({ gap }) => gap.isBilled)
  const found = new Set(chosen.map(({ billingRelation, gap }) => gapKey(billingRelation.relation.id, gap)))
  const missing = keys
    .filter(key => !found.has(key))
    .map(key => ({ id: relationIdOf(key), code: key, reason: '该账期刚刚被出账或标记，请刷新' }))
  return { chosen, found: found.size, missing }
}

/** Bills chosen gaps at once; of two clerks the second finds them billed (GEN-2). */
const billHandler = writes(billGaps, async ({ projectCode, keys }, context) => {
  const { tx, scope, today } = context
  const { chosen, missing } = await lockChosenGaps(context, projectCode, keys)
  const billable = chosen.filter(({ gap }) => !gap.skipped)
  const refused = chosen.flatMap(({ billingRelation, gap }) =>
    gap.skipped
      ? [
          {
            id: billingRelation.relation.id,
            code: billingRelation.sourceName,
            reason: describeSkip(gap.skipped),
          },
        ]
      : [],
  )
  const drafts = billable.flatMap(({ billingRelation, charged, located, gap }) =>
    gap.lines.map(line => toBillDraft({ billingRelation, charged, located, line, reading: undefined }, '')),
  )
  const batch = drafts.length
    ? await issueBatch(tx, scope, { project: projectCode, source: 'auto' }, 'wizard', drafts, today, {
        message: `补出漏账 ${drafts.length} 张`,
      })
    : undefined
  const skipped = [...refused, ...missing]
  return {
    success: billable.length,
    fail: 0,
    skipped: skipped.length,
    rows: skipped,
    ...(batch ? { batchNo: batch.batchNo } : {}),
    made: drafts.length,
    amount: sumFen(drafts.map(draft => draft.amount)),
  }
})

/** Writes what becomes of gaps on the bills that left them. */
async function writeMarks(
  { tx, scope }: { readonly tx: Tx; readonly scope: Scope },
  project: string,
  billIds: readonly Id[],
  after: NonNullable<Gap['periodAfter']>,
  reason: string,
): Promise<void> {
  if (!billIds.length) return
  await tx.execute(sql`
    update bill
    set period_after = ${codeOf(periodAfter, after)}::smallint, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = any(${[...billIds]}::bigint[])
  `)
  await audit(
    tx,
    scope,
    billIds.map(id => ({
      action: 'update',
      entity: 'bill',
      entityId: id,
      projectCode: project,
      after: { periodAfter: after },
      reason,
    })),
  )
}

async function mark(
  { projectCode, keys, periodAfter: after, reason }: NonNullable<typeof markGaps.input.T>,
  context: WriteContext,
): Promise<BulkResult> {
  const { chosen, found, missing } = await lockChosenGaps(context, projectCode, keys)
  const billIds = [...new Set(chosen.flatMap(({ gap }) => gap.billId ?? []))]
  await writeMarks(context, projectCode, billIds, after, reason)
  return { success: found, fail: 0, skipped: missing.length, rows: missing }
}

export const gapHandlers = [listHandler, billHandler, writes(markGaps, mark)]
