import { refuse, wrong, type FieldFault } from '#kit/contract/wire.ts'
import { searchTextOf } from '#kit/domain/spell.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { holds, mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes, type Writing } from '#kit/server/handle.ts'
import { pictureFault } from '#kit/server/picture.ts'
import { unveiled, veil, veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { byIds, insert, need, page, remove, rows, update, whole } from '#kit/server/table.ts'
import { maskedMark } from '#modules/residents/contract/words.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { panelSection, roomMoved } from '#modules/rooms/server/public.ts'
import {
  addMerchant,
  allMerchants,
  deleteMerchants,
  deleteMerchantStaff,
  editMerchant,
  listMerchants,
  listMerchantStaff,
  merchant,
  merchantFilters,
  merchantsByName,
  merchantStaff,
  merchantState,
  oneMerchant,
  saveMerchantStaff,
  type Merchant,
} from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { SectionLine } from '#modules/rooms/contract/board.ts'

uniqueSays({
  merchant_no_live: '该项目已有此商户号',
  merchant_name_live: '该项目已有同名商家',
  merchant_login_live: '该登录账号已被另一商家使用',
  merchant_staff_mobile: '该手机号已是本商家的员工',
})

export const searchOf = (m: Pick<Merchant, 'name' | 'merchantNo' | 'contactName' | 'contactPhone'>): string =>
  searchTextOf([m.name, m.contactName], [m.merchantNo?.toLowerCase(), m.contactPhone])

const keepSearch = (tx: Tx, owner: number, m: Merchant): Promise<number> =>
  tx.run(sql`update merchant set search_text = ${searchOf(m)} where owner_id = ${owner} and id = ${m.id}`)

export type Ask = NonNullable<typeof listMerchants.input.T>

export const merchantWhere = (q: Ask) => [
  ...(q.roomId === undefined ? [] : [sql`t.room_id = ${q.roomId}`]),
  ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
  ...(q.keyword ? [soughtBy(q.keyword)] : []),
]

export const plain = ({ keyword: _, roomId: __, ids: ___, ...q }: Ask) => q

/** The building goes along with the shop. */
async function checked(
  d: Partial<Merchant>,
  projectCode: string,
  { tx, scope, world }: Writing,
  before?: Merchant,
): Promise<{ buildCode: string | undefined }> {
  const faults: FieldFault[] =
    d.license === before?.license
      ? []
      : await pictureFault(world.files, scope.ownerId, d.license, 'LicenseUrl', '执照')
  if (d.contactPhone && maskedMark.test(d.contactPhone)) {
    faults.push({ Field: 'ContactPhone', Message: '电话含有星号，请填写完整的号码' })
  }
  const r = d.roomId ? (await byIds(tx, room, scope, [d.roomId], true))[0] : undefined
  if (d.roomId && !r) {
    faults.push({ Field: 'RoomID', Message: '商铺不存在或已被删除，请重新选择' })
  } else if (r && r.projectCode !== projectCode) {
    faults.push({ Field: 'RoomID', Message: `「${r.path}」不属于所选项目，请重新选择` })
  }
  if (faults.length) throw wrong(faults)
  return { buildCode: r?.buildCode }
}

const seen = (scope: Scope) => (all: readonly Merchant[]) => veiled(merchant.fields, all, scope)

holds('merchant', async (tx, scope, [m]) => {
  const n = await tx.one<{ staff: number }>(
    sql`
      select count(*)::int as staff
      from merchant_staff
      where owner_id = ${scope.ownerId} and merchant_id = ${m.id} and delete_tag = 0
    `,
  )
  return [
    { what: '员工', count: n!.staff },
    { what: '未结清的余额', count: m.balance === 0 ? 0 : 1 },
  ]
})

holds('room', async (tx, scope, [r]) => [
  {
    what: '商家',
    count: (await tx.one<{ n: number }>(
      sql`
        select count(*)::int as n
        from merchant
        where owner_id = ${scope.ownerId} and room_id = ${r.id} and delete_tag = 0 and state <> 30
      `,
    ))!.n,
  },
])

roomMoved(async (tx, scope, r) => {
  await tx.run(
    sql`
      update merchant
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
})

panelSection({
  key: 'merchants',
  order: 160,
  needs: menu.merchant.may.view,
  load: async ({ db, scope, room: r }) => {
    const found = await rows(db, merchant, scope, {}, { where: [sql`t.room_id = ${r.id}`] })
    return found.length
      ? {
          title: '商家',
          count: found.length,
          lines: found.map((m): SectionLine => ({
            label: m.name,
            value: labelOf(merchantState, m.state),
            ...(m.category ? { note: m.category } : {}),
            to: `/customer/merchantlist/merchantdetail?id=${m.id}`,
            tone: m.state === 'open' ? 'done' : 'off',
          })),
        }
      : undefined
  },
})

export const merchantHandlers = [
  reads(listMerchants, async (q, { db, scope }) => {
    const found = await page(db, merchant, scope, plain(q), {
      filters: merchantFilters,
      where: merchantWhere(q),
      sums: listMerchants.output.sums!,
    })
    return { ...found, rows: seen(scope)(found.rows) }
  }),
  reads(allMerchants, async ({ projectCode }, { db, scope }) =>
    seen(scope)(
      await rows(db, merchant, scope, projectCode ? { projectCode } : {}, { where: [sql`t.state = 10`] }),
    ),
  ),
  reads(merchantsByName, async ({ name, projectCode }, { db, scope }) =>
    seen(scope)(
      await rows(db, merchant, scope, projectCode ? { projectCode } : {}, {
        where: [sql`t.state <> 30`, soughtBy(name)],
        limit: 50,
      }),
    ),
  ),
  reads(oneMerchant, async ({ id }, { db, scope }) =>
    veil(merchant.fields, await need(db, merchant, scope, id), scope),
  ),
  writes(addMerchant, async ({ id: _, version: __, ...d }, c) => {
    const at = await checked(d, d.projectCode, c)
    const made = await insert(c.tx, merchant, c.scope, {
      ...d,
      ...at,
      merchantNo:
        d.merchantNo ?? (await c.tx.one<{ code: string }>(sql`select next_code('SH') as code`))!.code,
      creditLimit: d.creditLimit ?? 0,
      balance: 0,
    })
    await keepSearch(c.tx, c.scope.ownerId, made)
    return veil(merchant.fields, made, c.scope)
  }),
  writes(editMerchant, async ({ id, version, ...said }, c) => {
    if (!id) return refuse('缺少要修改的商家')
    const before = await need(c.tx, merchant, c.scope, id, true)
    const d = unveiled(merchant.fields, said, before, c.scope)
    const at = await checked(d, before.projectCode, c, before)
    const after = await update(
      c.tx,
      merchant,
      c.scope,
      id,
      {
        ...whole(editMerchant.input, d),
        ...at,
        projectCode: before.projectCode,
        merchantNo: before.merchantNo,
      },
      { version },
    )
    await keepSearch(c.tx, c.scope.ownerId, after)
    return veil(merchant.fields, after, c.scope)
  }),
  writes(deleteMerchants, async ({ ids, reason }, { tx, scope }) => {
    for (const m of await byIds(tx, merchant, scope, ids, true)) {
      await mayGo(tx, scope, 'merchant', `商家「${m.name}」`, [m])
    }
    await remove(tx, merchant, scope, ids, reason)
  }),
  reads(listMerchantStaff, async (q, { db, scope }) => {
    const found = await page(db, merchantStaff, scope, q, { filters: listMerchantStaff.input.filters! })
    return { ...found, rows: veiled(merchantStaff.fields, found.rows, scope) }
  }),
  writes(saveMerchantStaff, async ({ id, version, ...said }, { tx, scope }) => {
    const before = id ? await need(tx, merchantStaff, scope, id, true) : undefined
    const d = before ? unveiled(merchantStaff.fields, said, before, scope) : said
    if (d.mobile && maskedMark.test(d.mobile))
      throw wrong([{ Field: 'Mobile', Message: '手机号含有星号，请填写完整的号码' }])
    const m = await need(tx, merchant, scope, before?.merchantId ?? d.merchantId, true)
    if (m.state === 'ended') return refuse(`商家「${m.name}」已注销，不能维护员工`)
    const value = { ...d, projectCode: m.projectCode, merchantId: m.id }
    return veil(
      merchantStaff.fields,
      before
        ? await update(
            tx,
            merchantStaff,
            scope,
            id!,
            { ...whole(saveMerchantStaff.input, value) },
            { version },
          )
        : await insert(tx, merchantStaff, scope, value),
      scope,
    )
  }),
  writes(deleteMerchantStaff, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, merchantStaff, scope, ids, reason)
  }),
]
