import { call } from '#kit/contract/call.ts'
import { byIds, listOfRows, shape } from '#kit/contract/shape.ts'
import { idOf, int, lines, money, part, text } from '#kit/contract/field.ts'
import { printTemplateFields } from '#modules/accounts/contract/print-settings.ts'
import { menu } from '../module.ts'
import { payDetail, recordWithDetails } from './record.ts'

/** What money without bills was for, as the module that keeps it says: a top-up, a deposit. */
const receiptLineFields = {
  item: text('款项', { required: true }),
  amount: money('金额', { required: true }),
  gift: money('赠送'),
  after: money('余额'),
  deducted: money('已扣款'),
  back: money('已退还'),
}

const receiptDetailFields = {
  ...payDetail.fields,
  /** What this payment left unpaid of the bill's principal. */
  unpaid: money('未收', { required: true }),
}

/**
 * What is on the receipts of records and by which template: the one of the first printing, else as it
 * is now. Two hundred at most.
 */
export const getReceipts = call({
  route: 'GET finance/v1/FeePayRecord/receipts',
  title: '收据内容',
  needs: menu.record.permissions.print,
  input: byIds,
  output: listOfRows({
    ...recordWithDetails,
    details: lines('缴费明细', receiptDetailFields, { required: true, wire: 'Details' }),
    about: lines('款项', receiptLineFields, { required: true, wire: 'About' }),
    paper: part('模板', printTemplateFields, { required: true }),
  }),
})

/** Counts a printing before it is done; from the second on the receipt says 补打第 n 次 (PAY-20). */
export const markReceiptsPrinted = call({
  route: 'POST finance/v1/FeePayRecord/PostPrint',
  title: '登记收据打印',
  needs: menu.record.permissions.print,
  input: byIds,
  affects: ['payRecord'],
  output: shape({
    count: int('张数', { required: true }),
    rows: lines(
      '收据',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        nth: int('第几次', { required: true }),
        paper: part('模板', printTemplateFields, { required: true }),
      },
      { required: true },
    ),
  }),
})
