import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { findAll, findByIds, findPage, requireById } from '#kit/server/table.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { prestoreAccount } from '../contract/account.ts'
import { entryFilters, getPrestoreReceipt, listEntries, prestoreEntry } from '../contract/entry.ts'
import { entryConditions, withItemNames } from './account-queries.ts'

/** A payment and its entries in each account. */
async function readReceipt(recordId: Id, { db, scope }: ReadContext) {
  const record = await requireById(db, payRecord, scope, recordId)
  const entries = await findAll(
    db,
    prestoreEntry,
    scope,
    { order: 'id' },
    { where: entryConditions(scope.ownerId, undefined, recordId) },
  )
  if (!entries.length) return refuse(`收款 ${record.recordNo} 未使用预存，请在收款记录中查看`)
  const accountIds = entries.map(e => e.accountId)
  const accounts = await withItemNames(db, scope, await findByIds(db, prestoreAccount, scope, accountIds))
  const accountById = new Map(accounts.map(a => [a.id, a]))
  return {
    recordId: record.id,
    recordNo: record.recordNo,
    ...(record.receiptNo ? { receiptNo: record.receiptNo } : {}),
    sourceName: record.sourceName,
    ...(record.payerName ? { payerName: record.payerName } : {}),
    payTime: record.payTime,
    receivedAmount: record.receivedAmount,
    state: record.state,
    rows: entries.map(entry => {
      const account = defined(accountById.get(entry.accountId))
      return {
        accountId: account.id,
        accountNo: account.accountNo,
        ownerName: account.ownerName,
        feeItemName: account.feeItemName,
        entryType: entry.entryType,
        amount: entry.amount,
        gift: entry.gift,
        balanceBefore: entry.balanceBefore,
        balanceAfter: entry.balanceAfter,
      }
    }),
  }
}

export const entryHandlers = [
  reads(listEntries, ({ ownerCode, recordNo, ...query }, { db, scope }) =>
    findPage(db, prestoreEntry, scope, query, {
      filters: entryFilters,
      sums: ['amount'],
      where: entryConditions(scope.ownerId, ownerCode, recordNo),
    }),
  ),
  reads(getPrestoreReceipt, ({ id }, c) => readReceipt(id, c)),
]
