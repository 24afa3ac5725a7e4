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
  lookup,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  partialFields,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule, phoneField } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'

export const merchantState = choiceTable('MerchantState', '商家状态', {
  open: [10, '营业', 'done'],
  shut: [20, '停业', 'hold'],
  ended: [30, '注销', 'off'],
})

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** A shop that trades in the project: buys parking coupons and tickets, sometimes on credit. */
export const merchant = entity(
  'merchant',
  '商家',
  { table: 'merchant', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    merchantNo: text('商户号', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      help: '项目内唯一；留空自动生成',
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
    creditLimit: money('赊销额度', { min: 0, max: 99_999_999_00, initial: 0 }),
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
export const merchantFilters = ['name', 'category', 'state', 'creditLimit', 'balance', 'createTime'] as const
const merchantDraft = draftOf(merchant, ['balance', 'buildCode'])

export const listMerchants = call({
  route: 'GET merchant/v1/merchant/Get',
  aliases: ['Merchant/Get'],
  title: '查询商家',
  needs: everyone,
  input: search(merchant, merchantFilters, {
    roomId: int('商铺', { wire: 'RoomID', min: 1 }),
    ids: list('编号', { max: 2000, wire: 'Ids' }),
  }),
  output: pageOf(merchant, { sums: ['creditLimit', 'balance'] }),
})

/** All that trade, for pickers. */
export const listOpenMerchants = call({
  route: 'GET merchant/v1/merchant/GetAll',
  aliases: ['Merchant/GetAll'],
  title: '全部商家',
  needs: everyone,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: listOfRows({ ...merchant.fields }),
})

/** By a part of the name, its pinyin or initials: the first 50. */
export const findMerchantsByName = call({
  route: 'GET merchant/v1/merchant/GetMerchantByNameBlur',
  aliases: ['Merchant/GetMerchantByNameBlur'],
  title: '按名称查找商家',
  needs: everyone,
  input: shape({
    name: text('商户名称', { required: true, max: 60, wire: ['MerchantName', 'Name', 'KeyWord'] }),
    projectCode: estateField<false>({ required: false }),
  }),
  output: listOfRows({ ...merchant.fields }),
})

export const getMerchant = call({
  route: 'GET merchant/v1/merchant/GetOne',
  aliases: ['Merchant/GetOne'],
  title: '查看商家',
  needs: menu.merchant.permissions.view,
  input: byId,
  output: recordOf(merchant),
})

export const addMerchant = call({
  route: 'POST merchant/v1/merchant/Post',
  aliases: ['Merchant/post'],
  title: '新增商家',
  needs: menu.merchant.permissions.add,
  input: merchantDraft,
  output: recordOf(merchant),
  affects: ['merchant'],
})

export const editMerchant = call({
  route: 'POST merchant/v1/merchant/Put',
  aliases: ['PUT Merchant/put'],
  title: '编辑商家',
  needs: menu.merchant.permissions.edit,
  input: merchantDraft,
  output: recordOf(merchant),
  affects: ['merchant'],
})

export const deleteMerchants = call({
  route: 'POST merchant/v1/merchant/Delete',
  aliases: ['DELETE Merchant/Delete'],
  title: '删除商家',
  needs: menu.merchant.permissions.del,
  input: byIdsWithReason,
  output: noData,
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
  { table: 'merchant_staff', tenancy: 'project', title: 'name', order: ['roleType', 'name'] },
  {
    projectCode: estateField(),
    merchantId: ref('商家', 'merchant', { required: true, immutable: true, wire: 'MerchantID' }),
    merchantName: lookup('商家', 'merchantId', 'name', { wire: 'MerchantName' }),
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'StaffName', searchable: true }),
    mobile: mobileField('手机'),
    roleType: choice('角色', merchantRole, { required: true, initial: 'clerk' }),
    state: choice('状态', merchantStaffState, { required: true, initial: 'on' }),
  },
)

export type MerchantStaff = Row<typeof merchantStaff>

export const listMerchantStaff = call({
  route: 'GET merchant/v1/staff/get',
  title: '查询商家员工',
  needs: menu.staff.permissions.view,
  input: search(merchantStaff, ['merchantId', 'roleType', 'state']),
  output: pageOf(merchantStaff),
})

/** No id: a new one (G-2). */
export const saveMerchantStaff = call({
  route: 'POST merchant/v1/staff/save',
  title: '保存商家员工',
  needs: menu.staff.permissions.edit,
  input: draftOf(merchantStaff),
  output: recordOf(merchantStaff),
  affects: ['merchantStaff'],
})

export const deleteMerchantStaff = call({
  route: 'POST merchant/v1/staff/delete',
  title: '删除商家员工',
  needs: menu.staff.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['merchantStaff'],
})

const merchantFields = merchant.fields

const sheetFields = {
  name: merchantFields.name,
  ...partialFields({ merchantNo: merchantFields.merchantNo }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['铺位号', '商铺号', '室号'] }),
  ...partialFields({
    category: merchantFields.category,
    contactName: merchantFields.contactName,
    contactPhone: merchantFields.contactPhone,
    loginAccount: merchantFields.loginAccount,
    creditLimit: merchantFields.creditLimit,
    state: merchantFields.state,
    remark: merchantFields.remark,
  }),
}

export type MerchantSheetRow = ValueOf<typeof sheetFields>

const importFields = Object.fromEntries(
  Object.entries(sheetFields).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof sheetFields

const columnOrder = [
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

export const merchantSheet = sheetSchemaOf<MerchantSheetRow>(
  '商家',
  { fields: importFields },
  { keys: columnOrder, unique: ['name'] },
)

export const merchantColumns = sheetColumns(
  merchantFields,
  columnOrder
    .flatMap(k => (k === 'buildCode' ? ['roomPath'] : k in merchantFields ? [k] : []))
    .concat('balance'),
)

export const importProjectInput = { projectCode: estateField<true>() }

export const importMerchants = declareImport({
  route: 'POST merchant/v1/merchant/PostImport',
  aliases: ['Merchant/postimport'],
  title: '导入商家',
  needs: menu.merchant.permissions.import,
  affects: ['merchant'],
  more: importProjectInput,
})

export const exportMerchants = declareExport({
  route: 'GET merchant/v1/merchant/GetExport',
  title: '导出商家',
  needs: menu.merchant.permissions.export,
  of: listMerchants,
})
