import * as choices from './choices.ts'
import { addHandover, cashierHandover, checkDay, closeDay, confirmHandover, dayClose, handoverPreview, listCloses, listHandovers, oneHandover, reopenDay } from './close.ts'
import { deskDiscount, findPayers, openDesk } from './desk.ts'
import { listChannels, openChannels, payChannel, saveChannel } from './channel.ts'
import { acceptOrder, alipayCode, askOrder, closeOrder, createOrder, listOrders, oneOrder, orderRecord, payByCode, payLink, payOrder, pollOrder, wechatCode } from './order.ts'
import { otherItems, payOther } from './other.ts'
import { payBills, quoteBills } from './pay.ts'
import { printedReceipts, receipts } from './receipt.ts'
import { listRecords, listTrades, oneRecord, payDetail, payRecord, recoverRecord, sumRecords, voidRecord } from './record.ts'
import { askRefund, auditRefund, cancelRefund, feeRefund, listRefunds, oneRefund, retryRefund } from './refund.ts'
import * as terminal from './terminal.ts'
import { exportRecords, exportTrades, importHistory } from './transfer.ts'

export const contract = {
  calls: [receipts, printedReceipts, findPayers, openDesk, deskDiscount, quoteBills, payBills, listRecords, sumRecords, oneRecord, listTrades, voidRecord, recoverRecord, askRefund, listRefunds, oneRefund, auditRefund, cancelRefund, retryRefund, handoverPreview, addHandover, listHandovers, oneHandover, confirmHandover, checkDay, closeDay, reopenDay, listCloses, createOrder, payLink, pollOrder, askOrder, payByCode, wechatCode, alipayCode, closeOrder, acceptOrder, orderRecord, listOrders, oneOrder, listChannels, saveChannel, openChannels, terminal.listTerminals, terminal.addTerminal, terminal.editTerminal, terminal.deleteTerminals, terminal.orderTerminals, terminal.cardPay, otherItems, payOther, ...importHistory.calls, ...exportRecords.calls, ...exportTrades.calls],
  entities: [payOrder, payRecord, payDetail, feeRefund, cashierHandover, dayClose, payChannel, terminal.posTerminal],
  choices: Object.values(choices).filter(c => 'rows' in c),
}
