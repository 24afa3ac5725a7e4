import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, moment, money, ref, text } from '#kit/contract/field.ts'
import { recordOf, pageOf, search, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { prestoreAccount } from './account.ts'
import { transferState } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** A transfer of prestore to another payer: another person agrees first (ACC-11). */
export const prestoreTransfer = entity(
  'assetTransfer',
  '预存转账单',
  { table: 'prestore_transfer', tenancy: 'project', title: 'transferNo', order: ['-id'] },
  {
    projectCode: estateField(),
    transferNo: text('单号', { required: true, max: 30, searchable: true }),
    fromId: ref('转出账户', 'asset', { required: true, wire: 'FromID', ...internalOnly }),
    buildCode: buildingThrough('fromId'),
    fromName: text('转出账户', { required: true, max: 120, searchable: true }),
    toId: ref('转入账户', 'asset', { required: true, wire: 'ToID', ...internalOnly }),
    toName: text('转入账户', { required: true, max: 120, searchable: true }),
    amount: money('金额', { required: true }),
    reason: text('原因', { required: true, max: 200 }),
    applyBy: int('申请人', { required: true, ...internalOnly }),
    applyName: text('申请人', { required: true, max: 40, hiddenIn: ['filter'] }),
    auditBy: int('审核人', internalOnly),
    auditName: text('审核人', { max: 40, hiddenIn: ['filter'] }),
    auditTime: moment('审核时间', { hiddenIn: ['filter'] }),
    auditNote: text('审核意见', { max: 200, hiddenIn: ['filter'] }),
    state: choice('状态', transferState, {
      required: true,
      initial: 'pending',
      struckOut: ['rejected', 'cancelled'],
    }),
  },
)

export type PrestoreTransfer = Row<typeof prestoreTransfer>

const idInput = { id: recordIdField }
const affectedEntities = ['asset', 'assetRecord', 'assetTransfer']

/** Between accounts of one payer at once; between payers it becomes a request, and `requestNo` names it. */
export const transferAccount = call({
  route: 'POST finance/v1/Asset/PostTransfer',
  title: '预存转账',
  needs: menu.account.permissions.transfer,
  affects: affectedEntities,
  input: shape({
    id: idOf('转出账户', { required: true, min: 1, wire: 'ID' }),
    toId: idOf('转入账户', { required: true, min: 1, wire: 'ToID' }),
    amount: money('金额', { required: true, min: 1 }),
    reason: reasonField,
  }),
  output: shape({ ...prestoreAccount.fields, requestNo: text('转账单', { help: '等待审核的转账单号' }) }),
})

export const transferFilters = ['amount', 'createTime', 'auditTime', 'state'] as const

export const listTransfers = call({
  route: 'GET finance/v1/Asset/GetTransferPagedList',
  title: '查询预存转账单',
  needs: menu.account.permissions.view,
  input: search(prestoreTransfer, transferFilters),
  output: pageOf(prestoreTransfer, { sums: ['amount'] }),
})

/** Another person than the applicant; the money moves when that person agrees, if it is still there. */
export const auditTransfer = call({
  route: 'PUT finance/v1/Asset/PutTransferAudit',
  title: '审核预存转账',
  needs: menu.account.permissions.audit,
  input: shape({ ...idInput, pass: flag('通过', { required: true }), note: text('审核意见', { max: 200 }) }),
  output: recordOf(prestoreTransfer),
  affects: affectedEntities,
})

export const cancelTransfer = call({
  route: 'PUT finance/v1/Asset/PutTransferCancel',
  title: '取消预存转账',
  needs: menu.account.permissions.transfer,
  input: shape({ ...idInput, reason: reasonField }),
  output: recordOf(prestoreTransfer),
  affects: affectedEntities,
})
