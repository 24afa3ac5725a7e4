import { declareContract } from '#kit/contract/module-contract.ts'
import * as invoice from './invoice.ts'
import * as meter from './meter.ts'
import * as month from './month.ts'
import * as parking from './parking.ts'
import * as prestore from './prestore.ts'
import * as receivable from './receivable.ts'
import * as received from './received.ts'
import * as refund from './refund.ts'
import * as room from './room.ts'
import * as statistic from './statistic.ts'
import * as dailyCollection from './daily-collection.ts'
import * as trade from './trade.ts'

export const contract = {
  base: 'finance/v1',
  ...declareContract(
    invoice,
    meter,
    month,
    parking,
    prestore,
    receivable,
    received,
    refund,
    room,
    statistic,
    dailyCollection,
    trade,
  ),
}
