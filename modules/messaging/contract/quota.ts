import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { smsChange } from './sms-choices.ts'

const { permissions } = menu.quota

/** What a company has of short messages: bought = used + frozen + usable. */
export const smsAccount = entity(
  'smsAccount',
  '短信额度',
  { table: 'sms_account', tenancy: 'company', title: 'totalCount' },
  {
    totalCount: int('累计购买', { required: true, initial: 0 }),
    usedCount: int('已用', { required: true, initial: 0 }),
    frozenCount: int('冻结', { required: true, initial: 0 }),
    warnCount: int('预警值', { required: true, min: 0, max: 1_000_000, initial: 100 }),
  },
)

export type SmsAccount = Row<typeof smsAccount>

const usableOutput = shape(
  {
    totalCount: int('累计购买', { required: true }),
    usedCount: int('已用', { required: true }),
    frozenCount: int('冻结', { required: true }),
    usableCount: int('可用', { required: true }),
    warnCount: int('预警值', { required: true }),
  },
  { entity: 'smsAccount' },
)

export const getUsableSms = call({
  route: 'GET PropertySmsusable/GetUsableSms',
  title: '短信余量',
  needs: menu.sms.permissions.view,
  input: noData,
  output: usableOutput,
})

/** How many residents a message over WeChat can reach: it costs no quota. */
export const getUsableWxSms = call({
  route: 'POST PropertyWxSmsusable/GetUsableWxSms',
  title: '微信可达人数',
  needs: menu.sms.permissions.view,
  readOnly: true,
  input: noData,
  output: shape({
    boundCount: int('已绑定微信', { required: true, wire: 'BoundCount' }),
    usableCount: int('可用', { required: true }),
  }),
})

export const saveSmsWarning = call({
  route: 'PUT PropertySmsusable/PutWarnCount',
  title: '短信余量预警',
  needs: permissions.warn,
  input: shape({ warnCount: { ...smsAccount.fields.warnCount, required: true as const } }),
  output: usableOutput,
  affects: ['smsAccount'],
})

/** Every change of the quota, with what was left after it. Written once, never changed. */
export const smsLedger = entity(
  'smsLedger',
  '短信额度明细',
  { table: 'sms_ledger', tenancy: 'company', title: 'refNo', order: ['-id'] },
  {
    changeType: choice('变动', smsChange, { required: true, wire: 'ChangeType' }),
    qty: int('条数', { required: true, wire: 'Qty' }),
    usableQty: int('可用', { required: true, wire: 'UsableQty', hiddenIn: ['filter'] }),
    frozenQty: int('冻结', { required: true, wire: 'FrozenQty', hiddenIn: ['filter'] }),
    source: text('业务', { max: 40, hiddenIn: ['filter'] }),
    bizId: idOf('业务编号', { wire: 'BizID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    refNo: text('订单号', { max: 40, searchable: true, wire: 'RefNo' }),
    operatorName: text('操作人', { max: 40, hiddenIn: ['filter'] }),
  },
)

export type SmsLedger = Row<typeof smsLedger>

export const smsLedgers = crud(smsLedger, {
  path: 'PropertySmsusable/Ledger',
  permissions,
  operations: ['list'],
  filters: ['changeType', 'createTime'],
  sums: ['qty'],
  list: { route: 'GET PropertySmsusable/GetLedger' },
})

export const exportLedger = crudExport(smsLedgers, {
  needs: permissions.export,
  route: 'GET PropertySmsusable/ExportLedger',
  label: '短信额度明细',
})
