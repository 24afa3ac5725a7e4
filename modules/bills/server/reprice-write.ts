import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { findRelationsByIds } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { stateChange } from '../domain/actions.ts'
import { runAction } from './action-runner.ts'
import { periodAfterColumn } from './actions.ts'
import { releaseLinks, restoreLinks } from './bill-links.ts'
import type { BillDraft } from './issue.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'
import { outdatedCondition } from './outdated-bills.ts'
import {
  draftReplacements,
  draftRefusal,
  draftsOf,
  repriceFacts,
  type RepriceDraft,
} from './reprice-draft.ts'

/**
 * Writes the replacements of bills of one project and state like `like`. Returns their ids and numbers in the
 * order of the drafts.
 */
export type WriteReplacements = (
  like: Bill,
  drafts: readonly Omit<BillDraft, 'billNo'>[],
  replaced: number,
) => Promise<{ readonly ids: readonly Id[]; readonly nos: readonly string[] }>

async function writeReplacements(
  tx: Tx,
  scope: Scope,
  replaced: readonly Bill[],
  draftById: ReadonlyMap<Id, RepriceDraft>,
  write: WriteReplacements,
): Promise<{ made: number; amount: Fen }> {
  let made = 0
  let amount: Fen = 0
  for (const [, bills] of Map.groupBy(replaced, b => `${b.projectCode} ${b.state}`)) {
    const drafts = bills.flatMap(b => draftsOf(draftById.get(b.id)))
    const { ids, nos } = await write(defined(bills[0]), drafts, bills.length)
    made += drafts.length
    amount = sumFen([amount, ...drafts.map(d => d.amount)])
    await copyMarks(tx, scope, ids)
    await restoreLinks(
      tx,
      scope,
      drafts.map((draft, i) => ({
        id: defined(ids[i]),
        billNo: defined(nos[i]),
        relationId: draft.relationId,
        refType: draft.reading && 'reading',
        refId: draft.reading?.id,
      })),
    )
  }
  return { made, amount }
}

/** Disputes, promises and reminders of the replaced bills belong to the new ones. */
const copyMarks = (tx: Tx, scope: Scope, ids: readonly Id[]): Promise<number> =>
  tx.execute(
    sql`
      update bill n
      set disputed = o.disputed, promise_date = o.promise_date, urge_count = o.urge_count,
        last_urge_time = o.last_urge_time
      from bill o
      where n.owner_id = ${scope.ownerId}
        and n.id = any(${[...ids]})
        and o.owner_id = ${scope.ownerId}
        and o.id = n.replaces_bill_id
        and (o.disputed or o.promise_date is not null or o.urge_count > 0)
    `,
  )

const filterOutdated = async (tx: Tx, ownerId: Id, bills: readonly Bill[]): Promise<Bill[]> => {
  const rows = await tx.rows<{ id: Id }>(
    sql`
      select t.id
      from bill t
      where t.owner_id = ${ownerId}
        and t.id = any(${bills.map(b => b.id)})
        and ${outdatedCondition(ownerId, sql`t.standard_id`)}
    `,
  )
  const outdated = new Set(rows.map(r => r.id))
  return bills.filter(b => outdated.has(b.id))
}

interface Repricing {
  readonly scope: Scope
  readonly now: Moment
  readonly today: Day
  readonly reason: string
}

/**
 * Abolishes bills and writes their replacements at today's prices, in the caller's transaction; bills that
 * cannot be replaced are reported as skipped. Bills that have been replaced already stay as they are.
 * `before` and `amount` are the sums of the old and the new bills in fen.
 */
export async function replaceBills(
  tx: Tx,
  { scope, now, today, reason }: Repricing,
  ids: readonly Id[],
  write: WriteReplacements,
  /** `outdated`: only bills at an old price; `any`: also those whose areas or payers are others. */
  scopeOfBills: 'outdated' | 'any' = 'outdated',
): Promise<BulkResult & { made: number; before: Fen; amount: Fen }> {
  // The lock order of generating: relations, then bills.
  const requested = await findByIds(tx, bill, scope, ids)
  await findRelationsByIds(
    tx,
    scope.ownerId,
    requested.flatMap(b => b.relationId ?? []),
    { lock: true },
  )
  const found = await lockBills(tx, scope, selectionCondition(scope, { ids: ids.map(String) }))
  const foundIds = new Set(found.map(b => b.id))
  const outdated = scopeOfBills === 'any' ? found : await filterOutdated(tx, scope.ownerId, found)
  const draftById = await draftReplacements(tx, scope.ownerId, outdated, today)
  let written: { made: number; amount: Fen } = { made: 0, amount: 0 }
  let before: Fen = 0
  const result = await runAction(
    tx,
    scope,
    found,
    {
      action: 'reprice',
      now,
      today,
      reason,
      facts: b => repriceFacts(b, draftById.get(b.id)),
      decide: billRow =>
        draftById.has(billRow.id)
          ? (draftRefusal(draftById.get(billRow.id)) ?? {
              change: { ...stateChange('reprice'), lockedUntil: undefined },
            })
          : '账单用的就是现行价格，无需重新生成',
      extraColumns: [
        sql`abolish_time = ${now}::timestamptz`,
        sql`abolish_by = ${scope.operatorId}`,
        sql`abolish_reason = ${reason}`,
        periodAfterColumn('rebill'),
      ],
      afterWrite: async changed => {
        before = sumFen(changed.map(b => b.amount))
        await releaseLinks(tx, scope, changed)
        written = await writeReplacements(tx, scope, changed, draftById, write)
      },
    },
    ids.filter(id => !foundIds.has(id)),
  )
  return { ...result, ...written, before }
}
