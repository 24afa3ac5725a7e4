import { refuse } from '#kit/contract/wire.ts'
import { canNamePlaces } from '#kit/domain/address.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type ServerModule, type WriteContext } from '#kit/server/handler.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import {
  exportMerchants,
  findMerchantsByName,
  listOpenMerchants,
  merchant,
  merchants,
  pickMerchants,
  merchantStaffs,
  merchantState,
  type Merchant,
  type MerchantStaff,
} from '../contract/merchant.ts'
import {
  endMerchantSessions,
  endStaffSessions,
  removeMerchantAccounts,
  removeStaffAccounts,
  renameMerchantAccount,
  renameStaffAccount,
} from './account.ts'
import { merchantImport } from './merchant-import.ts'

type MerchantDraft = Partial<Merchant>

const shopOf = async (draft: MerchantDraft, { tx, scope }: WriteContext) =>
  draft.roomId ? (await findByIds(tx, room, scope, [draft.roomId], { lock: true }))[0] : undefined

/** The building goes along with the shop. */
const buildingOfShop = async (draft: MerchantDraft, c: WriteContext) => ({
  buildCode: (await shopOf(draft, c))?.buildCode,
})

export const merchantServer = crudHandlers(merchants, {
  codes: { merchantNo: 'SH' },
  searchText: { names: ['name', 'contactName'], codes: ['merchantNo', 'contactPhone'] },
  pictures: ['license'],
  unique: {
    merchant_no_live: '该项目已有此商户号',
    merchant_name_live: '该项目已有同名商户',
    merchant_login_live: '该登录账号已被另一商户使用',
  },
  // By the shop that it has, too.
  keyword: (word, { scope: { ownerId } }) =>
    canNamePlaces(word)
      ? sql`(${matchesSearchText(word)} or t.room_id in (${roomIdsByKeyword(ownerId, word)}))`
      : matchesSearchText(word),
  filter: q => (q.roomId === undefined ? [] : [sql`t.room_id = ${q.roomId}`]),
  beforeInsert: buildingOfShop,
  beforeUpdate: buildingOfShop,
  afterUpdate: async (row, c, before) => {
    await renameMerchantAccount(c, row, before)
    await endMerchantSessions(c, row)
  },
  afterDelete: (rows, c) =>
    removeMerchantAccounts(
      c,
      rows.map(({ id }) => id),
    ),
  import: merchantImport,
  export: exportMerchants,
  pickers: [pickMerchants],
})

/** Who works in a shop: as long as it has not ended. */
export const merchantStaffServer = crudHandlers(merchantStaffs, {
  unique: { merchant_staff_mobile: '该手机号已是本商户的员工' },
  references: { merchantId: { unchecked: 'openShop locks the shop and takes its project' } },
  beforeInsert: openShop,
  beforeUpdate: (_, c, before) => openShop(before, c),
  afterUpdate: async (row, c, before) => {
    await renameStaffAccount(c, row, before)
    if (row.state === 'off') {
      await endStaffSessions(c, row.id)
    }
  },
  afterDelete: (rows, c) =>
    removeStaffAccounts(
      c,
      rows.map(({ id }) => id),
    ),
})

async function openShop(of: Pick<MerchantStaff, 'merchantId'>, { tx, scope }: WriteContext): Promise<object> {
  const m = await requireById(tx, merchant, scope, of.merchantId, { lock: true })
  if (m.state === 'ended') return refuse(`商户「${m.name}」已注销，不能维护员工`)
  return { projectCode: m.projectCode, merchantId: m.id }
}

export const merchantPickers: ServerModule = {
  handlers: [
    reads(listOpenMerchants, (project, { db, scope }) =>
      findAll(db, merchant, scope, project, { where: [sql`t.state = ${code(merchantState, 'open')}`] }),
    ),
    reads(findMerchantsByName, ({ name, ...project }, { db, scope }) =>
      findAll(db, merchant, scope, project, {
        where: [sql`t.state <> ${code(merchantState, 'ended')}`, matchesSearchText(name)],
        limit: 50,
      }),
    ),
  ],
}
