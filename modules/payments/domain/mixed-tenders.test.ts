import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { addTender, type OtherTender } from './mixed-tenders.ts'

const add = (receivedText: string | undefined, shortfall: number, others: readonly OtherTender[] = []) =>
  addTender({ method: 'cash', receivedText, others }, { open: asFen(15_366), shortfall: asFen(shortfall) })

it('PAY-15: the cash that was typed stays, the new method has the rest', () => {
  expect(add('100', 5366)).toEqual({ receivedText: '100', others: [{ method: 'transfer', text: '53.66' }] })
  expect(add('200', 0)).toEqual({ receivedText: '200', others: [{ method: 'transfer', text: '' }] })
})

it('PAY-15: cash that was not typed, or typed as asked for, follows the other methods', () => {
  expect(add(undefined, 0)).toEqual({ receivedText: undefined, others: [{ method: 'transfer', text: '' }] })
  expect(add('153.66', 0).receivedText).toBeUndefined()
})

it('PAY-15: text that is no amount stays to be corrected, and counts as no amount', () => {
  expect(add('12.345', 15_366)).toEqual({
    receivedText: '12.345',
    others: [{ method: 'transfer', text: '' }],
  })
})

it('PAY-15: each further method is another one', () => {
  const others: OtherTender[] = [{ method: 'transfer', text: '10.00' }]
  expect(add('100', 4366, others).others).toEqual([...others, { method: 'cheque', text: '43.66' }])
})
