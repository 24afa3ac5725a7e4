import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { displayYuan, type Fen, maxFen, parseYuan, sumFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import type { InvoiceablePart } from '#modules/payments/server/public.ts'
import { entryType } from '#modules/prestore/contract/choices.ts'
import { invoiceState } from '../contract/choices.ts'

interface TopUpAccount {
  readonly name: string
  /** What may still be invoiced of its top-ups. */
  readonly remaining: string
  readonly records?: readonly Id[]
}

const topUpAccounts = sqlFile(import.meta.dirname, 'top-up-accounts.sql', [
  'cancelled',
  'ownerId',
  'records',
  'toppedUp',
])

/** The accounts of top-ups, each with what was topped up, less refunds and what is invoiced. */
const findTopUpAccounts = (tx: Tx, ownerId: Id, recordIds: readonly Id[]): Promise<TopUpAccount[]> =>
  tx.rows(
    topUpAccounts<TopUpAccount>({
      ownerId,
      records: recordIds,
      toppedUp: codes(entryType, 'topUp', 'refund', 'change'),
      cancelled: codes(invoiceState, 'red', 'cancelled'),
    }),
  )

/** INV-2: top-ups are invoiced at most for what was not refunded from their account. */
export async function assertTopUpsAvailable(
  tx: Tx,
  ownerId: Id,
  chosen: readonly { readonly part: InvoiceablePart; readonly amount: Fen }[],
): Promise<void> {
  const topUps = chosen.filter(({ part }) => part.detailId === undefined && !part.income)
  if (!topUps.length) return
  const accounts = await findTopUpAccounts(
    tx,
    ownerId,
    topUps.map(({ part }) => part.recordId),
  )
  for (const account of accounts) {
    const amount = sumFen(
      topUps.filter(({ part }) => account.records?.includes(part.recordId)).map(topUp => topUp.amount),
    )
    const remaining = parseYuan(account.remaining)
    if (amount > remaining)
      refuse(`${account.name} 的预存已有退款，充值最多还可开 ${displayYuan(maxFen(0, remaining))} 元`)
  }
}
