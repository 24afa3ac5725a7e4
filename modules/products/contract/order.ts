import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, lines, money, moment, ref, text } from '#kit/contract/field.ts'
import { byId, byIdsWithReason, noData, recordOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { companyState, edition } from '#modules/accounts/contract/company.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { accountEntryType, orderState, payMethod, productKind } from './labels.ts'

/** What a company orders of the platform. Name and price stand as they were on the day. */
export const productOrder = entity(
  'productOrder',
  '订单',
  { table: 'product_order', tenancy: 'company', title: 'orderNo', order: ['-id'] },
  {
    orderNo: text('订单号', { required: true, max: 30, immutable: true, searchable: true }),
    kind: choice('类别', productKind, { required: true, immutable: true }),
    productId: ref('产品', 'product', { required: true, immutable: true, hiddenIn: ['table', 'detail'] }),
    productName: text('产品名称', {
      required: true,
      max: 60,
      immutable: true,
      searchable: true,
      hiddenIn: ['filter'],
    }),
    quantity: int('数量', { required: true, immutable: true, min: 1, hiddenIn: ['filter'] }),
    unit: text('单位', { required: true, max: 10, immutable: true, hiddenIn: ['filter', 'table'] }),
    months: int('月数', { immutable: true, min: 1, unit: '个月', hiddenIn: ['filter'] }),
    unitPrice: money('单价', { required: true, immutable: true, hiddenIn: ['filter'] }),
    amount: money('金额', { required: true, immutable: true }),
    state: choice('状态', orderState, {
      required: true,
      initial: 'pending',
      immutable: true,
      struckOut: ['cancelled', 'closed'],
    }),
    nodeId: ref('增值节点', 'incrementNode', {
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    payMethod: choice('支付方式', payMethod, { immutable: true }),
    payTime: moment('支付时间', { immutable: true }),
    transactionId: text('支付流水', { max: 60, immutable: true, hiddenIn: ['filter', 'table'] }),
    oldExpire: day('原到期日期', { immutable: true, hiddenIn: ['filter', 'table'] }),
    newExpire: day('到期至', { immutable: true, hiddenIn: ['filter'] }),
    closeTime: moment('支付截止', { required: true, immutable: true, hiddenIn: ['filter', 'table'] }),
    cancelReason: text('取消原因', { max: 200, immutable: true, hiddenIn: ['filter', 'table'] }),
    operatorName: text('下单人', { max: 40, immutable: true, hiddenIn: ['filter'] }),
  },
)

export type ProductOrder = Row<typeof productOrder>

export const listOrders = call({
  route: 'GET Order/Get',
  title: '查询订单',
  needs: menu.order.permissions.view,
  input: search(productOrder, [
    'orderNo',
    'kind',
    'productId',
    'state',
    'payMethod',
    'amount',
    'createTime',
    'payTime',
  ]),
  output: pageOf(productOrder, { sums: ['amount'] }),
})

export const getOrder = call({
  route: 'GET Order/GetOne',
  title: '查看订单',
  needs: menu.order.permissions.view,
  input: byId,
  output: recordOf(productOrder),
})

const monthsField = int('月数', { min: 1, max: 60, unit: '个月' })

/** A renewal of the company's edition. */
export const addRenewal = call({
  route: 'POST Buy/RenewPost',
  title: '提交续费订单',
  needs: menu.renewal.permissions.add,
  affects: ['productOrder'],
  input: shape({
    productId: idOf('版本', { required: true, min: 1, wire: 'ProductID' }),
    months: { ...monthsField, required: true as const },
  }),
  output: recordOf(productOrder),
})

/** An application of the product centre. */
export const addAppOrder = call({
  route: 'POST ProductCenter/Buy',
  title: '开通应用',
  needs: menu.product.permissions.add,
  affects: ['productOrder', 'propertyApp', 'product'],
  input: shape({
    productId: idOf('应用', { required: true, min: 1, wire: 'ProductID' }),
    months: { ...monthsField, required: true as const },
  }),
  output: recordOf(productOrder),
})

/** A value-added service: a new one, or more time for one that the company has. */
export const addNodeOrder = call({
  route: 'POST IncrementNode/Buy',
  title: '开通或续费增值服务',
  needs: menu.increment.permissions.add,
  affects: ['productOrder', 'incrementNode'],
  input: shape({
    productId: idOf('增值服务', { required: true, min: 1, wire: 'ProductID' }),
    nodeId: idOf('续费的节点', { min: 1, wire: 'NodeID' }),
    quantity: int('数量', { min: 1, max: 1_000_000 }),
    months: monthsField,
    nodeName: text('名称', { max: 60, help: '不填则用服务名称' }),
  }),
  output: recordOf(productOrder),
})

export const cancelOrders = call({
  route: 'PUT Order/Cancel',
  title: '取消订单',
  needs: menu.order.permissions.cancel,
  input: byIdsWithReason,
  output: noData,
  affects: ['productOrder', 'incrementNode', 'product'],
})

export const payByBalance = call({
  route: 'PUT Order/PayByBalance',
  title: '用余额支付订单',
  needs: menu.order.permissions.pay,
  input: byId,
  output: recordOf(productOrder),
  affects: ['productOrder', 'incrementNode', 'propertyApp', 'product', 'property', 'accountEntry'],
})

/**
 * By a channel of the platform's: starts a pay order, or returns the one that waits; the order takes effect
 * once, when the money has come.
 */
export const payOnline = call({
  route: 'POST Order/PostPayUrl',
  title: '在线支付订单',
  needs: menu.order.permissions.pay,
  input: byId,
  output: orderShape,
  affects: ['payOrder'],
})

export const topUpBalance = call({
  route: 'POST Buy/PostTopUp',
  title: '余额充值',
  needs: menu.order.permissions.pay,
  input: shape({ amount: money('充值金额', { required: true, min: 1, max: 100_000_000 }) }),
  output: orderShape,
  affects: ['payOrder'],
})

/** The company's subscription, and the price of a renewal. */
export const getRenewal = call({
  route: 'GET Buy/RenewGet',
  title: '续费信息',
  needs: menu.renewal.permissions.view,
  input: noData,
  output: shape({
    edition: choice('当前版本', edition, { required: true }),
    state: choice('状态', companyState, { required: true }),
    expireDate: day('到期日期'),
    estates: int('项目数', { required: true }),
    balance: money('账户余额', { required: true }),
    options: lines(
      '可选版本',
      {
        productId: idOf('产品', { required: true, wire: 'ProductID' }),
        productName: text('版本', { required: true }),
        edition: choice('版本', edition, { required: true }),
        intro: text('简介', { required: true }),
        price: money('单价', { required: true }),
        canChoose: flag('可选', { required: true, wire: 'May' }),
      },
      { required: true },
    ),
    orderNo: text('待支付的续费订单'),
  }),
})

/** Every change of the company's balance with the platform. Written once, never changed. */
export const accountEntry = entity(
  'accountEntry',
  '余额明细',
  { table: 'account_entry', tenancy: 'company', title: 'remark', order: ['-id'] },
  {
    entryType: choice('类型', accountEntryType, { required: true, immutable: true }),
    amount: money('金额', { required: true, immutable: true }),
    balance: money('余额', { required: true, immutable: true, hiddenIn: ['filter'] }),
    orderNo: text('订单号', { max: 30, immutable: true, searchable: true }),
    remark: text('说明', { max: 200, immutable: true, hiddenIn: ['filter'] }),
    transactionId: text('流水号', { max: 60, immutable: true, hiddenIn: ['filter', 'table'] }),
  },
)

export const listAccountEntries = call({
  route: 'GET Buy/GetBalanceLog',
  title: '余额明细',
  needs: menu.renewal.permissions.view,
  input: search(accountEntry, ['entryType', 'createTime']),
  output: pageOf(accountEntry),
})
