import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, keyRef, lines, list, moment, money, ref, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { byId, recordOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { methodLine } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { depositEntryType, depositKind, depositState, depositTo } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** Money that stays the payer's: never income, never a late fee, no part of collection rates (C6.3). */
export const deposit = entity(
  'deposit',
  '押金',
  { table: 'deposit', tenancy: 'project', title: 'depositNo', order: ['-id'] },
  {
    projectCode: estateField(),
    depositNo: text('押金单号', { required: true, max: 30, searchable: true }),
    kind: choice('种类', depositKind, { required: true }),
    roomCode: keyRef('房屋', 'room', { required: true, hiddenIn: ['table', 'detail'] }),
    roomName: text('房屋', { required: true, max: 100, searchable: true, hiddenIn: ['form', 'filter'] }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    payerName: text('缴纳人', { max: 80, searchable: true, help: '不填为房屋的缴费人' }),
    amount: money('押金金额', { required: true, min: 1, max: 9_999_999_999 }),
    balance: money('结余', { required: true, initial: 0, hiddenIn: ['form'] }),
    deducted: money('已扣款', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    refunded: money('已退还', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    converted: money('已转出', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    receiveTime: moment('收取时间', { hiddenIn: ['form'] }),
    recordId: int('收款记录', { wire: 'RecordID', ...internalOnly }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', depositState, { required: true, initial: 'waiting', hiddenIn: ['form'] }),
  },
)

export type Deposit = Row<typeof deposit>

/** One movement with what was before and after, and what proves it. */
export const depositEntry = entity(
  'depositEntry',
  '押金流水',
  { table: 'deposit_entry', tenancy: 'project', title: 'entryType', order: ['-id'] },
  {
    projectCode: estateField(),
    depositId: ref('押金', 'deposit', { required: true, wire: 'DepositID', hiddenIn: ['table'] }),
    entryType: choice('类型', depositEntryType, { required: true }),
    amount: money('金额', { required: true }),
    balanceBefore: money('变动前', { required: true }),
    balanceAfter: money('变动后', { required: true }),
    recordId: int('收款记录', { wire: 'RecordID', ...internalOnly }),
    evidence: list('凭证', { max: 9, hiddenIn: ['table'] }),
    reason: text('原因', { max: 200 }),
    entryTime: moment('时间', { required: true }),
    operatorName: text('操作人', { max: 40 }),
  },
)

export type DepositEntry = Row<typeof depositEntry>

const { permissions } = menu.deposit
const idInput = { id: int('编号', { required: true, min: 1, wire: 'ID' }) }
const reason = text('原因', { required: true, min: 2, max: 200 })
const amount = money('金额', { required: true, min: 1 })
const affectedEntities = ['deposit', 'depositEntry', 'payRecord', 'asset', 'assetRecord']
export const depositFilters = ['kind', 'buildCode', 'roomCode', 'balance', 'receiveTime', 'state'] as const

export const listDeposits = call({
  route: 'GET finance/v1/Deposit/GetPagedList',
  title: '查询押金',
  needs: permissions.view,
  input: search(deposit, depositFilters),
  output: pageOf(deposit, { sums: ['amount', 'balance', 'deducted', 'refunded', 'converted'] }),
})

export const getDeposit = call({
  route: 'GET finance/v1/Deposit/GetOne',
  title: '查看押金',
  needs: permissions.view,
  input: byId,
  output: recordOf(deposit),
})

export const listDepositEntries = call({
  route: 'GET finance/v1/Deposit/GetEntries',
  title: '查询押金流水',
  needs: permissions.view,
  input: search(depositEntry, ['depositId', 'entryType', 'entryTime']),
  output: pageOf(depositEntry, { sums: ['amount'] }),
})

const methods = lines('收款', methodLine, { max: 12, wire: ['MethodJson', 'Methods'] })

/** With ways of paying it is received at once; without, it waits. */
export const addDeposit = call({
  route: 'POST finance/v1/Deposit/Post',
  title: '登记押金',
  needs: permissions.add,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({
    projectCode: estateField<true>(),
    kind: deposit.fields.kind,
    roomCode: deposit.fields.roomCode,
    amount: deposit.fields.amount,
    payerName: deposit.fields.payerName,
    remark: deposit.fields.remark,
    methods,
  }),
})

export const receiveDeposit = call({
  route: 'POST finance/v1/Deposit/PostReceive',
  title: '收取押金',
  needs: permissions.receive,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({ ...idInput, methods: { ...methods, required: true as const } }),
})

/** Refused without evidence. */
export const deductDeposit = call({
  route: 'POST finance/v1/Deposit/PostDeduct',
  title: '押金扣款',
  needs: permissions.deduct,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({
    ...idInput,
    amount,
    reason,
    evidence: list('凭证', { required: true, max: 9, help: '照片、验收单，至少一张' }),
  }),
})

export const refundDeposit = call({
  route: 'POST finance/v1/Deposit/PostRefund',
  title: '退还押金',
  needs: permissions.refund,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({ ...idInput, amount, method: methodLine.method, reason }),
})

export const convertDeposit = call({
  route: 'POST finance/v1/Deposit/PostConvert',
  title: '押金转出',
  needs: permissions.convert,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({ ...idInput, to: choice('转到', depositTo, { required: true }), amount, reason }),
})

export const deleteDeposit = call({
  route: 'DELETE finance/v1/Deposit/Delete',
  title: '删除待收押金',
  needs: permissions.del,
  affects: affectedEntities,
  output: recordOf(deposit),
  input: shape({ ...idInput, reason }),
})

export const depositColumns = sheetColumns(deposit.fields, [
  'depositNo',
  'kind',
  'roomName',
  'payerName',
  'amount',
  'balance',
  'deducted',
  'refunded',
  'converted',
  'receiveTime',
  'state',
  'remark',
])

export const exportDeposits = declareExport({
  route: 'GET finance/v1/Deposit/GetExport',
  title: '导出押金',
  needs: permissions.export,
  of: listDeposits,
})
