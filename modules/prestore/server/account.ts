import { formatYuan, sumFen } from '#kit/domain/money.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage, findAll, update } from '#kit/server/table.ts'
import { offlineMethods } from '#modules/payments/contract/choices.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { lockDays, payOut, settle } from '#modules/payments/server/public.ts'
import {
  accountFilters,
  editAccount,
  entryFilters,
  freezeAccount,
  getPrestoreSetting,
  listAccounts,
  listEntries,
  getAccount,
  getPayInfo,
  prestoreAccount,
  prestoreEntry,
  prestoreSetting,
  getPrestoreReceipt,
  refundAccount,
  savePrestoreSetting,
  topUp,
  type PrestoreAccount,
  type PrestoreEntry,
  type PrestoreSetting,
} from '../contract/account.ts'
import { postEntries, findPrepaidAccounts } from './ledger.ts'
import { isLowBalance } from './low-balance.ts'
import { findAccountOwner } from './account-owner.ts'
import { ensureTopUpAccount } from './online-top-up.ts'

export async function withItemNames(
  db: Db,
  scope: Scope,
  list: readonly PrestoreAccount[],
): Promise<readonly PrestoreAccount[]> {
  const ids = [...new Set(list.map(a => a.feeItemId).filter(Boolean))]
  const known = new Map(
    ids.length
      ? (
          await db.rows<{ id: number; name: string }>(
            sql`select id, name from fee_item where owner_id = ${scope.ownerId} and id = any(${ids})`,
          )
        ).map(i => [i.id, i.name])
      : [],
  )
  return list.map(a => ({
    ...a,
    feeItemName: a.feeItemId ? (known.get(a.feeItemId) ?? '已删除的项目') : '通用',
  }))
}

export const withOwnerNames = async (
  db: Db,
  scope: Scope,
  list: readonly PrestoreEntry[],
): Promise<readonly PrestoreEntry[]> => {
  const names = new Map(
    list.length
      ? (
          await db.rows<{ id: number; name: string }>(
            sql`
              select id, owner_name as name
              from prestore_account
              where owner_id = ${scope.ownerId} and id = any(${[...new Set(list.map(e => e.accountId))]})
            `,
          )
        ).map(a => [a.id, a.name])
      : [],
  )
  return list.map(e => ({ ...e, ownerName: names.get(e.accountId) }))
}

/** Beyond the plain filters; the same for lists and exports. */
export const accountConditions = (ownerId: number, feeItem: number | undefined, low: boolean | undefined) => [
  ...(feeItem === undefined ? [] : [sql`t.fee_item_id = ${feeItem}`]),
  ...(low === undefined
    ? []
    : [low ? isLowBalance(ownerId) : sql`not coalesce(${isLowBalance(ownerId)}, false)`]),
]

export const entryConditions = (
  owner: number,
  ownerCode: string | undefined,
  recordNo: number | undefined,
) => [
  ...(ownerCode
    ? [
        sql`t.account_id in (
          select a.id from prestore_account a where a.owner_id = ${owner} and a.owner_code = ${ownerCode}
        )`,
      ]
    : []),
  ...(recordNo ? [sql`t.record_id = ${recordNo}`] : []),
]

/** How a project deducts; what it never said is the shipped way. */
export const loadPrestoreSetting = async (db: Db, scope: Scope, project: string): Promise<PrestoreSetting> =>
  (await findAll(db, prestoreSetting, scope, { projectCode: project }, { limit: 1 }))[0] ??
  ({
    id: 0,
    version: 1,
    projectCode: project,
    autoDeduct: false,
    onlyDue: true,
    deductLate: true,
    wholeBillOnly: false,
    giftFirst: false,
  } as PrestoreSetting)

export const assertAccountOpen = (a: PrestoreAccount): void => {
  if (a.state !== 'open')
    refuse(`账户「${a.ownerName}」已${a.state === 'frozen' ? '冻结' : '销户'}，请先解冻`)
}

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

export const accountHandlers = [
  reads(listAccounts, async ({ feeItem, low, ...q }, { db, scope }) => {
    const found = await findPage(db, prestoreAccount, scope, q, {
      filters: accountFilters,
      sums: ['balance', 'giftBalance'],
      where: accountConditions(scope.ownerId, feeItem, low),
    })
    return { ...found, rows: await withItemNames(db, scope, found.rows) }
  }),
  reads(
    getAccount,
    async ({ id }, { db, scope }) =>
      (await withItemNames(db, scope, [await requireById(db, prestoreAccount, scope, id)]))[0]!,
  ),
  reads(listEntries, async ({ ownerCode, recordNo, ...q }, { db, scope }) => {
    const found = await findPage(db, prestoreEntry, scope, q, {
      filters: entryFilters,
      sums: ['amount'],
      where: entryConditions(scope.ownerId, ownerCode, recordNo),
    })
    return { ...found, rows: await withOwnerNames(db, scope, found.rows) }
  }),
  reads(getPrestoreReceipt, async ({ id }, { db, scope }) => {
    const r = await requireById(db, payRecord, scope, id)
    const moved = await findAll(
      db,
      prestoreEntry,
      scope,
      { order: 'id' },
      { where: entryConditions(scope.ownerId, undefined, id) },
    )
    if (!moved.length) return refuse(`收款 ${r.recordNo} 没有动过预存，请在收款记录里查看`)
    const accounts = new Map(
      (
        await withItemNames(
          db,
          scope,
          await findByIds(
            db,
            prestoreAccount,
            scope,
            moved.map(e => e.accountId),
          ),
        )
      ).map(a => [a.id, a]),
    )
    return {
      recordId: r.id,
      recordNo: r.recordNo,
      ...(r.receiptNo ? { receiptNo: r.receiptNo } : {}),
      sourceName: r.sourceName,
      ...(r.payerName ? { payerName: r.payerName } : {}),
      payTime: r.payTime,
      receivedAmount: r.receivedAmount,
      state: r.state,
      rows: moved.map(e => {
        const a = accounts.get(e.accountId)!
        return {
          accountId: a.id,
          accountNo: a.accountNo,
          ownerName: a.ownerName,
          feeItemName: a.feeItemName,
          entryType: e.entryType,
          amount: e.amount,
          gift: e.gift,
          balanceBefore: e.balanceBefore,
          balanceAfter: e.balanceAfter,
        }
      }),
    }
  }),
  reads(getPayInfo, async ({ projectCode, ownerKind: kind, ownerCode }, { db, scope }) => {
    const owner = await findAccountOwner(db, scope, projectCode, kind, ownerCode)
    const purses = (
      await findPrepaidAccounts(db, scope.ownerId, projectCode, [{ kind, code: ownerCode }])
    ).filter(p => !p.frozen)
    const items = await withItemNames(
      db,
      scope,
      purses.map(p => ({ id: p.id, feeItemId: p.itemId }) as PrestoreAccount),
    )
    const names = new Map(items.map(i => [i.id, i.feeItemName]))
    return {
      ownerName: owner.name,
      balance: sumFen(purses.map(p => p.balance)),
      giftBalance: sumFen(purses.map(p => p.gift)),
      accounts: purses.map(p => ({
        id: p.id,
        feeItemId: p.itemId,
        feeItemName: names.get(p.id),
        balance: p.balance,
        giftBalance: p.gift,
      })) as never,
    }
  }),
  reads(getPrestoreSetting, ({ projectCode }, { db, scope }) => loadPrestoreSetting(db, scope, projectCode)),
  writes(savePrestoreSetting, async ({ projectCode, ...said }, { tx, scope }) => {
    const [known] = await findAll(tx, prestoreSetting, scope, { projectCode }, { limit: 1 })
    const all = {
      itemIds: undefined,
      giftDays: undefined,
      warnBalance: undefined,
      warnResident: undefined,
      warnCompany: undefined,
      ...said,
    }
    return known
      ? update(tx, prestoreSetting, scope, known.id, all)
      : insert(tx, prestoreSetting, scope, { projectCode, ...all })
  }),
  writes(editAccount, ({ id, version, ...said }, { tx, scope }) =>
    update(
      tx,
      prestoreAccount,
      scope,
      id,
      { warnBalance: undefined, remark: undefined, ...said },
      { version },
    ),
  ),
  writes(freezeAccount, async ({ id, frozen, reason }, { tx, scope }) => {
    const a = await requireById(tx, prestoreAccount, scope, id, true)
    if (a.state === 'closed') refuse('账户已销户')
    return update(tx, prestoreAccount, scope, id, { state: frozen ? 'frozen' : 'open' }, { reason })
  }),
  writes(
    topUp,
    async (
      { projectCode, ownerKind: kind, ownerCode, feeItemId = 0, methods, gift = 0, payerName, remark },
      { tx, scope, now },
    ) => {
      const strange = methods.find(m => !offlineMethodSet.has(m.method))
      const amount = sumFen(methods.map(m => m.amount))
      if (strange || methods.some(m => m.amount <= 0))
        throw invalidInput([
          {
            Field: 'MethodJson',
            Message: strange ? '充值请用现金、转账等方式；线上充值请扫码支付' : '每种支付方式的金额应大于零',
          },
        ])
      const owner = await findAccountOwner(tx, scope, projectCode, kind, ownerCode)
      await lockDays(tx, scope.ownerId, projectCode, [dayOfMoment(now)])
      const purse = await ensureTopUpAccount(tx, scope, projectCode, kind, ownerCode, feeItemId, owner)
      const done = await settle(tx, scope, {
        projectCode,
        type: 'prestore',
        bills: [],
        allocations: [],
        tenders: methods,
        change: 0,
        toPrestore: amount,
        payer: { name: payerName ?? owner.payer },
        sourceName: owner.name,
        at: now,
        cashier: { id: scope.operatorId, name: scope.name },
        remark,
        creditPrestore: (x, sum, recordId) =>
          postEntries(
            x,
            scope,
            [
              { accountId: purse.id, type: 'topUp', amount: sum, recordId, remark },
              ...(gift
                ? [{ accountId: purse.id, type: 'gift' as const, amount: gift, gift: true, recordId }]
                : []),
            ],
            now,
          ),
      })
      const after = await requireById(tx, prestoreAccount, scope, purse.id)
      return { ...done, balance: after.balance, giftBalance: after.giftBalance }
    },
  ),
  writes(refundAccount, async ({ id, amount, method, reason }, { tx, scope, now }) => {
    await lockDays(tx, scope.ownerId, (await requireById(tx, prestoreAccount, scope, id)).projectCode, [
      dayOfMoment(now),
    ])
    const a = await requireById(tx, prestoreAccount, scope, id, true)
    assertAccountOpen(a)
    if (!offlineMethodSet.has(method))
      throw invalidInput([{ Field: 'PayMethod', Message: '预存退款请用现金或转账' }])
    if (amount > a.balance)
      throw invalidInput([{ Field: 'Amount', Message: `最多可退 ${formatYuan(a.balance)} 元，赠送余额不退` }])
    const record = await payOut(tx, scope, {
      type: 'prestore',
      projectCode: a.projectCode,
      sourceName: a.ownerName,
      amount,
      method,
      reason,
      at: now,
    })
    await postEntries(
      tx,
      scope,
      [{ accountId: id, type: 'refund', amount: -amount, recordId: record, remark: reason }],
      now,
    )
    return (await withItemNames(tx, scope, [await requireById(tx, prestoreAccount, scope, id)]))[0]!
  }),
]
