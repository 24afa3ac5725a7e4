import { call, everyone } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  file,
  idOf,
  keyRef,
  lookup,
  money,
  pickFields,
  ref,
  text,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule, phoneField } from '#modules/residents/contract/labels.ts'
import { sheetPlaceFields } from '#modules/rooms/contract/sheet-place.ts'
import { menu } from '../module.ts'

export const merchantState = choiceTable('MerchantState', '商户状态', {
  open: [10, '营业', 'done'],
  shut: [20, '停业', 'hold'],
  ended: [30, '注销', 'off'],
})

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** A shop that trades in the project: buys parking coupons and tickets, sometimes on credit. */
export const merchant = entity(
  'merchant',
  '商户',
  { table: 'merchant', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    merchantNo: text('商户号', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      help: '项目内唯一；不填则自动生成',
    }),
    name: text('商户名称', {
      required: true,
      max: 60,
      searchable: true,
      wire: 'MerchantName',
      synonyms: ['商家名称', '商铺名称', '店名'],
    }),
    roomId: ref('商铺', 'room', { wire: 'RoomID', hiddenIn: ['table', 'filter'] }),
    roomCode: lookup('商铺编码', 'roomId', 'code', { wire: ['RoomCode', 'Roomcode'], hiddenIn: ['table'] }),
    roomPath: lookup('商铺', 'roomId', 'path', { wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'filter'],
    }),
    category: text('业态', { max: 40 }),
    contactName: text('联系人', { max: 20, rule: nameRule, searchable: true }),
    contactPhone: phoneField('电话', { synonyms: ['联系电话', '手机'] }),
    loginAccount: text('登录账号', { max: 40, rule: rules.lettersDigits, ...hiddenInList }),
    creditLimit: money('赊销额度', { min: 0, max: 9_999_999_900, initial: 0 }),
    /** Moved by orders and payments alone. */
    balance: money('账户余额', { required: true, initial: 0, immutable: true, hiddenIn: ['form'] }),
    license: file('执照', {
      wire: 'LicenseUrl',
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    state: choice('状态', merchantState, { required: true, initial: 'open' }),
    remark: text('备注', { max: 200, ...hiddenInList }),
  },
)

export type Merchant = Row<typeof merchant>

export const merchants = crud(merchant, {
  path: 'merchant/v1/merchant',
  permissions: menu.merchant.permissions,
  filters: ['name', 'category', 'state', 'creditLimit', 'balance', 'createTime'],
  search: { roomId: idOf('商铺', { wire: 'RoomID', min: 1 }), ids: idsFilter },
  sums: ['creditLimit', 'balance'],
  without: ['balance', 'buildCode'],
  list: { aliases: ['Merchant/Get'] },
  get: { aliases: ['Merchant/GetOne'] },
  add: { aliases: ['Merchant/post'] },
  edit: { route: 'POST merchant/v1/merchant/Put', aliases: ['PUT Merchant/put'] },
  delete: { route: 'POST merchant/v1/merchant/Delete', aliases: ['DELETE Merchant/Delete'] },
})

/** What pickers see of a merchant: no phone, no account, no money. */
const pickedKeys = ['id', 'projectCode', 'merchantNo', 'name', 'roomPath', 'category', 'state'] as const

const pickedMerchants = listOfRows(pickFields(merchant.fields, pickedKeys), { entity: 'merchant' })

export const pickMerchants = pickerOf(merchant, {
  route: 'GET merchant/v1/merchant/GetPick',
  aliases: ['Merchant/GetPick'],
  title: '选择商户',
  fields: pickedKeys,
  search: { roomId: idOf('商铺', { wire: 'RoomID', min: 1 }), ids: idsFilter },
})

/** All that trade, for pickers. */
export const listOpenMerchants = call({
  route: 'GET merchant/v1/merchant/GetAll',
  aliases: ['Merchant/GetAll'],
  title: '全部商户',
  needs: everyone,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: pickedMerchants,
})

/** By a part of the name, its pinyin or initials: the first 50. */
export const findMerchantsByName = call({
  route: 'GET merchant/v1/merchant/GetMerchantByNameBlur',
  aliases: ['Merchant/GetMerchantByNameBlur'],
  title: '按名称查找商户',
  needs: everyone,
  input: shape({
    name: text('商户名称', { required: true, max: 60, wire: ['MerchantName', 'Name', 'KeyWord'] }),
    projectCode: estateField<false>({ required: false }),
  }),
  output: pickedMerchants,
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
  '商户员工',
  { table: 'merchant_staff', tenancy: 'project', title: 'name', order: ['roleType', 'name'] },
  {
    projectCode: estateField(),
    merchantId: ref('商户', 'merchant', { required: true, immutable: true, wire: 'MerchantID' }),
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'StaffName', searchable: true }),
    mobile: mobileField('手机'),
    roleType: choice('角色', merchantRole, { required: true, initial: 'clerk' }),
    state: choice('状态', merchantStaffState, { required: true, initial: 'on' }),
  },
)

export type MerchantStaff = Row<typeof merchantStaff>

export const merchantStaffs = crud(merchantStaff, {
  path: 'merchant/v1/staff',
  permissions: menu.staff.permissions,
  operations: ['list', 'save', 'delete'],
  filters: ['merchantId', 'roleType', 'state'],
  list: { route: 'GET merchant/v1/staff/get' },
  save: { route: 'POST merchant/v1/staff/save' },
  delete: { route: 'POST merchant/v1/staff/delete' },
})

export const importMerchants = crudImport(merchants, {
  needs: menu.merchant.permissions.import,
  aliases: ['Merchant/postimport'],
  fields: sheetPlaceFields(['商铺号', '铺位号', '室号']),
  columns: [
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
  ],
  unique: ['name'],
})

export const exportMerchants = crudExport(merchants, {
  needs: menu.merchant.permissions.export,
  columns: [
    'merchantNo',
    'name',
    'roomPath',
    'category',
    'contactName',
    'contactPhone',
    'loginAccount',
    'creditLimit',
    'state',
    'remark',
    'balance',
  ],
})
