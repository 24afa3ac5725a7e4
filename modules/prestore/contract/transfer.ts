import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, moment, money, ref, text } from '#kit/contract/field.ts'
import { oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { prestoreAccount } from './account.ts'
import { transferState } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** Prestore of one payer that is to become another's: another person agrees first (ACC-11). */
export const prestoreTransfer = entity(
  'assetTransfer',
  '预存转账单',
  { table: 'prestore_transfer', reach: 'project', title: 'transferNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    transferNo: text('单号', { required: true, max: 30, sought: true }),
    fromId: ref('转出账户', 'asset', { required: true, wire: 'FromID', ...inside }),
    fromName: text('转出账户', { required: true, max: 120, sought: true }),
    toId: ref('转入账户', 'asset', { required: true, wire: 'ToID', ...inside }),
    toName: text('转入账户', { required: true, max: 120, sought: true }),
    amount: money('金额', { required: true }),
    reason: text('原因', { required: true, max: 200 }),
    applyBy: int('申请人', { required: true, ...inside }),
    applyName: text('申请人', { required: true, max: 40, notIn: ['filter'] }),
    auditBy: int('审核人', inside),
    auditName: text('审核人', { max: 40, notIn: ['filter'] }),
    auditTime: moment('审核时间', { notIn: ['filter'] }),
    auditNote: text('审核意见', { max: 200, notIn: ['filter'] }),
    state: choice('状态', transferState, { required: true, initial: 'pending' }),
  },
)

export type PrestoreTransfer = Row<typeof prestoreTransfer>

const ids = { id: int('编号', { required: true, min: 1, wire: 'ID' }) }
const affects = ['asset', 'assetRecord', 'assetTransfer']

/** Between accounts of one payer at once; between payers it becomes a request, and `requestNo` names it. */
export const transferAccount = call({
  at: 'POST finance/v1/Asset/PostTransfer',
  title: '预存转账',
  needs: menu.account.may.transfer,
  affects,
  input: shape({
    id: int('转出账户', { required: true, min: 1, wire: 'ID' }),
    toId: int('转入账户', { required: true, min: 1, wire: 'ToID' }),
    amount: money('金额', { required: true, min: 1 }),
    reason: text('原因', { required: true, min: 2, max: 200 }),
  }),
  output: shape({ ...prestoreAccount.fields, requestNo: text('转账单', { help: '等待审核的转账单号' }) }),
})

export const transferFilters = ['amount', 'createTime', 'auditTime', 'state'] as const

export const listTransfers = call({
  at: 'GET finance/v1/Asset/GetTransferPagedList',
  title: '查询预存转账单',
  needs: menu.account.may.view,
  input: search(prestoreTransfer, transferFilters),
  output: pageOf(prestoreTransfer, { sums: ['amount'] }),
})

/** Another person than the applicant; the money moves when he agrees, if it is still there. */
export const auditTransfer = call({
  at: 'PUT finance/v1/Asset/PutTransferAudit',
  title: '审核预存转账',
  needs: menu.account.may.audit,
  input: shape({ ...ids, pass: flag('通过', { required: true }), note: text('审核意见', { max: 200 }) }),
  output: oneOf(prestoreTransfer),
  affects,
})

export const cancelTransfer = call({
  at: 'PUT finance/v1/Asset/PutTransferCancel',
  title: '取消预存转账',
  needs: menu.account.may.transfer,
  input: shape({ ...ids, reason: text('原因', { required: true, min: 2, max: 200 }) }),
  output: oneOf(prestoreTransfer),
  affects,
})
