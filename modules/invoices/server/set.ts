import { codeOf } from '#kit/contract/field.ts'
import { Refused, code, refuse, wrong, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import { inProject, outside, type Scope } from '#kit/server/scope.ts'
import { byIds, insert, need, page, remove, rows, update, whole } from '#kit/server/table.ts'
import { goodOfItems } from '#modules/fees/server/public.ts'
import {
  addGood,
  addSet,
  deleteGoods,
  editGood,
  editSet,
  goodFilters,
  invoiceGood,
  invoiceSet,
  listGoods,
  listSets,
  oneGood,
  ownerSet,
  productList,
  type InvoiceGood,
  type InvoiceSet,
} from '../contract/set.ts'
import { prestoreMode } from '../contract/choices.ts'

uniqueSays({
  invoice_set_once: '这个范围已有开票设置，请修改它',
  invoice_good_name_live: '已有同名的开票商品',
  invoice_title_once: '这位缴费人已有相同的抬头',
})

/** The set that a project invoices by: its own, else the company's (nothing where neither is there). */
export async function setFor(
  db: Db,
  owner: number,
  project: string | undefined,
): Promise<InvoiceSet | undefined> {
  const row = await db.one<{ id: number }>(
    sql`
      select id
      from invoice_set
      where owner_id = ${owner}
        and delete_tag = 0
        and (estate_code is null or estate_code = ${project ?? ''})
      order by estate_code nulls last
      limit 1
    `,
  )
  return row && setById(db, owner, row.id)
}

export const setById = (db: Db, owner: number, id: number): Promise<InvoiceSet> =>
  need(db, invoiceSet, { ownerId: owner } as Scope, id) as Promise<InvoiceSet>

const keyed = async (db: Db, owner: number, list: readonly InvoiceSet[]): Promise<InvoiceSet[]> => {
  const has = new Set(
    (
      await db.rows<{ id: number }>(
        sql`select id from invoice_set where owner_id = ${owner} and run_secret is not null`,
      )
    ).map(r => r.id),
  )
  return list.map(s => ({ ...s, keyed: has.has(s.id) }))
}

const blank: InvoiceSet = {
  id: 0,
  companyName: '',
  taxNo: '',
  drawer: '',
  channel: 'manual',
  simulated: false,
  keyed: false,
  kinds: ['eNormal', 'eSpecial'],
  prestoreMode: 'deduct',
  refuseNextYear: true,
  paidUpOnly: false,
} as unknown as InvoiceSet

/** The whole company's set is for those who have the whole company. */
const reach = (scope: Scope, estate: string | undefined): void => {
  if (estate ? !inProject(scope.domain, estate) : !scope.domain.all) throw outside()
}

type Said = Omit<InvoiceSet, 'id' | 'version' | 'createTime' | 'updateTime' | 'keyed'> & {
  readonly secret?: string
}

function checked(d: Said, has: boolean): void {
  const faults: FieldFault[] = []
  if (!d.kinds.length) {
    faults.push({ Field: 'Kinds', Message: '请至少选择一个票种' })
  }
  if (d.channel === 'platform') {
    if (!d.kinds.some(k => k === 'eNormal' || k === 'eSpecial')) {
      faults.push({ Field: 'Kinds', Message: '开票平台只开电子发票，请选择电子票种' })
    }
    if (!d.simulated) {
      for (const [k, Field, Message] of [
        ['appKey', 'AppKey', '请填写平台应用号'],
        ['apiBase', 'ApiBase', '请填写平台地址'],
        ['notifyBase', 'NotifyBase', '请填写平台能访问到的本系统地址'],
      ] as const) {
        if (!d[k]) {
          faults.push({ Field, Message })
        }
      }
    }
    if (!d.simulated && !d.secret && !has) {
      faults.push({ Field: 'Secret', Message: '请填写平台密钥' })
    }
  }
  if (faults.length) throw wrong(faults)
}

/**
 * INV-2, never both: the other place of invoicing prestore may be chosen while nothing has been invoiced at
 * this one.
 */
async function modeMayChange(tx: Tx, owner: number, from: InvoiceSet['prestoreMode']): Promise<void> {
  const live = sql`i.owner_id = ${owner} and i.state not in (60, 70) and not i.is_red and i.delete_tag = 0`
  const used =
    from === 'topUp'
      ? await tx.one(
          sql`
            select 1 as x
            from invoice_part p
            join invoice_record i on i.owner_id = p.owner_id and i.id = p.invoice_id
            join pay_record r on r.owner_id = p.owner_id and r.id = p.record_id and r.income_amount = 0
            where p.owner_id = ${owner} and p.detail_id is null and p.red_amount < p.amount and ${live}
            limit 1
          `,
        )
      : await tx.one(
          sql`
            select 1 as x
            from invoice_part p
            join invoice_record i on i.owner_id = p.owner_id and i.id = p.invoice_id
            join pay_record r on r.owner_id = p.owner_id and r.id = p.record_id
            where p.owner_id = ${owner} and r.prestore_amount > 0 and p.red_amount < p.amount and ${live}
            limit 1
          `,
        )
  if (used)
    throw wrong([
      {
        Field: 'PrestoreMode',
        Message:
          from === 'topUp'
            ? '已有按充值开具的发票，改为开于冲抵会重复开票；请先红冲这些发票'
            : '已有按冲抵开具的发票，改为开于充值会重复开票；请先红冲这些发票',
      },
    ])
}

const saveSecret = (tx: Tx, owner: number, id: number, secret: string | undefined): Promise<unknown> =>
  secret
    ? tx.run(sql`update invoice_set set run_secret = ${secret} where owner_id = ${owner} and id = ${id}`)
    : Promise.resolve()

export const setHandlers = [
  reads(ownerSet, async ({ estateCode }, { db, scope }) => {
    const s = await setFor(db, scope.ownerId, estateCode ?? (scope.projectCode || undefined))
    return s ? (await keyed(db, scope.ownerId, [s]))[0]! : blank
  }),
  reads(listSets, async (_, { db, scope }) =>
    keyed(
      db,
      scope.ownerId,
      (await rows(db, invoiceSet, scope, {})).filter(
        s => !s.estateCode || inProject(scope.domain, s.estateCode),
      ),
    ),
  ),
  writes(addSet, async ({ id: _, version: __, secret, ...d }, { tx, scope }) => {
    reach(scope, d.estateCode)
    checked({ ...d, secret } as Said, false)
    const one = await tx.one<{ mode: number }>(
      sql`
        select prestore_mode as mode
        from invoice_set
        where owner_id = ${scope.ownerId} and delete_tag = 0
        limit 1
      `,
    )
    // One company, one place: the same payer's prestore may pay bills of several projects.
    if (one && one.mode !== codeOf(prestoreMode, d.prestoreMode))
      throw wrong([{ Field: 'PrestoreMode', Message: '预存开票要与公司其他开票设置一致' }])
    const made = await insert(tx, invoiceSet, scope, d)
    await saveSecret(tx, scope.ownerId, made.id, secret)
    return (await keyed(tx, scope.ownerId, [made]))[0]!
  }),
  writes(editSet, async ({ id, version, secret, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的开票设置')
    const before = await need(tx, invoiceSet, scope, id, true)
    const [b] = await keyed(tx, scope.ownerId, [before])
    reach(scope, before.estateCode)
    checked({ ...d, secret } as Said, b!.keyed ?? false)
    if (before.prestoreMode !== d.prestoreMode) {
      await modeMayChange(tx, scope.ownerId, before.prestoreMode)
      await tx.run(
        sql`
          update invoice_set
          set prestore_mode = ${codeOf(prestoreMode, d.prestoreMode)}, version = version + 1,
            update_time = now()
          where owner_id = ${scope.ownerId} and id <> ${id} and delete_tag = 0
        `,
      )
    }
    const after = await update(
      tx,
      invoiceSet,
      scope,
      id,
      { ...whole(editSet.input, d), secret: undefined, estateCode: before.estateCode },
      { version, reason: secret ? '更换密钥' : undefined },
    )
    await saveSecret(tx, scope.ownerId, id, secret)
    return (await keyed(tx, scope.ownerId, [after]))[0]!
  }),
]

/** Goods with the fee items that are invoiced as them. */
async function dressed(db: Db, owner: number, list: readonly InvoiceGood[]): Promise<InvoiceGood[]> {
  const items = list.length
    ? await db.rows<{ good: number; id: number; name: string }>(
        sql`
          select invoice_good_id as good, id, name
          from fee_item
          where owner_id = ${owner}
            and invoice_good_id = any(${list.map(g => g.id)}::int[])
            and delete_tag = 0
          order by sort, code
        `,
      )
    : []
  const by = Map.groupBy(items, i => i.good)
  return list.map(g => ({
    ...g,
    feeItemIds: (by.get(g.id) ?? []).map(i => String(i.id)),
    feeItemNames: (by.get(g.id) ?? []).map(i => i.name).join('、'),
  }))
}

const soundGood = (d: {
  readonly isNoTax: boolean
  readonly isDeposit?: boolean | undefined
  readonly taxRate: string
}): void => {
  if (d.isNoTax && d.isDeposit)
    throw wrong([{ Field: 'IsDeposit', Message: '押金转收入要征税，请另设一个商品' }])
  if (d.isNoTax && Number(d.taxRate) !== 0)
    throw wrong([{ Field: 'TaxRate', Message: '不征税商品的税率应为 0' }])
}

async function withItems(
  tx: Tx,
  scope: Scope,
  g: InvoiceGood,
  ids: readonly string[] | undefined,
): Promise<InvoiceGood> {
  if (ids) {
    const known = await tx.rows<{ id: number }>(
      sql`
        select id
        from fee_item
        where owner_id = ${scope.ownerId}
          and id = any(${ids.map(Number).filter(Number.isSafeInteger)}::bigint[])
          and delete_tag = 0
      `,
    )
    if (known.length !== new Set(ids).size)
      throw wrong([{ Field: 'FeeItemIDs', Message: '有收费项目已被删除，请重新选择' }])
    await goodOfItems(
      tx,
      scope.ownerId,
      g.id,
      known.map(i => i.id),
    )
  }
  return (await dressed(tx, scope.ownerId, [g]))[0]!
}

export const goodHandlers = [
  reads(listGoods, async (q, { db, scope }) => {
    const found = await page(db, invoiceGood, scope, q, { filters: goodFilters })
    return { ...found, rows: await dressed(db, scope.ownerId, found.rows) }
  }),
  reads(
    oneGood,
    async ({ id }, { db, scope }) =>
      (await dressed(db, scope.ownerId, [await need(db, invoiceGood, scope, id)]))[0]!,
  ),
  reads(productList, async (_, { db, scope }) =>
    dressed(db, scope.ownerId, await rows(db, invoiceGood, scope, {}, { where: [sql`t.state = 1`] })),
  ),
  writes(addGood, async ({ id: _, version: __, feeItemIds, ...d }, { tx, scope }) => {
    soundGood(d)
    return withItems(tx, scope, await insert(tx, invoiceGood, scope, d), feeItemIds)
  }),
  writes(editGood, async ({ id, version, feeItemIds, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的开票商品')
    soundGood(d)
    return withItems(
      tx,
      scope,
      await update(
        tx,
        invoiceGood,
        scope,
        id,
        { ...whole(editGood.input, d), feeItemIds: undefined },
        { version },
      ),
      feeItemIds ?? [],
    )
  }),
  writes(deleteGoods, async ({ ids, reason }, { tx, scope }) => {
    for (const g of await dressed(tx, scope.ownerId, await byIds(tx, invoiceGood, scope, ids, true))) {
      await mayGo(tx, scope, 'invoiceGood', `开票商品「${g.goodName}」`, [g])
      if (g.feeItemNames)
        throw new Refused(
          code.refused,
          `「${g.goodName}」还对应着收费项目 ${g.feeItemNames}，请先改为别的商品`,
        )
    }
    await remove(tx, invoiceGood, scope, ids, reason)
  }),
]
