import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { payerSpans } from './payer-history.ts'

const seller = asId(1)
const buyer = asId(2)
const tenant = asId(3)

it('a payer begins on the day that was entered, and the first one pays before it too (PRO-7)', () => {
  expect(payerSpans(seller, [])).toEqual([{ from: '0001-01-01', id: seller }])
  expect(
    payerSpans(buyer, [
      { id: asId(1), effectiveDate: '2026-01-01', newRef: seller },
      { id: asId(2), effectiveDate: '2026-11-16', oldRef: seller, newRef: buyer },
    ]),
  ).toEqual([
    { from: '2026-01-01', id: seller },
    { from: '2026-11-16', id: buyer },
  ])
})

it('what was entered last holds from its own day on, also before an earlier entry (PRO-7, C27-7)', () => {
  expect(
    payerSpans(buyer, [
      { id: asId(7), effectiveDate: '2026-11-20', oldRef: seller, newRef: tenant },
      { id: asId(9), effectiveDate: '2026-11-16', oldRef: tenant, newRef: buyer },
    ]),
  ).toEqual([
    { from: '0001-01-01', id: seller },
    { from: '2026-11-16', id: buyer },
  ])
})

it('two changes of one day leave the last of them, and a change back leaves none', () => {
  const changes = [
    { id: asId(1), effectiveDate: '2026-11-16', oldRef: seller, newRef: tenant },
    { id: asId(2), effectiveDate: '2026-11-16', oldRef: tenant, newRef: buyer },
  ] as const
  expect(payerSpans(buyer, changes)).toEqual([
    { from: '0001-01-01', id: seller },
    { from: '2026-11-16', id: buyer },
  ])
  expect(
    payerSpans(seller, [
      ...changes,
      { id: asId(3), effectiveDate: '2026-11-16', oldRef: buyer, newRef: seller },
    ]),
  ).toEqual([{ from: '0001-01-01', id: seller }])
})
