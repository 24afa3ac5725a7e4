import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  file,
  int,
  keyRef,
  list,
  money,
  ref,
  text,
  through,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWhy,
  draftOf,
  loosely,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule, phoneField } from '#modules/residents/contract/words.ts'
import { menu } from '../module.ts'

export const merchantState = choiceTable('MerchantState', '商家状态', {
  open: [10, '营业', 'done'],
  shut: [20, '停业', 'hold'],
  ended: [30, '注销', 'off'],
})

const aside = { notIn: ['table', 'filter'] } as const

/** A shop that trades in the project: buys parking coupons and tickets, sometimes on credit. */
export const merchant = entity(
  'merchant',
  '商家',
  { table: 'merchant', reach: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateOf(),
    merchantNo: text('商户号', {
      max: 20,
      rule: rules.lettersDigits,
      fixed: true,
      sought: true,
      help: '项目内唯一；留空自动生成',
    }),
    name: text('商户名称', {
      required: true,
      max: 60,
      sought: true,
      wire: 'MerchantName',
      synonyms: ['商家名称', '商铺名称', '店名'],
    }),
    roomId: ref('商铺', 'room', { wire: 'RoomID', notIn: ['table', 'filter'] }),
    roomCode: through('商铺编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], notIn: ['table'] }),
    roomPath: through('商铺', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'filter'],
    }),
    category: text('业态', { max: 40 }),
    contactName: text('联系人', { max: 20, rule: nameRule, sought: true }),
    contactPhone: phoneField('电话', { synonyms: ['联系电话', '手机'] }),
    loginAccount: text('登录账号', { max: 40, rule: rules.lettersDigits, ...aside }),
    creditLimit: money('赊销额度', { min: 0, max: 99_999_999_00, initial: 0 }),
    /** Moved by orders and payments alone. */
    balance: money('账户余额', { required: true, initial: 0, fixed: true, notIn: ['form'] }),
    license: file('执照', {
      wire: 'LicenseUrl',
      notIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    state: choice('状态', merchantState, { required: true, initial: 'open' }),
    remark: text('备注', { max: 200, ...aside }),
  },
)

export type Merchant = Row<typeof merchant>
export const merchantFilters = ['name', 'category', 'state', 'creditLimit', 'balance', 'createTime'] as const
const draft = draftOf(merchant, ['balance', 'buildCode'])

export const listMerchants = call({
  at: 'GET merchant/v1/merchant/Get',
  names: ['Merchant/Get'],
  title: '查询商家',
  needs: everyone,
  input: search(merchant, merchantFilters, {
    roomId: int('商铺', { wire: 'RoomID', min: 1 }),
    ids: list('编号', { max: 2000, wire: 'Ids' }),
  }),
  output: pageOf(merchant, { sums: ['creditLimit', 'balance'] }),
})

/** All that trade, for pickers. */
export const allMerchants = call({
  at: 'GET merchant/v1/merchant/GetAll',
  names: ['Merchant/GetAll'],
  title: '全部商家',
  needs: everyone,
  input: shape({ projectCode: estateOf<false>({ required: false }) }),
  output: rowsOf({ ...merchant.fields }),
})

/** By a part of the name, its pinyin or initials: the first 50. */
export const merchantsByName = call({
  at: 'GET merchant/v1/merchant/GetMerchantByNameBlur',
  names: ['Merchant/GetMerchantByNameBlur'],
  title: '按名称查找商家',
  needs: everyone,
  input: shape({
    name: text('商户名称', { required: true, max: 60, wire: ['MerchantName', 'Name', 'KeyWord'] }),
    projectCode: estateOf<false>({ required: false }),
  }),
  output: rowsOf({ ...merchant.fields }),
})

export const oneMerchant = call({
  at: 'GET merchant/v1/merchant/GetOne',
  names: ['Merchant/GetOne'],
  title: '查看商家',
  needs: menu.merchant.may.view,
  input: byId,
  output: oneOf(merchant),
})

export const addMerchant = call({
  at: 'POST merchant/v1/merchant/Post',
  names: ['Merchant/post'],
  title: '新增商家',
  needs: menu.merchant.may.add,
  input: draft,
  output: oneOf(merchant),
  affects: ['merchant'],
})

export const editMerchant = call({
  at: 'POST merchant/v1/merchant/Put',
  names: ['PUT Merchant/put'],
  title: '编辑商家',
  needs: menu.merchant.may.edit,
  input: draft,
  output: oneOf(merchant),
  affects: ['merchant'],
})

export const deleteMerchants = call({
  at: 'POST merchant/v1/merchant/Delete',
  names: ['DELETE Merchant/Delete'],
  title: '删除商家',
  needs: menu.merchant.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['merchant'],
})

export const merchantRole = choiceTable('MerchantRole', '角色', {
  head: [10, '店长'],
  cashier: [20, '收银'],
  clerk: [30, '店员'],
})

export const merchantStaffState = choiceTable('MerchantStaffState', '状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
})

export const merchantStaff = entity(
  'merchantStaff',
  '商家员工',
  { table: 'merchant_staff', reach: 'project', title: 'name', order: ['roleType', 'name'] },
  {
    projectCode: estateOf(),
    merchantId: ref('商家', 'merchant', { required: true, fixed: true, wire: 'MerchantID' }),
    merchantName: through('商家', 'merchantId', 'name', { wire: 'MerchantName' }),
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'StaffName', sought: true }),
    mobile: mobileField('手机'),
    roleType: choice('角色', merchantRole, { required: true, initial: 'clerk' }),
    state: choice('状态', merchantStaffState, { required: true, initial: 'on' }),
  },
)

export type MerchantStaff = Row<typeof merchantStaff>

export const listMerchantStaff = call({
  at: 'GET merchant/v1/staff/get',
  title: '查询商家员工',
  needs: menu.staff.may.view,
  input: search(merchantStaff, ['merchantId', 'roleType', 'state']),
  output: pageOf(merchantStaff),
})

/** No id: a new one (G-2). */
export const saveMerchantStaff = call({
  at: 'POST merchant/v1/staff/save',
  title: '保存商家员工',
  needs: menu.staff.may.edit,
  input: draftOf(merchantStaff),
  output: oneOf(merchantStaff),
  affects: ['merchantStaff'],
})

export const deleteMerchantStaff = call({
  at: 'POST merchant/v1/staff/delete',
  title: '删除商家员工',
  needs: menu.staff.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['merchantStaff'],
})

const f = merchant.fields

const line = {
  name: f.name,
  ...loosely({ merchantNo: f.merchantNo }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['铺位号', '商铺号', '室号'] }),
  ...loosely({
    category: f.category,
    contactName: f.contactName,
    contactPhone: f.contactPhone,
    loginAccount: f.loginAccount,
    creditLimit: f.creditLimit,
    state: f.state,
    remark: f.remark,
  }),
}

export type MerchantLine = ValueOf<typeof line>

const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

const order = [
  'merchantNo',
  'name',
  'buildCode',
  'unitName',
  'roomNo',
  'category',
  'contactName',
  'contactPhone',
  'loginAccount',
  'creditLimit',
  'state',
  'remark',
] as const

export const merchantSheet = sheetOf<MerchantLine>(
  '商家',
  { fields: silent },
  { keys: order, unique: ['name'] },
)

export const merchantColumns = sheetColumns(
  f,
  order.flatMap(k => (k === 'buildCode' ? ['roomPath'] : k in f ? [k] : [])).concat('balance'),
)

export const ofProject = { projectCode: estateOf<true>() }

export const importMerchants = imports({
  at: 'POST merchant/v1/merchant/PostImport',
  names: ['Merchant/postimport'],
  title: '导入商家',
  needs: menu.merchant.may.import,
  affects: ['merchant'],
  more: ofProject,
})

export const exportMerchants = exports({
  at: 'GET merchant/v1/merchant/GetExport',
  title: '导出商家',
  needs: menu.merchant.may.export,
  of: listMerchants,
})
