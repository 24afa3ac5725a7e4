import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { registerDependents, assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { restoreMasked, mask, maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
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
import { live } from '#kit/server/sql.ts'
import { maskedPattern } from '#modules/residents/contract/labels.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { registerRoomPanelSection, onRoomMoved } from '#modules/rooms/server/public.ts'
import {
  addMerchant,
  listOpenMerchants,
  deleteMerchants,
  deleteMerchantStaff,
  editMerchant,
  listMerchants,
  listMerchantStaff,
  merchant,
  merchantFilters,
  findMerchantsByName,
  merchantStaff,
  merchantState,
  getMerchant,
  saveMerchantStaff,
  type Merchant,
} from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'

uniqueMessages({
  merchant_no_live: '该项目已有此商户号',
  merchant_name_live: '该项目已有同名商家',
  merchant_login_live: '该登录账号已被另一商家使用',
  merchant_staff_mobile: '该手机号已是本商家的员工',
})

export const merchantSearchText = (
  m: Pick<Merchant, 'name' | 'merchantNo' | 'contactName' | 'contactPhone'>,
): string => buildSearchText([m.name, m.contactName], [m.merchantNo?.toLowerCase(), m.contactPhone])

const saveMerchantSearchText = (tx: Tx, owner: number, m: Merchant): Promise<number> =>
  tx.execute(
    sql`update merchant set search_text = ${merchantSearchText(m)} where owner_id = ${owner} and id = ${m.id}`,
  )

export type MerchantListQuery = NonNullable<typeof listMerchants.input.T>

export const merchantListFilters = (q: MerchantListQuery) => [
  ...(q.roomId === undefined ? [] : [sql`t.room_id = ${q.roomId}`]),
  ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
  ...(q.keyword ? [matchesSearchText(q.keyword)] : []),
]

export const plainFilters = ({ keyword: _, roomId: __, ids: ___, ...q }: MerchantListQuery) => q

/** The building goes along with the shop. */
async function resolveShop(
  d: Partial<Merchant>,
  projectCode: string,
  { tx, scope, app }: WriteContext,
  before?: Merchant,
): Promise<{ buildCode: string | undefined }> {
  const faults: FieldFault[] =
    d.license === before?.license
      ? []
      : await checkPicture(app.files, scope.ownerId, d.license, 'LicenseUrl', '执照')
  if (d.contactPhone && maskedPattern.test(d.contactPhone)) {
    faults.push({ Field: 'ContactPhone', Message: '电话含有星号，请填写完整的号码' })
  }
  const r = d.roomId ? (await findByIds(tx, room, scope, [d.roomId], true))[0] : undefined
  if (d.roomId && !r) {
    faults.push({ Field: 'RoomID', Message: '商铺不存在或已被删除，请重新选择' })
  } else if (r && r.projectCode !== projectCode) {
    faults.push({ Field: 'RoomID', Message: `「${r.path}」不属于所选项目，请重新选择` })
  }
  if (faults.length) throw invalidInput(faults)
  return { buildCode: r?.buildCode }
}

const maskMerchants = (scope: Scope) => (all: readonly Merchant[]) => maskRows(merchant.fields, all, scope)

registerDependents('merchant', async (tx, scope, [m]) => {
  const n = await tx.one<{ staff: number }>(
    sql`
      select count(*)::int as staff
      from merchant_staff
      where owner_id = ${scope.ownerId} and merchant_id = ${m.id} and ${live()}
    `,
  )
  return [
    { what: '员工', count: n!.staff },
    { what: '未结清的余额', count: m.balance === 0 ? 0 : 1 },
  ]
})

registerDependents('room', async (tx, scope, [r]) => [
  {
    what: '商家',
    count: (await tx.one<{ n: number }>(
      sql`
        select count(*)::int as n
        from merchant
        where owner_id = ${scope.ownerId} and room_id = ${r.id} and ${live()} and state <> 30
      `,
    ))!.n,
  },
])

onRoomMoved(async (tx, scope, r) => {
  await tx.execute(
    sql`
      update merchant
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
})

registerRoomPanelSection({
  key: 'merchants',
  order: 160,
  needs: menu.merchant.permissions.view,
  load: async ({ db, scope, room: r }) => {
    const found = await findAll(db, merchant, scope, {}, { where: [sql`t.room_id = ${r.id}`] })
    return found.length
      ? {
          title: '商家',
          count: found.length,
          lines: found.map((m): PanelSectionLine => ({
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
    const found = await findPage(db, merchant, scope, plainFilters(q), {
      filters: merchantFilters,
      where: merchantListFilters(q),
      sums: listMerchants.output.sums!,
    })
    return { ...found, rows: maskMerchants(scope)(found.rows) }
  }),
  reads(listOpenMerchants, async ({ projectCode }, { db, scope }) =>
    maskMerchants(scope)(
      await findAll(db, merchant, scope, projectCode ? { projectCode } : {}, { where: [sql`t.state = 10`] }),
    ),
  ),
  reads(findMerchantsByName, async ({ name, projectCode }, { db, scope }) =>
    maskMerchants(scope)(
      await findAll(db, merchant, scope, projectCode ? { projectCode } : {}, {
        where: [sql`t.state <> 30`, matchesSearchText(name)],
        limit: 50,
      }),
    ),
  ),
  reads(getMerchant, async ({ id }, { db, scope }) =>
    mask(merchant.fields, await requireById(db, merchant, scope, id), scope),
  ),
  writes(addMerchant, async ({ id: _, version: __, ...d }, c) => {
    const at = await resolveShop(d, d.projectCode, c)
    const made = await insert(c.tx, merchant, c.scope, {
      ...d,
      ...at,
      merchantNo:
        d.merchantNo ?? (await c.tx.one<{ code: string }>(sql`select next_code('SH') as code`))!.code,
      creditLimit: d.creditLimit ?? 0,
      balance: 0,
    })
    await saveMerchantSearchText(c.tx, c.scope.ownerId, made)
    return mask(merchant.fields, made, c.scope)
  }),
  writes(editMerchant, async ({ id, version, ...said }, c) => {
    if (!id) return refuse('缺少要修改的商家')
    const before = await requireById(c.tx, merchant, c.scope, id, true)
    const d = restoreMasked(merchant.fields, said, before, c.scope)
    const at = await resolveShop(d, before.projectCode, c, before)
    const after = await update(
      c.tx,
      merchant,
      c.scope,
      id,
      {
        ...withAllFields(editMerchant.input, d),
        ...at,
        projectCode: before.projectCode,
        merchantNo: before.merchantNo,
      },
      { version },
    )
    await saveMerchantSearchText(c.tx, c.scope.ownerId, after)
    return mask(merchant.fields, after, c.scope)
  }),
  writes(deleteMerchants, async ({ ids, reason }, { tx, scope }) => {
    for (const m of await findByIds(tx, merchant, scope, ids, true)) {
      await assertDeletable(tx, scope, 'merchant', `商家「${m.name}」`, [m])
    }
    await remove(tx, merchant, scope, ids, reason)
  }),
  reads(listMerchantStaff, async (q, { db, scope }) => {
    const found = await findPage(db, merchantStaff, scope, q, { filters: listMerchantStaff.input.filters! })
    return { ...found, rows: maskRows(merchantStaff.fields, found.rows, scope) }
  }),
  writes(saveMerchantStaff, async ({ id, version, ...said }, { tx, scope }) => {
    const before = id ? await requireById(tx, merchantStaff, scope, id, true) : undefined
    const d = before ? restoreMasked(merchantStaff.fields, said, before, scope) : said
    if (d.mobile && maskedPattern.test(d.mobile))
      throw invalidInput([{ Field: 'Mobile', Message: '手机号含有星号，请填写完整的号码' }])
    const m = await requireById(tx, merchant, scope, before?.merchantId ?? d.merchantId, true)
    if (m.state === 'ended') return refuse(`商家「${m.name}」已注销，不能维护员工`)
    const value = { ...d, projectCode: m.projectCode, merchantId: m.id }
    return mask(
      merchantStaff.fields,
      before
        ? await update(
            tx,
            merchantStaff,
            scope,
            id!,
            { ...withAllFields(saveMerchantStaff.input, value) },
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
