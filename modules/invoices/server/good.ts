import { parseId, type Id } from '#kit/domain/id.ts'
import { Refused, invalidInput, refuse, resultCode } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  findAll,
  findByIds,
  findPage,
  insert,
  remove,
  requireById,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { assignInvoiceGood } from '#modules/fees/server/public.ts'
import { goodState } from '../contract/choices.ts'
import {
  addGood,
  deleteGoods,
  editGood,
  getGood,
  goodFilters,
  invoiceGood,
  listGoods,
  listUsableGoods,
  type InvoiceGood,
} from '../contract/setting.ts'

/** Goods with the fee items that are invoiced as them. */
async function withFeeItems(db: Db, ownerId: Id, goods: readonly InvoiceGood[]): Promise<InvoiceGood[]> {
  const feeItems = goods.length
    ? await db.rows<{ goodId: Id; id: Id; name: string }>(
        sql`
          select invoice_good_id as good_id, id, name
          from fee_item
          where owner_id = ${ownerId}
            and invoice_good_id = any(${goods.map(good => good.id)}::int[])
            and ${notDeleted()}
          order by sort, code
        `,
      )
    : []
  const feeItemsByGood = Map.groupBy(feeItems, item => item.goodId)
  return goods.map(good => ({
    ...good,
    feeItemIds: (feeItemsByGood.get(good.id) ?? []).map(item => String(item.id)),
    feeItemNames: (feeItemsByGood.get(good.id) ?? []).map(item => item.name).join('、'),
  }))
}

const withOwnFeeItems = async (db: Db, ownerId: Id, good: InvoiceGood): Promise<InvoiceGood> =>
  defined((await withFeeItems(db, ownerId, [good]))[0])

function assertGoodValid(good: {
  readonly isNoTax: boolean
  readonly isDeposit?: boolean | undefined
  readonly taxRate: string
}): void {
  if (good.isNoTax && good.isDeposit)
    throw invalidInput([{ Field: 'IsDeposit', Message: '押金转收入要征税，请新增一个商品' }])
  if (good.isNoTax && Number(good.taxRate) !== 0)
    throw invalidInput([{ Field: 'TaxRate', Message: '不征税商品的税率应为 0' }])
}

async function assignFeeItems(
  tx: Tx,
  scope: Scope,
  goodId: Id,
  feeItemIds: readonly string[],
): Promise<void> {
  const found = await tx.rows<{ id: Id }>(
    sql`
      select id
      from fee_item
      where owner_id = ${scope.ownerId}
        and id = any(${feeItemIds.map(parseId)}::bigint[])
        and ${notDeleted()}
    `,
  )
  if (found.length !== new Set(feeItemIds).size)
    throw invalidInput([{ Field: 'FeeItemIDs', Message: '有收费项目已被删除，请重新选择' }])
  const ids = found.map(item => item.id)
  await assignInvoiceGood(tx, scope, goodId, ids)
}

const listGoodsHandler = reads(listGoods, async (query, { db, scope }) => {
  const page = await findPage(db, invoiceGood, scope, query, { filters: goodFilters })
  return { ...page, rows: await withFeeItems(db, scope.ownerId, page.rows) }
})

const getGoodHandler = reads(getGood, async ({ id }, { db, scope }) =>
  withOwnFeeItems(db, scope.ownerId, await requireById(db, invoiceGood, scope, id)),
)

const listUsableGoodsHandler = reads(listUsableGoods, async (_, { db, scope }) => {
  const where = [sql`t.state = ${code(goodState, 'on')}`]
  return withFeeItems(db, scope.ownerId, await findAll(db, invoiceGood, scope, {}, { where }))
})

const addGoodHandler = writes(
  addGood,
  async ({ id: _id, version: _version, feeItemIds, ...values }, { tx, scope }) => {
    assertGoodValid(values)
    const good = await insert(tx, invoiceGood, scope, values)
    if (feeItemIds) {
      await assignFeeItems(tx, scope, good.id, feeItemIds)
    }
    return withOwnFeeItems(tx, scope.ownerId, good)
  },
)

const editGoodHandler = writes(editGood, async ({ id, version, feeItemIds, ...values }, { tx, scope }) => {
  if (!id) return refuse('缺少要修改的开票商品')
  assertGoodValid(values)
  const stored = { ...withAllFields(editGood.input, values), feeItemIds: undefined }
  const good = await update(tx, invoiceGood, scope, id, stored, { version })
  await assignFeeItems(tx, scope, id, feeItemIds ?? [])
  return withOwnFeeItems(tx, scope.ownerId, good)
})

const deleteGoodsHandler = writes(deleteGoods, async ({ ids, reason }, { tx, scope }) => {
  const goods = await findByIds(tx, invoiceGood, scope, ids, { lock: true })
  for (const good of await withFeeItems(tx, scope.ownerId, goods)) {
    await assertDeletable(tx, scope, 'invoiceGood', `开票商品「${good.goodName}」`, [good])
    if (good.feeItemNames)
      throw new Refused(
        resultCode.refused,
        `「${good.goodName}」还对应着收费项目 ${good.feeItemNames}，请先改为其他商品`,
      )
  }
  await remove(tx, invoiceGood, scope, ids, reason)
})

export const goodHandlers = [
  listGoodsHandler,
  getGoodHandler,
  listUsableGoodsHandler,
  addGoodHandler,
  editGoodHandler,
  deleteGoodsHandler,
]
