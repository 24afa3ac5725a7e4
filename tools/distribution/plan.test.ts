import { expect, it } from 'vitest'
import { compareTallies, isAtLeastVersion, parseCompany, parseNode, placementOf, type Tally } from './plan.ts'

it('places a table by its name, else by its owner_id, else nowhere', () => {
  expect(placementOf({ name: 'bill', hasOwner: true })).toBe('distributed')
  expect(placementOf({ name: 'directory', hasOwner: true })).toBe('local')
  expect(placementOf({ name: 'product', hasOwner: false })).toBe('reference')
  expect(placementOf({ name: 'schema_migration', hasOwner: false })).toBe('local')
  expect(placementOf({ name: 'something_new', hasOwner: false })).toBeUndefined()
})

it('reads the address of a node and a company number, and explains a wrong one', () => {
  expect(parseNode('10.0.0.5:6000')).toEqual({ host: '10.0.0.5', port: 6000 })
  expect(parseNode('db-2.example')).toEqual({ host: 'db-2.example', port: 5432 })
  expect(() => parseNode('db 2')).toThrow('主机:端口')
  expect(() => parseNode('db:70000')).toThrow('主机:端口')
  expect(parseCompany('12')).toBe(12)
  expect(() => parseCompany('甲')).toThrow('应为正整数')
})

const tally = (table: string, ownerId: string, rows: string, due = '0'): Tally => ({
  table,
  ownerId,
  rows,
  sums: { due },
})

it('finds every difference of rows and of money between two counts', () => {
  const before = [tally('bill', '1', '10', '100.00'), tally('bill', '2', '5'), tally('room', '1', '3')]
  expect(compareTallies(before, before)).toEqual([])
  expect(
    compareTallies(before, [
      tally('bill', '1', '9', '90.00'),
      tally('room', '1', '3'),
      tally('room', '3', '1'),
    ]),
  ).toEqual([
    '表 bill 公司 1：原有 10 行，现在 9 行',
    '表 bill 公司 1：due 合计原为 100.00，现在 90.00',
    '表 bill 公司 2：原有 5 行，现在没有',
    '表 room 公司 3：原来没有，现在 1 行',
  ])
})

it('compares versions by number', () => {
  expect(isAtLeastVersion('13.2.2', '12.1')).toBe(true)
  expect(isAtLeastVersion('12.1', '12.1')).toBe(true)
  expect(isAtLeastVersion('9.5.11', '12.1')).toBe(false)
  expect(isAtLeastVersion('12.0.9', '12.1')).toBe(false)
})
