import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byIdsWhy, draftOf, nothing, oneOf, pageOf, rowsOf, search, shape } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderShape, payOrder } from './order.ts'

/** A card terminal at a desk of a project; the acquirer knows it by its number. */
export const posTerminal = entity(
  'posTerminal',
  'POS 机',
  { table: 'pos_terminal', reach: 'project', title: 'name', order: ['terminalNo'] },
  {
    projectCode: estateOf(),
    terminalNo: text('终端号', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      sought: true,
      help: '收单方给的终端号，贴在机身上',
    }),
    name: text('名称', { required: true, max: 40, sought: true, help: '如 前台 1 号机' }),
    place: text('摆放位置', { max: 60 }),
    enabled: flag('启用', { required: true, initial: true }),
    remark: text('备注', { max: 200, notIn: ['filter'] }),
  },
)

export type PosTerminal = Row<typeof posTerminal>

export const listTerminals = call({
  at: 'GET finance/v1/PosTerminal/Get',
  title: '查询 POS 机',
  needs: menu.channel.may.view,
  input: search(posTerminal, ['enabled']),
  output: pageOf(posTerminal),
})

export const addTerminal = call({
  at: 'POST finance/v1/PosTerminal/Post',
  title: '登记 POS 机',
  needs: menu.channel.may.add,
  input: draftOf(posTerminal),
  output: oneOf(posTerminal),
  affects: ['posTerminal'],
})

export const editTerminal = call({
  at: 'PUT finance/v1/PosTerminal/Put',
  title: '编辑 POS 机',
  needs: menu.channel.may.edit,
  input: draftOf(posTerminal),
  output: oneOf(posTerminal),
  affects: ['posTerminal'],
})

export const deleteTerminals = call({
  at: 'DELETE finance/v1/PosTerminal/Delete',
  title: '删除 POS 机',
  needs: menu.channel.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['posTerminal'],
})

const number = payOrder.fields.orderNo
const { terminalNo, name, place } = posTerminal.fields

/**
 * The terminals on which an order may be paid: those in use in its project. Who may follow the order may ask.
 */
export const orderTerminals = call({
  at: 'GET finance/v1/PosTerminal/GetForOrder',
  title: '可用的 POS 机',
  needs: everyone,
  input: shape({ orderNo: number }),
  output: rowsOf({ terminalNo, name, place, page: text('模拟终端的页面') }, { entity: 'posTerminal' }),
})

/**
 * Sends an order to a terminal; the card is read there, and the result comes by callback or when it is asked
 * for.
 */
export const cardPay = call({
  at: 'POST Payment/GetCardPay',
  title: 'POS 刷卡收款',
  needs: everyone,
  input: shape({ orderNo: number, terminalNo }),
  output: orderShape,
  affects: ['payOrder', 'bill', 'payRecord', 'asset', 'feeRelation'],
})
