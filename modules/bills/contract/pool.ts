import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, money, text } from '#kit/contract/field.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { poolBilled } from './choices.ts'
import { sharePool } from './share-pool.ts'

const { permissions } = menu.pool
const poolDraft = draftOf(sharePool, ['feeItemId', 'batchNo', 'correctsId', 'state'])

export const listPools = call({
  route: 'GET finance/v1/SharePool/Get',
  title: '查询公摊',
  needs: permissions.view,
  input: search(sharePool, ['month', 'standardId', 'weightType', 'state', 'createTime']),
  output: pageOf(sharePool, { sums: ['totalAmount'] }),
})

export const getPool = call({
  route: 'GET finance/v1/SharePool/GetOne',
  title: '查看公摊',
  needs: permissions.view,
  input: byId,
  output: recordOf(sharePool),
})

export const addPool = call({
  route: 'POST finance/v1/SharePool/Post',
  title: '新增公摊',
  needs: permissions.add,
  input: poolDraft,
  output: recordOf(sharePool),
  affects: ['sharePool'],
})

export const editPool = call({
  route: 'PUT finance/v1/SharePool/Put',
  title: '编辑公摊',
  needs: permissions.edit,
  input: poolDraft,
  output: recordOf(sharePool),
  affects: ['sharePool'],
})

export const deletePools = call({
  route: 'DELETE finance/v1/SharePool/Delete',
  title: '删除公摊',
  needs: permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['sharePool'],
})

export const poolShareFields = {
  relationId: idOf('关联', { required: true, wire: 'RelationID' }),
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  payerName: text('缴费人'),
  weight: text('权重', { required: true }),
  amount: money('金额', { required: true }),
  sentence: text('计算依据', { required: true }),
}

const sharingFields = {
  total: money('总额', { required: true }),
  count: int('户数', { required: true }),
  billed: choice('账单情况', poolBilled, { required: true }),
  refusal: text('不能分摊的原因'),
  rows: lines('分摊', poolShareFields, { required: true }),
  excluded: lines(
    '未参加',
    {
      relationId: idOf('关联', { required: true, wire: 'RelationID' }),
      sourceName: text('收费对象', { required: true }),
      reason: text('原因', { required: true }),
    },
    { required: true, wire: 'Left' },
  ),
  truncated: flag('未列全', { required: true }),
}

/**
 * Who would pay what, and who takes no part; nothing is written (SHR-4). 5,000 rows at most; the total
 * covers all.
 */
export const previewPool = call({
  route: 'GET finance/v1/SharePool/GetPreview',
  title: '预览分摊',
  needs: permissions.view,
  input: byId,
  output: shape(sharingFields),
})

/**
 * Bills the pool to everybody who takes part on the last day of the month; the bills add up to the pool
 * exactly (SHR-3).
 */
export const runPool = call({
  route: 'POST finance/v1/SharePool/PostShare',
  title: '分摊',
  needs: permissions.share,
  input: byId,
  output: shape({
    batchNo: text('批次', { required: true }),
    count: int('张数', { required: true }),
    amount: money('金额', { required: true }),
    excludedCount: int('未参加', { required: true, wire: 'Left' }),
  }),
  affects: ['sharePool', 'bill', 'billRun', 'feeRelation'],
})

/**
 * Adds a pool for the difference when bills of the first pool are paid already (SHR-5); `right` is the
 * correct total.
 */
export const correctPool = call({
  route: 'POST finance/v1/SharePool/PostCorrection',
  title: '新建更正公摊',
  needs: permissions.share,
  affects: ['sharePool'],
  output: recordOf(sharePool),
  input: shape({
    id: idOf('公摊', { required: true, min: 1, wire: 'ID' }),
    right: money('正确的总额', { required: true, min: 0, wire: 'TotalAmount' }),
    remark: text('更正原因', { required: true, min: 2, max: 200 }),
  }),
})
