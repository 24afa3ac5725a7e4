import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { contains, insert } from '#kit/server/table.ts'
import type { StockChange } from '../contract/choices.ts'
import {
  exportStockRecords,
  merchantStockRecord,
  merchantStockRecords,
  merchantStocks,
} from '../contract/stock.ts'

const ofMerchantNamed = (word: string, { scope }: { readonly scope: Scope }) =>
  sql`t.merchant_id in (
    select m.id from merchant m where m.owner_id = ${scope.ownerId} and ${contains(sql`m.name`, word)}
  )`

export const stockServer = joinServers(
  crudHandlers(merchantStocks, { keyword: ofMerchantNamed }),
  crudHandlers(merchantStockRecords, { export: exportStockRecords }),
)

export interface StockKey {
  readonly projectCode: string
  readonly merchantId: Id
  readonly couponId: Id
}

export interface StockMove extends StockKey {
  readonly type: StockChange
  /** Negative where the stock gets less. */
  readonly qty: number
  readonly refNo: string | undefined
}

/** What is left, kept as it is until the end: one step of a stock is taken after the other. */
export async function lockStock(
  tx: Tx,
  ownerId: Id,
  { merchantId, couponId }: Omit<StockKey, 'projectCode'>,
): Promise<number> {
  const row = await tx.one<{ balance: number }>(sql`
    select balance
    from merchant_coupon_stock
    where owner_id = ${ownerId} and merchant_id = ${merchantId} and coupon_id = ${couponId}
    for no key update
  `)
  return row?.balance ?? 0
}

const ensureStock = (tx: Tx, { ownerId }: Scope, { projectCode, merchantId, couponId }: StockKey) =>
  tx.execute(sql`
    insert into merchant_coupon_stock (owner_id, project_code, merchant_id, coupon_id, balance)
    values (${ownerId}, ${projectCode}, ${merchantId}, ${couponId}, 0)
    on conflict do nothing
  `)

/** Moves a stock and writes it down, unless less than nothing would be left: then nothing is written. */
export async function tryMoveStock(tx: Tx, scope: Scope, move: StockMove): Promise<boolean> {
  const { projectCode, merchantId, couponId, type, qty, refNo } = move
  if (qty === 0) return true
  if (qty > 0) {
    await ensureStock(tx, scope, move)
  }
  const row = await tx.one<{ balance: number }>(sql`
    update merchant_coupon_stock
    set balance = balance + ${qty}::integer, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and merchant_id = ${merchantId}
      and coupon_id = ${couponId}
      and balance + ${qty}::integer >= 0
    returning balance
  `)
  if (!row) return false
  await insert(tx, merchantStockRecord, scope, {
    projectCode,
    merchantId,
    couponId,
    changeType: type,
    qty,
    balanceQty: row.balance,
    refNo,
    operatorName: scope.name,
  })
  return true
}

export async function moveStock(tx: Tx, scope: Scope, move: StockMove): Promise<void> {
  if (await tryMoveStock(tx, scope, move)) return
  const balance = await lockStock(tx, scope.ownerId, move)
  refuse(`停车券结余 ${balance} 张，需 ${-move.qty} 张，请先购券`)
}
