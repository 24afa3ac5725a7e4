import { isStruckOut } from '#kit/contract/field.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { bill, type Bill } from '../contract/bill.ts'

/** 应收 of a choice of bills as lists sum it: an abolished or split bill counts in no sum. */
export const sumReceivable = (bills: readonly Pick<Bill, 'state' | 'receivable'>[]): Fen =>
  sumFen(bills.filter(row => !isStruckOut(bill.fields, row)).map(row => row.receivable))
