import { asFen } from '#kit/domain/money.ts'

/** R1 (C10.2): free 30 minutes, the first hour 5.00, each hour 2.00, at most 20.00 in 24 hours. */
export const exampleFeeTerms = {
  freeMinutes: 30,
  isFreeIncluded: false,
  firstMinutes: 60,
  firstFee: asFen(500),
  stepMinutes: 60,
  stepFee: asFen(200),
  capType: 'hours',
  capFee: asFen(2000),
  isFirstEachBlock: true,
  leaveFreeMinutes: 15,
} as const

/** A rule of these terms for every car and day, without its car park. */
export const exampleFeeRule = {
  ruleName: '临停收费',
  appliesOn: 'every',
  ...exampleFeeTerms,
  maxCoupons: 1,
  effectiveDate: '2026-01-01',
  state: 'on',
} as const
