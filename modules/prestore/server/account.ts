import { defined } from '#kit/domain/defined.ts'
import { displayYuan, sumFen } from '#kit/domain/money.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById, findPage, update } from '#kit/server/table.ts'
import { offlineMethods } from '#modules/payments/contract/choices.ts'
import { lockDays } from '#modules/payments/server/public.ts'
import {
  accountFilters,
  editAccount,
  freezeAccount,
  listAccounts,
  getAccount,
  getPayInfo,
  prestoreAccount,
  refundAccount,
} from '../contract/account.ts'
import { availableOf } from '../domain/balance.ts'
import { assertAccountOpen, askForRefund, payOutOf } from './account-refund.ts'
import { findPrepaidAccounts } from './ledger.ts'
import { findAccountOwner } from './account-owner.ts'
import { accountConditions, withItemNames } from './account-queries.ts'

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

export const accountHandlers = [
  reads(listAccounts, async ({ feeItem, low, ...query }, { db, scope }) => {
    const found = await findPage(db, prestoreAccount, scope, query, {
      filters: accountFilters,
      sums: ['balance', 'giftBalance'],
      where: accountConditions(scope.ownerId, feeItem, low),
    })
    return { ...found, rows: await withItemNames(db, scope, found.rows) }
  }),
  reads(getAccount, async ({ id }, { db, scope }) =>
    defined((await withItemNames(db, scope, [await requireById(db, prestoreAccount, scope, id)]))[0]),
  ),
  reads(getPayInfo, async ({ projectCode, ownerKind: kind, ownerCode }, { db, scope }) => {
    const owner = await findAccountOwner(db, scope, projectCode, kind, ownerCode)
    const accounts = (
      await findPrepaidAccounts(db, scope.ownerId, projectCode, [{ kind, code: ownerCode }])
    ).filter(account => !account.frozen)
    const named = await withItemNames(
      db,
      scope,
      accounts.map(({ id, itemId, balance, gift }) => ({
        id,
        feeItemId: itemId,
        balance,
        giftBalance: gift,
      })),
    )
    return {
      ownerName: owner.name,
      balance: sumFen(accounts.map(a => a.balance)),
      giftBalance: sumFen(accounts.map(a => a.gift)),
      accounts: named,
    }
  }),
  writes(editAccount, ({ id, version, ...input }, { tx, scope }) =>
    update(
      tx,
      prestoreAccount,
      scope,
      id,
      { warnBalance: undefined, remark: undefined, ...input },
      { version },
    ),
  ),
  writes(freezeAccount, async ({ id, frozen, reason }, { tx, scope }) => {
    const a = await requireById(tx, prestoreAccount, scope, id, { lock: true })
    if (a.state === 'closed') refuse('账户已销户')
    return update(tx, prestoreAccount, scope, id, { state: frozen ? 'frozen' : 'open' }, { reason })
  }),
  writes(refundAccount, async ({ id, amount, method, reason }, { tx, scope, now }) => {
    const { projectCode } = await requireById(tx, prestoreAccount, scope, id)
    await lockDays(tx, scope.ownerId, projectCode, [dayOfMoment(now)])
    const account = await requireById(tx, prestoreAccount, scope, id, { lock: true })
    assertAccountOpen(account)
    if (!offlineMethodSet.has(method))
      throw invalidInput([{ Field: 'PayMethod', Message: '预存退款请用现金或转账' }])
    if (amount > availableOf(account))
      throw invalidInput([
        { Field: 'Amount', Message: `最多可退 ${displayYuan(availableOf(account))} 元，赠送余额不退` },
      ])
    const refund = await askForRefund({ tx, scope, now }, account, { amount, method, reason })
    if (!refund) {
      await payOutOf({ tx, scope, now }, account, { amount, method, reason })
    }
    const after = await requireById(tx, prestoreAccount, scope, id)
    const named = defined((await withItemNames(tx, scope, [after]))[0])
    return refund ? { ...named, refundNo: refund.refundNo } : named
  }),
]
