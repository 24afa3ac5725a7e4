import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { code, codes, live } from '#kit/server/sql.ts'
import { assignInvoiceGood } from '#modules/fees/server/public.ts'
import {
  addGood,
  addSetting,
  deleteGoods,
  editGood,
  editSetting,
  goodFilters,
  invoiceGood,
  invoiceSetting,
  listGoods,
  listSettings,
  getGood,
  getOwnerSetting,
  listUsableGoods,
  type InvoiceGood,
  type InvoiceSetting,
} from '../contract/setting.ts'
import { prestoreMode, invoiceState, goodState } from '../contract/choices.ts'

uniqueMessages({
  invoice_set_once: '这个范围已有开票设置，请修改它',
  invoice_good_name_live: '已有同名的开票商品',
  invoice_title_once: '这位缴费人已有相同的抬头',
})

/** The set that a project invoices by: its own, else the company's (nothing where neither is there). */
export async function findSetting(
  db: Db,
  owner: number,
  project: string | undefined,
): Promise<InvoiceSetting | undefined> {
  const row = await db.one<{ id: number }>(
    sql`
      select id
      from invoice_set
      where owner_id = ${owner}
        and ${live()}
        and (estate_code is null or estate_code = ${project ?? ''})
      order by estate_code nulls last
      limit 1
    `,
  )
  return row && getSetting(db, owner, row.id)
}

export const getSetting = (db: Db, owner: number, id: number): Promise<InvoiceSetting> =>
  requireById(db, invoiceSetting, { ownerId: owner } as Scope, id)

const withKeyed = async (
  db: Db,
  owner: number,
  list: readonly InvoiceSetting[],
): Promise<InvoiceSetting[]> => {
  const has = new Set(
    (
      await db.rows<{ id: number }>(
        sql`select id from invoice_set where owner_id = ${owner} and run_secret is not null`,
      )
    ).map(r => r.id),
  )
  return list.map(s => ({ ...s, keyed: has.has(s.id) }))
}

const blankSetting: InvoiceSetting = {
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
} as unknown as InvoiceSetting

/** The whole company's set is for those who have the whole company. */
const requireReach = (scope: Scope, estate: string | undefined): void => {
  if (estate ? !hasProject(scope.domain, estate) : !scope.domain.all) throw outOfDomain()
}

type SettingInput = Omit<InvoiceSetting, 'id' | 'version' | 'createTime' | 'updateTime' | 'keyed'> & {
  readonly secret?: string
}

function assertSettingValid(d: SettingInput, has: boolean): void {
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
  if (faults.length) throw invalidInput(faults)
}

/**
 * INV-2, never both: the other place of invoicing prestore may be chosen while nothing has been invoiced at
 * this one.
 */
async function requireModeChangeable(
  tx: Tx,
  owner: number,
  from: InvoiceSetting['prestoreMode'],
): Promise<void> {
  const issued = sql`i.owner_id = ${owner}
    and i.state not in ${codes(invoiceState, 'red', 'cancelled')}
    and not i.is_red
    and ${live('i')}`
  const used =
    from === 'topUp'
      ? await tx.one(
          sql`
            select 1 as x
            from invoice_part p
            join invoice_record i on i.owner_id = ${owner} and i.id = p.invoice_id
            join pay_record r on r.owner_id = ${owner} and r.id = p.record_id and r.income_amount = 0
            where p.owner_id = ${owner} and p.detail_id is null and p.red_amount < p.amount and ${issued}
            limit 1
          `,
        )
      : await tx.one(
          sql`
            select 1 as x
            from invoice_part p
            join invoice_record i on i.owner_id = ${owner} and i.id = p.invoice_id
            join pay_record r on r.owner_id = ${owner} and r.id = p.record_id
            where p.owner_id = ${owner} and r.prestore_amount > 0 and p.red_amount < p.amount and ${issued}
            limit 1
          `,
        )
  if (used)
    throw invalidInput([
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
    ? tx.execute(sql`update invoice_set set run_secret = ${secret} where owner_id = ${owner} and id = ${id}`)
    : Promise.resolve()

export const settingHandlers = [
  reads(getOwnerSetting, async ({ estateCode }, { db, scope }) => {
    const s = await findSetting(db, scope.ownerId, estateCode ?? (scope.projectCode || undefined))
    return s ? defined((await withKeyed(db, scope.ownerId, [s]))[0]) : blankSetting
  }),
  reads(listSettings, async (_, { db, scope }) =>
    withKeyed(
      db,
      scope.ownerId,
      (await findAll(db, invoiceSetting, scope, {})).filter(
        s => !s.estateCode || hasProject(scope.domain, s.estateCode),
      ),
    ),
  ),
  writes(addSetting, async ({ id: _, version: __, secret, ...d }, { tx, scope }) => {
    requireReach(scope, d.estateCode)
    assertSettingValid({ ...d, secret }, false)
    const one = await tx.one<{ mode: number }>(
      sql`
        select prestore_mode as mode
        from invoice_set
        where owner_id = ${scope.ownerId} and ${live()}
        limit 1
      `,
    )
    // One company, one place: the same payer's prestore may pay bills of several projects.
    if (one && one.mode !== codeOf(prestoreMode, d.prestoreMode))
      throw invalidInput([{ Field: 'PrestoreMode', Message: '预存开票要与公司其他开票设置一致' }])
    const made = await insert(tx, invoiceSetting, scope, d)
    await saveSecret(tx, scope.ownerId, made.id, secret)
    return defined((await withKeyed(tx, scope.ownerId, [made]))[0])
  }),
  writes(editSetting, async ({ id, version, secret, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的开票设置')
    const before = await requireById(tx, invoiceSetting, scope, id, true)
    const [b] = await withKeyed(tx, scope.ownerId, [before])
    requireReach(scope, before.estateCode)
    assertSettingValid({ ...d, secret }, defined(b).keyed ?? false)
    if (before.prestoreMode !== d.prestoreMode) {
      await requireModeChangeable(tx, scope.ownerId, before.prestoreMode)
      await tx.execute(
        sql`
          update invoice_set
          set prestore_mode = ${codeOf(prestoreMode, d.prestoreMode)}, version = version + 1,
            update_time = ${scope.time}::timestamptz
          where owner_id = ${scope.ownerId} and id <> ${id} and ${live()}
        `,
      )
    }
    const after = await update(
      tx,
      invoiceSetting,
      scope,
      id,
      { ...withAllFields(editSetting.input, d), estateCode: before.estateCode },
      { version, reason: secret ? '更换密钥' : undefined },
    )
    await saveSecret(tx, scope.ownerId, id, secret)
    return defined((await withKeyed(tx, scope.ownerId, [after]))[0])
  }),
]

/** Goods with the fee items that are invoiced as them. */
async function withFeeItems(db: Db, owner: number, list: readonly InvoiceGood[]): Promise<InvoiceGood[]> {
  const items = list.length
    ? await db.rows<{ good: number; id: number; name: string }>(
        sql`
          select invoice_good_id as good, id, name
          from fee_item
          where owner_id = ${owner}
            and invoice_good_id = any(${list.map(g => g.id)}::int[])
            and ${live()}
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

const assertGoodValid = (d: {
  readonly isNoTax: boolean
  readonly isDeposit?: boolean | undefined
  readonly taxRate: string
}): void => {
  if (d.isNoTax && d.isDeposit)
    throw invalidInput([{ Field: 'IsDeposit', Message: '押金转收入要征税，请另设一个商品' }])
  if (d.isNoTax && Number(d.taxRate) !== 0)
    throw invalidInput([{ Field: 'TaxRate', Message: '不征税商品的税率应为 0' }])
}

async function saveFeeItems(
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
          and ${live()}
      `,
    )
    if (known.length !== new Set(ids).size)
      throw invalidInput([{ Field: 'FeeItemIDs', Message: '有收费项目已被删除，请重新选择' }])
    await assignInvoiceGood(
      tx,
      scope,
      g.id,
      known.map(i => i.id),
    )
  }
  return defined((await withFeeItems(tx, scope.ownerId, [g]))[0])
}

export const goodHandlers = [
  reads(listGoods, async (q, { db, scope }) => {
    const found = await findPage(db, invoiceGood, scope, q, { filters: goodFilters })
    return { ...found, rows: await withFeeItems(db, scope.ownerId, found.rows) }
  }),
  reads(getGood, async ({ id }, { db, scope }) =>
    defined((await withFeeItems(db, scope.ownerId, [await requireById(db, invoiceGood, scope, id)]))[0]),
  ),
  reads(listUsableGoods, async (_, { db, scope }) =>
    withFeeItems(
      db,
      scope.ownerId,
      await findAll(db, invoiceGood, scope, {}, { where: [sql`t.state = ${code(goodState, 'on')}`] }),
    ),
  ),
  writes(addGood, async ({ id: _, version: __, feeItemIds, ...d }, { tx, scope }) => {
    assertGoodValid(d)
    return saveFeeItems(tx, scope, await insert(tx, invoiceGood, scope, d), feeItemIds)
  }),
  writes(editGood, async ({ id, version, feeItemIds, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的开票商品')
    assertGoodValid(d)
    return saveFeeItems(
      tx,
      scope,
      await update(
        tx,
        invoiceGood,
        scope,
        id,
        { ...withAllFields(editGood.input, d), feeItemIds: undefined },
        { version },
      ),
      feeItemIds ?? [],
    )
  }),
  writes(deleteGoods, async ({ ids, reason }, { tx, scope }) => {
    for (const g of await withFeeItems(
      tx,
      scope.ownerId,
      await findByIds(tx, invoiceGood, scope, ids, true),
    )) {
      await assertDeletable(tx, scope, 'invoiceGood', `开票商品「${g.goodName}」`, [g])
      if (g.feeItemNames)
        throw new Refused(
          resultCode.refused,
          `「${g.goodName}」还对应着收费项目 ${g.feeItemNames}，请先改为别的商品`,
        )
    }
    await remove(tx, invoiceGood, scope, ids, reason)
  }),
]
