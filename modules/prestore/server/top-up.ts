import { invalidInput } from '#kit/contract/wire.ts'
import { sumFen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { offlineMethods } from '#modules/payments/contract/choices.ts'
import { lockReceivingDay, settle } from '#modules/payments/server/public.ts'
import { prestoreAccount, topUp } from '../contract/account.ts'
import { findAccountOwner } from './account-owner.ts'
import { postEntries, type NewLedgerEntry } from './ledger.ts'
import { ensureTopUpAccount } from './online-top-up.ts'

type TopUpInput = NonNullable<typeof topUp.input.T>

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

const methodsFault = (methods: TopUpInput['methods']): string | undefined => {
  if (methods.some(m => !offlineMethodSet.has(m.method)))
    return '充值请用现金、转账等方式；线上充值请扫码支付'
  return methods.some(m => m.amount <= 0) ? '每种支付方式的金额应大于零' : undefined
}

/** ACC-10: money in at the cashier, with its receipt. */
async function topUpAtCounter(tx: Tx, scope: Scope, input: TopUpInput, now: Moment) {
  const { projectCode, ownerKind, ownerCode, feeItemId = 0, methods, gift = 0, remark } = input
  const fault = methodsFault(methods)
  if (fault) throw invalidInput([{ Field: 'MethodJson', Message: fault }])
  const owner = await findAccountOwner(tx, scope, projectCode, ownerKind, ownerCode)
  const at = await lockReceivingDay(tx, scope.ownerId, projectCode, now, now)
  const account = await ensureTopUpAccount(
    tx,
    scope,
    projectCode,
    ownerKind,
    ownerCode,
    feeItemId,
    owner,
    dayOfMoment(now),
  )
  const settled = await settle(tx, scope, {
    projectCode,
    type: 'prestore',
    bills: [],
    allocations: [],
    tenders: methods,
    change: 0,
    toPrestore: sumFen(methods.map(m => m.amount)),
    payer: { name: input.payerName ?? owner.payer },
    sourceName: owner.name,
    buildCode: owner.building,
    at,
    cashier: { id: scope.operatorId, name: scope.name },
    remark,
    creditPrestore: (inTx, amount, recordId) => {
      const entries: NewLedgerEntry[] = [{ accountId: account.id, type: 'topUp', amount, recordId, remark }]
      if (gift) {
        entries.push({ accountId: account.id, type: 'gift', amount: gift, gift: true, recordId })
      }
      return postEntries(inTx, scope, entries, now)
    },
  })
  const current = await requireById(tx, prestoreAccount, scope, account.id)
  return { ...settled, balance: current.balance, giftBalance: current.giftBalance }
}

export const topUpHandlers = [
  writes(topUp, (input, { tx, scope, now }) => topUpAtCounter(tx, scope, input, now)),
]
