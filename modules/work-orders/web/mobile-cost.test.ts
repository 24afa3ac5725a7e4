import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import {
  addItem,
  costProblem,
  emptyEntry,
  isNewItem,
  itemOfEntry,
  matchingItems,
  missingText,
  typeQuantity,
  type DraftLine,
} from './mobile-cost.ts'

const prices = [
  { name: '角阀', unit: '个', price: asFen(2500) },
  { name: '角阀加长', unit: '个', price: asFen(3500) },
  { name: '上门费', price: asFen(3000) },
]

it('WO-8: what is typed is an item of the list by its name, or a new one with its price', () => {
  expect(itemOfEntry(prices, { name: ' 角阀 ', price: '' })).toEqual(prices[0])
  expect(itemOfEntry(prices, { name: '软管', price: '' })).toBeUndefined()
  expect(itemOfEntry(prices, { name: '软管', price: '12.5' })).toEqual({ name: '软管', price: 1250 })
  expect(itemOfEntry(prices, { name: '软管', price: '-1' })).toBeUndefined()
  expect(itemOfEntry(prices, { name: '', price: '12' })).toBeUndefined()
  expect(matchingItems(prices, { name: '角', price: '' })).toHaveLength(2)
  expect([isNewItem(prices, { name: '角', price: '' }), isNewItem(prices, emptyEntry)]).toEqual([true, false])
})

it('WO-8: the same item again is one more; work and parts differ by name', () => {
  const twice = [0, 0, 2].reduce<readonly DraftLine[]>(
    (lines, index) => addItem(lines, prices[index] ?? { name: '', price: 0 }),
    [],
  )
  expect(twice.map(({ lineKind, name, quantity }) => [lineKind, name, quantity])).toEqual([
    ['material', '角阀', '2'],
    ['labour', '上门费', '1'],
  ])
})

it('WO-8: a half typed part or quantity keeps the work from being finished without it', () => {
  const lines = addItem([], { name: '角阀', price: asFen(2500) })
  expect(costProblem(lines, emptyEntry)).toBeUndefined()
  expect(costProblem(lines, { name: '软管', price: '' })).toBe('「软管」尚未添加到费用明细，请添加或取消')
  expect(costProblem(lines, { name: '', price: '12' })).toBe('有单价没有名称，请补全或取消')
  const emptied = lines.map(line => typeQuantity(line, ''))
  expect(costProblem(emptied, emptyEntry)).toBe('「角阀」的数量应为大于零的数')
  const typed = emptied.map(line => typeQuantity(line, '1.5'))
  expect(costProblem(typed, emptyEntry)).toBeUndefined()
  expect(typed).toEqual([expect.not.objectContaining({ quantityText: expect.anything() })])
  expect(typed[0]?.quantity).toBe('1.5')
})

it('WO-8: a quantity or a price that the server would refuse is refused before it is sent', () => {
  const typed = (quantity: string, price: number) =>
    addItem([], { name: '角阀', price: asFen(price) }).map(line => typeQuantity(line, quantity))
  expect(costProblem(typed('1000000', 100), emptyEntry)).toBe('「角阀」的数量不能大于 999999')
  expect(costProblem(typed('1', 1_000_000_000), emptyEntry)).toBe('「角阀」的单价不能大于 9999999.99')
  expect(costProblem(typed('99999', 999_999_999), emptyEntry)).toContain('「角阀」的金额超过 99999999.99 元')
})

it('WO-1: a price list that this phone has not read is not shown as empty', () => {
  expect(missingText(undefined)).toContain('价目尚未下载')
  expect(missingText([])).toBe('该类型没有价目，请填写名称与单价')
  expect(missingText(prices)).toBeUndefined()
})
