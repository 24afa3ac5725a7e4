import { call, type Permission } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  idOf,
  keyRef,
  lines,
  list,
  moment,
  money,
  ref,
  text,
  type Fields,
  lookup,
} from '#kit/contract/field.ts'
import { recordOf, shape, byIdWithReason, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
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
    roomCode: keyRef('房屋', 'room', { hiddenIn: ['table', 'detail', 'sheet'] }),
    roomName: text('收费对象', { required: true, max: 100, searchable: true, hiddenIn: ['form', 'filter'] }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail', 'sheet'],
    }),
    payerName: text('缴纳人', { max: 80, searchable: true, help: '不填为房屋的缴费人' }),
    amount: money('押金金额', { required: true, min: 1, max: 9_999_999_999 }),
    balance: money('结余', { required: true, initial: 0, hiddenIn: ['form'] }),
    /** Of the balance what refunds under approval ask for: nothing else takes it. */
    refunding: money('退款审批中', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    deducted: money('已扣款', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    refunded: money('已退还', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    converted: money('已转出', { required: true, initial: 0, hiddenIn: ['form', 'filter'] }),
    income: money('其中转收入', {
      required: true,
      initial: 0,
      hiddenIn: ['form', 'filter', 'table', 'sheet'],
    }),
    receiveTime: moment('收取时间', { hiddenIn: ['form'] }),
    recordId: idOf('收款记录', { wire: 'RecordID', ...internalOnly }),
    feeItemId: idOf('收费项目', { wire: 'FeeItemID', ...internalOnly }),
    feeItemName: text('收费项目', { max: 60, hiddenIn: ['form', 'filter', 'table', 'sheet'] }),
    state: choice('状态', depositState, { required: true, initial: 'waiting', hiddenIn: ['form'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
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
    buildCode: buildingThrough('depositId'),
    depositNo: lookup('押金单号', 'depositId', 'depositNo', { searchable: true, hiddenIn: ['table'] }),
    payerName: lookup('缴纳人', 'depositId', 'payerName', { searchable: true, hiddenIn: ['table'] }),
    entryType: choice('类型', depositEntryType, { required: true }),
    amount: money('金额', { required: true }),
    balanceBefore: money('变动前', { required: true }),
    balanceAfter: money('变动后', { required: true }),
    recordId: idOf('收款记录', { wire: 'RecordID', ...internalOnly }),
    evidence: list('凭证', { max: 9, holdsFiles: true, hiddenIn: ['table'] }),
    reason: text('原因', { max: 200 }),
    entryTime: moment('时间', { required: true }),
    operatorName: text('操作人', { max: 40, searchable: true }),
  },
)

export type DepositEntry = Row<typeof depositEntry>

const { permissions } = menu.deposit
const idInput = { id: recordIdField }
const amount = money('金额', { required: true, min: 1 })
const affectedEntities = ['deposit', 'depositEntry', 'payRecord', 'asset', 'assetRecord', 'feeRefund']

/** A deposit is made and moved by calls of its own. */
export const deposits = crud(deposit, {
  path: 'finance/v1/Deposit',
  permissions,
  operations: ['list', 'get'],
  filters: ['kind', 'buildCode', 'roomCode', 'balance', 'receiveTime', 'state'],
  sums: ['amount', 'balance', 'deducted', 'refunded', 'converted'],
  list: { route: 'GET finance/v1/Deposit/GetPagedList' },
})

export const depositEntries = crud(depositEntry, {
  path: 'finance/v1/Deposit',
  permissions,
  operations: ['list'],
  filters: ['depositId', 'entryType', 'entryTime'],
  sums: ['amount'],
  list: { route: 'GET finance/v1/Deposit/GetEntries' },
})
export const { list: listDepositEntries } = depositEntries

const methods = lines('收款', methodLine, { max: 12, wire: ['MethodJson', 'Methods'] })

/** What moves money of a deposit: its own right, and the lists that change with it. */
const movement = <const X extends Fields>(
  step: string,
  title: string,
  needs: Permission,
  input: X,
  method: 'POST' | 'DELETE' = 'POST',
) =>
  call({
    route: `${method} finance/v1/Deposit/${step}`,
    title,
    needs,
    affects: affectedEntities,
    output: recordOf(deposit),
    input: shape(input),
  })

/** With ways of paying it is received at once; without, it waits. */
export const addDeposit = movement('Post', '登记押金', permissions.add, {
  projectCode: estateField<true>(),
  kind: deposit.fields.kind,
  roomCode: { ...deposit.fields.roomCode, required: true as const },
  amount: deposit.fields.amount,
  payerName: deposit.fields.payerName,
  remark: deposit.fields.remark,
  methods,
})

export const receiveDeposit = movement('PostReceive', '收取押金', permissions.receive, {
  ...idInput,
  methods: { ...methods, required: true as const },
})

/** Refused without evidence. */
export const deductDeposit = movement('PostDeduct', '押金扣款', permissions.deduct, {
  ...idInput,
  amount,
  reason: reasonField,
  evidence: list('凭证', {
    required: true,
    max: 9,
    holdsFiles: true,
    help: '照片、验收单，至少一张',
  }),
})

/** `refundNo` names the refund that waits for an approval of the company; without one it is paid at once. */
export const refundDeposit = call({
  route: 'POST finance/v1/Deposit/PostRefund',
  title: '退还押金',
  needs: permissions.refund,
  affects: affectedEntities,
  input: shape({ ...idInput, amount, method: methodLine.method, reason: reasonField }),
  output: shape({
    ...deposit.fields,
    refundNo: text('退款单号', { help: '按退款的审批流程审批中的退款' }),
  }),
})

export const convertDeposit = movement('PostConvert', '押金转出', permissions.convert, {
  ...idInput,
  to: choice('转到', depositTo, { required: true }),
  amount,
  reason: reasonField,
})

export const deleteDeposit = movement(
  'Delete',
  '删除待收押金',
  permissions.del,
  byIdWithReason.fields,
  'DELETE',
)

export const exportDeposits = crudExport(deposits, { needs: permissions.export })
