import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderShape, payOrder } from './order.ts'

/** A card terminal at a cashier of a project; the acquirer knows it by its number. */
export const posTerminal = entity(
  'posTerminal',
  'POS 机',
  { table: 'pos_terminal', tenancy: 'project', title: 'name', order: ['terminalNo'] },
  {
    projectCode: estateField(),
    terminalNo: text('终端号', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      searchable: true,
      help: '收单机构分配的终端号，见机身标签',
    }),
    name: text('名称', { required: true, max: 40, searchable: true, help: '如 前台 1 号机' }),
    place: text('摆放位置', { max: 60 }),
    enabled: flag('启用', { required: true, initial: true }),
    remark: text('备注', { max: 200, hiddenIn: ['filter'] }),
  },
)

export type PosTerminal = Row<typeof posTerminal>

export const listTerminals = call({
  route: 'GET finance/v1/PosTerminal/Get',
  title: '查询 POS 机',
  needs: menu.channel.permissions.view,
  input: search(posTerminal, ['enabled']),
  output: pageOf(posTerminal),
})

export const addTerminal = call({
  route: 'POST finance/v1/PosTerminal/Post',
  title: '登记 POS 机',
  needs: menu.channel.permissions.add,
  input: draftOf(posTerminal),
  output: recordOf(posTerminal),
  affects: ['posTerminal'],
})

export const editTerminal = call({
  route: 'PUT finance/v1/PosTerminal/Put',
  title: '编辑 POS 机',
  needs: menu.channel.permissions.edit,
  input: draftOf(posTerminal),
  output: recordOf(posTerminal),
  affects: ['posTerminal'],
})

export const deleteTerminals = call({
  route: 'DELETE finance/v1/PosTerminal/Delete',
  title: '删除 POS 机',
  needs: menu.channel.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['posTerminal'],
})

const orderNoField = payOrder.fields.orderNo
const { terminalNo, name, place } = posTerminal.fields

/**
 * The terminals on which an order may be paid: those in use in its project. Those who can view the order can
 * ask.
 */
export const listOrderTerminals = call({
  route: 'GET finance/v1/PosTerminal/GetForOrder',
  title: '可用的 POS 机',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: listOfRows({ terminalNo, name, place, page: text('模拟终端的页面') }, { entity: 'posTerminal' }),
})

/**
 * Sends an order to a terminal; the card is read there, and the result comes by callback or when it is asked
 * for.
 */
export const payByCard = call({
  route: 'POST Payment/GetCardPay',
  title: 'POS 刷卡收款',
  needs: everyone,
  input: shape({ orderNo: orderNoField, terminalNo }),
  output: orderShape,
  affects: ['payOrder', 'bill', 'payRecord', 'asset', 'feeRelation'],
})
