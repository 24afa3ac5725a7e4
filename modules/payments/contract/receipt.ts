import { call } from '#kit/contract/call.ts'
import { byIds, rowsOf, shape } from '#kit/contract/shape.ts'
import { int } from '#kit/contract/field.ts'
import { menu } from '../module.ts'
import { wholeRecord } from './record.ts'

/** What stands on the receipts of records, two hundred at most. */
export const receipts = call({ at: 'GET finance/v1/FeePayRecord/receipts', title: '收据内容', needs: menu.record.may.print, input: byIds, output: rowsOf(wholeRecord) })
/** Counts a printing; from the second on the receipt says 补打第 n 次 (PAY-20). */
export const printedReceipts = call({ at: 'POST finance/v1/FeePayRecord/PostPrint', title: '登记收据打印', needs: menu.record.may.print, input: byIds, output: shape({ count: int('张数', { required: true }) }), affects: ['payRecord'] })
