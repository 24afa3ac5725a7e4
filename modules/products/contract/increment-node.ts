import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, idOf, int, money, ref, text } from '#kit/contract/field.ts'
import { noData, recordOf, pageOf, listOfRows, search, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { chargeBy, nodeState, nodeType } from './labels.ts'

/** One purchase of a value-added service: so many doors, lanes, seats until a day, or so many messages. */
export const incrementNode = entity(
  'incrementNode',
  '增值节点',
  { table: 'increment_node', tenancy: 'company', title: 'nodeName', order: ['-id'] },
  {
    nodeName: text('名称', { required: true, max: 60, searchable: true }),
    nodeType: choice('类型', nodeType, { required: true, immutable: true }),
    productId: ref('产品', 'product', {
      required: true,
      immutable: true,
      hiddenIn: ['table', 'filter', 'detail'],
    }),
    quantity: int('数量', { required: true, immutable: true, min: 1 }),
    unit: text('单位', { required: true, max: 10, immutable: true }),
    price: money('单价', { required: true, immutable: true }),
    beginDate: day('开通日期', { immutable: true }),
    expireDate: day('到期日期', { immutable: true, help: '短信无到期日期，用完为止' }),
    state: choice('状态', nodeState, { required: true, initial: 'opening', immutable: true }),
    orderId: ref('订单', 'productOrder', {
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    remark: text('备注', { max: 200, searchable: true }),
  },
)

export type IncrementNode = Row<typeof incrementNode>

export const listNodes = call({
  route: 'GET IncrementNode/Get',
  title: '增值节点',
  needs: menu.increment.permissions.view,
  input: search(incrementNode, ['nodeType', 'state', 'expireDate']),
  output: pageOf(incrementNode),
})

export const editNode = call({
  route: 'PUT IncrementNode/Put',
  title: '修改增值节点',
  needs: menu.increment.permissions.edit,
  affects: ['incrementNode'],
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    version: int('版本'),
    nodeName: incrementNode.fields.nodeName,
    remark: incrementNode.fields.remark,
  }),
  output: recordOf(incrementNode),
})

/** Prices of the day, and what the company has of each. */
export const listNodePrices = call({
  route: 'GET IncrementNodePrice/Get',
  title: '增值服务价格',
  needs: menu.increment.permissions.view,
  input: noData,
  output: listOfRows({
    productId: idOf('产品', { required: true, wire: 'ProductID' }),
    productName: text('产品名称', { required: true }),
    nodeType: choice('类型', nodeType, { required: true }),
    intro: text('简介', { required: true }),
    unit: text('单位', { required: true }),
    chargeBy: choice('计价方式', chargeBy, { required: true }),
    price: money('单价', { required: true }),
    minQuantity: int('起订数量', { required: true }),
    openCount: int('已开通', { required: true }),
    openingCount: int('开通中', { required: true }),
    expiredCount: int('到期', { required: true }),
  }),
})
