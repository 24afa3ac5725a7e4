import type { Id } from '#kit/domain/id.ts'
import type { Choices } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { orderState, orderType, refundState, refundWay } from '#modules/payments/contract/choices.ts'
import { diffType, tradeKind } from '../contract/choices.ts'

export interface ChannelBillKey {
  readonly id: Id
  readonly day: Day
  readonly channel: number
}

/** The label of a stored code, for people. */
const labelCase = (column: string, choices: Choices): RawBuilder<unknown> =>
  sql`case ${sql.ref(column)} ${sql.join(
    Object.values(choices.rows).map(([stored, label]) => sql`when ${sql.lit(stored)} then ${sql.lit(label)}`),
    sql` `,
  )} end`

const sharedCodes = {
  liveOrder: notDeleted('o'),
  liveRefund: notDeleted('f'),
  orderStateLabel: labelCase('o.state', orderState),
  paidStates: codes(orderState, 'paid', 'refunded'),
  pay: code(tradeKind, 'pay'),
  refund: code(tradeKind, 'refund'),
  refundDone: code(refundState, 'done'),
  refundStateLabel: labelCase('f.state', refundState),
}

const localTradeCodes = {
  ...sharedCodes,
  originalWay: code(refundWay, 'original'),
  platformOrderTypes: codes(orderType, 'sms', 'renewal'),
}

const differenceCodes = {
  ...sharedCodes,
  amountDiffers: code(diffType, 'amount'),
  onlyChannel: code(diffType, 'onlyChannel'),
  onlyLocal: code(diffType, 'onlyLocal'),
  refundDiffers: code(diffType, 'refund'),
  stateDiffers: code(diffType, 'state'),
}

const localTrades = sqlFile(import.meta.dirname, 'local-trades.sql', [
  'bill',
  'channel',
  'dayBegin',
  'dayEnd',
  'liveOrder',
  'liveRefund',
  'orderStateLabel',
  'originalWay',
  'ownerId',
  'paidStates',
  'pay',
  'platformOrderTypes',
  'refund',
  'refundDone',
  'refundStateLabel',
])

/** What we booked of a channel on a day. */
export const localTradesQuery = (ownerId: Id, bill: ChannelBillKey): RawBuilder<unknown> =>
  localTrades({
    ...localTradeCodes,
    bill: bill.id,
    channel: bill.channel,
    dayBegin: `${bill.day} 00:00:00+08`,
    dayEnd: `${addDays(bill.day, 1)} 00:00:00+08`,
    ownerId,
  })

const differences = sqlFile(import.meta.dirname, 'differences.sql', [
  'amountDiffers',
  'bill',
  'channel',
  'liveOrder',
  'liveRefund',
  'localTrades',
  'onlyChannel',
  'onlyLocal',
  'orderStateLabel',
  'ownerId',
  'paidStates',
  'pay',
  'refund',
  'refundDiffers',
  'refundDone',
  'refundStateLabel',
  'stateDiffers',
  'twoDaysAfter',
  'twoDaysBefore',
])

/** CLO-5: the differences of a day. */
export const differencesQuery = (ownerId: Id, bill: ChannelBillKey): RawBuilder<unknown> =>
  differences({
    ...differenceCodes,
    bill: bill.id,
    channel: bill.channel,
    localTrades: localTradesQuery(ownerId, bill),
    ownerId,
    twoDaysAfter: addDays(bill.day, 2),
    twoDaysBefore: addDays(bill.day, -2),
  })
