import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { batchPrefix, billPrefix } from './bill-number.ts'
import { findPayerContacts, issueBills, type BillBatch, type BillDraft } from './issue.ts'
import { findInitialState } from './settings.ts'

export interface IssuedBatch {
  readonly batchNo: string
  readonly count: number
  readonly amount: Fen
  /** Ids and numbers in the order of the drafts. */
  readonly ids: string[]
  readonly nos: readonly string[]
  readonly byNo: ReadonlyMap<string, Id>
}

/** Numbers and writes bills that belong together, as a batch that can be undone (GEN-7). */
export async function issueBatch(
  tx: Tx,
  scope: Scope,
  batch: Omit<BillBatch, 'batchNo' | 'state'> & { readonly state?: BillBatch['state'] },
  kind: BillRun['kind'],
  drafts: readonly Omit<BillDraft, 'billNo'>[],
  today: Day,
  runFields: { readonly month?: Month; readonly message?: string } = {},
): Promise<IssuedBatch> {
  const batchNo = await tx.numbers.next(scope.ownerId, batchPrefix, today)
  const nos = await tx.numbers.nextMany(scope.ownerId, billPrefix, today, drafts.length)
  const contacts = await findPayerContacts(
    tx,
    scope.ownerId,
    drafts.map(d => d.payer),
  )
  const state = batch.state ?? (await findInitialState(tx, scope.ownerId, batch.project))
  const amount = sumFen(drafts.map(d => d.amount))
  const byNo = new Map<string, Id>()
  for (let i = 0; i < drafts.length; i += 2000) {
    for (const [no, id] of await issueBills(
      tx,
      scope,
      { ...batch, state, batchNo },
      drafts.slice(i, i + 2000).map((d, j) => ({ ...d, billNo: defined(nos[i + j]) })),
      contacts,
    )) {
      byNo.set(no, id)
    }
  }
  await saveBatch(
    tx,
    scope,
    batch.project,
    kind,
    { batchNo, count: drafts.length, amount, firstId: [...byNo.values()][0] ?? 0 },
    runFields,
  )
  return {
    batchNo,
    count: drafts.length,
    amount,
    ids: nos.map(no => String(byNo.get(no))),
    byNo,
    nos,
  }
}

/** The row of the finished batch, and its entry in the audit log. */
async function saveBatch(
  tx: Tx,
  scope: Scope,
  project: string,
  kind: BillRun['kind'],
  { batchNo, count, amount, firstId }: { batchNo: string; count: number; amount: Fen; firstId: Id },
  runFields: { readonly month?: Month; readonly message?: string },
): Promise<void> {
  await insert(tx, billRun, scope, {
    projectCode: project,
    batchNo,
    kind,
    scope: {},
    total: count,
    done: count,
    afterId: 0,
    made: count,
    behind: 0,
    amount,
    state: 'done',
    endTime: fromInstant(Date.parse(scope.time)),
    ...runFields,
  })
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'bill',
      entityId: firstId,
      projectCode: project,
      after: { batchNo, count, amount },
    },
  ])
}
