import type { Day } from '#kit/domain/day.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { nextNumbers } from './bill-number.ts'
import { findPayerContacts, issueBills, type BillBatch, type BillDraft } from './issue.ts'
import { findInitialState } from './settings.ts'

/** Numbers and writes bills that belong together, as a batch that can be undone (GEN-7). */
export async function issueBatch(
  tx: Tx,
  scope: Scope,
  batch: Omit<BillBatch, 'batchNo' | 'state'> & { readonly state?: BillBatch['state'] },
  kind: BillRun['kind'],
  drafts: readonly Omit<BillDraft, 'billNo'>[],
  today: Day,
  runFields: { readonly month?: Month; readonly message?: string } = {},
): Promise<{
  batchNo: string
  count: number
  amount: number
  ids: string[]
  byNo: ReadonlyMap<string, number>
  nos: readonly string[]
}> {
  const [batchNo = ''] = await nextNumbers(tx, scope.ownerId, 'PC', today, 1)
  const nos = await nextNumbers(tx, scope.ownerId, 'ZD', today, drafts.length)
  const contacts = await findPayerContacts(
    tx,
    scope.ownerId,
    drafts.map(d => d.payer),
  )
  const state = batch.state ?? (await findInitialState(tx, scope.ownerId, batch.project))
  const byNo = new Map<string, number>()
  const amount = drafts.reduce((n, d) => n + d.amount, 0)
  for (let i = 0; i < drafts.length; i += 2000) {
    for (const [no, id] of await issueBills(
      tx,
      scope,
      { ...batch, state, batchNo },
      drafts.slice(i, i + 2000).map((d, j) => ({ ...d, billNo: nos[i + j]! })),
      contacts,
    )) {
      byNo.set(no, id)
    }
  }
  await insert(tx, billRun, scope, {
    projectCode: batch.project,
    batchNo,
    kind,
    scope: {},
    total: drafts.length,
    done: drafts.length,
    afterId: 0,
    made: drafts.length,
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
      entityId: [...byNo.values()][0] ?? 0,
      projectCode: batch.project,
      after: { batchNo, count: drafts.length, amount },
    },
  ])
  return {
    batchNo,
    count: drafts.length,
    amount,
    ids: nos.map(refusal => String(byNo.get(refusal))),
    byNo,
    nos,
  }
}
