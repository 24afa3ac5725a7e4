import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, keyRef, lines, list, moment, money, ref, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { byId, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { exports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { methodLine } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { depositEntryType, depositKind, depositState, depositTo } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** Money that stays the payer's: never income, never a late fee, no part of collection rates (C6.3). */
export const deposit = entity(
  'deposit',
  '押金',
  { table: 'deposit', reach: 'project', title: 'depositNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    depositNo: text('押金单号', { required: true, max: 30, sought: true }),
    kind: choice('种类', depositKind, { required: true }),
    roomCode: keyRef('房屋', 'room', { required: true, notIn: ['table', 'detail'] }),
    roomName: text('房屋', { required: true, max: 100, sought: true, notIn: ['form', 'filter'] }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      notIn: ['table', 'form', 'detail'],
    }),
    payerName: text('缴纳人', { max: 80, sought: true, help: '不填为房屋的缴费人' }),
    amount: money('押金金额', { required: true, min: 1, max: 9_999_999_999 }),
    balance: money('结余', { required: true, initial: 0, notIn: ['form'] }),
    deducted: money('已扣款', { required: true, initial: 0, notIn: ['form', 'filter'] }),
    refunded: money('已退还', { required: true, initial: 0, notIn: ['form', 'filter'] }),
    converted: money('已转出', { required: true, initial: 0, notIn: ['form', 'filter'] }),
    receiveTime: moment('收取时间', { notIn: ['form'] }),
    recordId: int('收款记录', { wire: 'RecordID', ...inside }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
    state: choice('状态', depositState, { required: true, initial: 'waiting', notIn: ['form'] }),
  },
)

export type Deposit = Row<typeof deposit>

/** One movement with what was before and after, and what proves it. */
export const depositEntry = entity(
  'depositEntry',
  '押金流水',
  { table: 'deposit_entry', reach: 'project', title: 'entryType', order: ['-id'] },
  {
    projectCode: estateOf(),
    depositId: ref('押金', 'deposit', { required: true, wire: 'DepositID', notIn: ['table'] }),
    entryType: choice('类型', depositEntryType, { required: true }),
    amount: money('金额', { required: true }),
    balanceBefore: money('变动前', { required: true }),
    balanceAfter: money('变动后', { required: true }),
    recordId: int('收款记录', { wire: 'RecordID', ...inside }),
    evidence: list('凭证', { max: 9, notIn: ['table'] }),
    reason: text('原因', { max: 200 }),
    entryTime: moment('时间', { required: true }),
    operatorName: text('操作人', { max: 40 }),
  },
)

export type DepositEntry = Row<typeof depositEntry>

const { may } = menu.deposit
const ids = { id: int('编号', { required: true, min: 1, wire: 'ID' }) }
const reason = text('原因', { required: true, min: 2, max: 200 })
const amount = money('金额', { required: true, min: 1 })
const affects = ['deposit', 'depositEntry', 'payRecord', 'asset', 'assetRecord']
export const depositFilters = ['kind', 'buildCode', 'roomCode', 'balance', 'receiveTime', 'state'] as const

export const listDeposits = call({
  at: 'GET finance/v1/Deposit/GetPagedList',
  title: '查询押金',
  needs: may.view,
  input: search(deposit, depositFilters),
  output: pageOf(deposit, { sums: ['amount', 'balance', 'deducted', 'refunded', 'converted'] }),
})

export const oneDeposit = call({
  at: 'GET finance/v1/Deposit/GetOne',
  title: '查看押金',
  needs: may.view,
  input: byId,
  output: oneOf(deposit),
})

export const listDepositEntries = call({
  at: 'GET finance/v1/Deposit/GetEntries',
  title: '查询押金流水',
  needs: may.view,
  input: search(depositEntry, ['depositId', 'entryType', 'entryTime']),
  output: pageOf(depositEntry, { sums: ['amount'] }),
})

const methods = lines('收款', methodLine, { max: 12, wire: ['MethodJson', 'Methods'] })

/** With ways of paying it is received at once; without, it waits. */
export const addDeposit = call({
  at: 'POST finance/v1/Deposit/Post',
  title: '登记押金',
  needs: may.add,
  affects,
  output: oneOf(deposit),
  input: shape({
    projectCode: estateOf<true>(),
    kind: deposit.fields.kind,
    roomCode: deposit.fields.roomCode,
    amount: deposit.fields.amount,
    payerName: deposit.fields.payerName,
    remark: deposit.fields.remark,
    methods,
  }),
})

export const receiveDeposit = call({
  at: 'POST finance/v1/Deposit/PostReceive',
  title: '收取押金',
  needs: may.receive,
  affects,
  output: oneOf(deposit),
  input: shape({ ...ids, methods: { ...methods, required: true as const } }),
})

/** Refused without evidence. */
export const deductDeposit = call({
  at: 'POST finance/v1/Deposit/PostDeduct',
  title: '押金扣款',
  needs: may.deduct,
  affects,
  output: oneOf(deposit),
  input: shape({
    ...ids,
    amount,
    reason,
    evidence: list('凭证', { required: true, max: 9, help: '照片、验收单，至少一张' }),
  }),
})

export const refundDeposit = call({
  at: 'POST finance/v1/Deposit/PostRefund',
  title: '退还押金',
  needs: may.refund,
  affects,
  output: oneOf(deposit),
  input: shape({ ...ids, amount, method: methodLine.method, reason }),
})

export const convertDeposit = call({
  at: 'POST finance/v1/Deposit/PostConvert',
  title: '押金转出',
  needs: may.convert,
  affects,
  output: oneOf(deposit),
  input: shape({ ...ids, to: choice('转到', depositTo, { required: true }), amount, reason }),
})

export const dropDeposit = call({
  at: 'DELETE finance/v1/Deposit/Delete',
  title: '删除待收押金',
  needs: may.del,
  affects,
  output: oneOf(deposit),
  input: shape({ ...ids, reason }),
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

export const exportDeposits = exports({
  at: 'GET finance/v1/Deposit/GetExport',
  title: '导出押金',
  needs: may.export,
  of: listDeposits,
})
