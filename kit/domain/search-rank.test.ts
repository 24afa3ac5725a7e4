import { describe, expect, it } from 'vitest'
import { addressPattern, matchSearch, rankSearch, splitAddress, type SearchCandidate } from './search-rank.ts'

const path = (text: string) => ({ label: '房号', text, isPath: true })
const marked = (typed: string, text: string): string | undefined => {
  const match = matchSearch(typed, [path(text)])
  return match && `${match.rank} ${match.marks.map(i => text[i]).join('')}`
}

describe('one answer of a room path to what was typed (BILL-11)', () => {
  it.each([
    ['1502', '3-2-1502', 'exact 1502'],
    ['3-2-1502', '3-2-1502', 'exact 3-2-1502'],
    ['321502', '3-2-1502', 'exact 321502'],
    ['１５０２', '3-2-1502', 'exact 1502'],
    ['15', '1-1-1515', 'end 15'],
    ['15', '15-1-101', 'prefix 15'],
    ['1502', '1-1-502', 'end 1502'],
    ['150', '3-2-1502', 'prefix 150'],
    ['32', '3-2-1502', 'prefix 32'],
    ['215', '3-2-1502', 'rest 215'],
    ['12 1501', '12-2-1501', 'exact 121501'],
    ['12-1501', '12-2-1501', 'exact 121501'],
    ['12栋1501', '12-2-1501', 'exact 121501'],
    ['12 栋 2 单元 1501 室', '12-2-1501', 'exact 1221501'],
    ['12号楼2单元1501', '12-2-1501', 'exact 1221501'],
    ['12栋', '12-2-1501', 'prefix 12'],
    ['12 15', '12-2-1501', 'prefix 1215'],
    ['12 1501', '1-12-1501', 'exact 121501'],
    ['12 1501', '2-1-1501', undefined],
    ['1501 12', '12-2-1501', undefined],
    ['12 1501', '112-1-1501', undefined],
    ['１２　１５０１', '12-2-1501', 'exact 121501'],
    ['a座 301', 'A-1-301', 'exact A301'],
    ['办公楼 301', '办公楼-1-301', 'exact 办公楼301'],
    ['2-15', '2-2-1502', 'prefix 215'],
    ['6-1-', '6-1-101', 'prefix 61'],
    ['6-1-', '6-11-101', undefined],
    ['1502', '3-2-1601', undefined],
  ])('%s in %s: %s', (typed, text, expected) => expect(marked(typed, text)).toBe(expected))
})

it('BILL-11: other texts rank alike, and say which one was found', () => {
  const fields = [
    path('3-2-1502'),
    { label: '姓名', text: '杨建国' },
    { label: '手机号', text: '13812344217', isSecondary: true },
  ]
  const found = (typed: string) => {
    const match = matchSearch(typed, fields)
    return match && [match.field.label, match.rank]
  }
  expect(found('杨建国')).toEqual(['姓名', 'exact'])
  expect(found('建国')).toEqual(['姓名', 'end'])
  expect(found('杨')).toEqual(['姓名', 'prefix'])
  expect(found('4217')).toEqual(['手机号', 'end'])
  expect(found('138')).toEqual(['手机号', 'prefix'])
  expect(found('1502')).toEqual(['房号', 'exact'])
  expect(found('yjg')).toBeUndefined()
})

const room = (text: string, overrides: Partial<SearchCandidate> = {}): SearchCandidate => ({
  fields: [path(text)],
  group: text.split('-')[0],
  sortKey: text.replace(/\d+/g, d => d.padStart(6, '0')),
  ...overrides,
})
const order = (typed: string, candidates: readonly SearchCandidate[], limit = 10) =>
  rankSearch(typed, candidates, limit).map(({ candidate }) => candidate.fields[0]?.text)

it('BILL-11: exact, then end, then prefix, then the rest', () => {
  const found = ['1-1-502', '15-02-101', '3-1-15021', '3-1-1502', '8-1-91502', '4-2-1502'].map(p => room(p))
  expect(order('1502', found)).toEqual([
    '3-1-1502',
    '4-2-1502',
    '1-1-502',
    '8-1-91502',
    '3-1-15021',
    '15-02-101',
  ])
})

const ofPhone = (text: string, mobile: string): SearchCandidate =>
  room(text, { fields: [path(text), { label: '手机号', text: mobile, isSecondary: true }] })

it('BILL-11: every room comes before matches of a phone, card or plate', () => {
  const found = [
    ofPhone('1-1-101', '15012345678'),
    ofPhone('1-1-102', '13812341150'),
    room('2-1-1501'),
    room('2-1-150'),
    room('9-1-8150'),
    room('3-1-81501'),
    room('云A150', { fields: [{ label: '车牌', text: '150', isSecondary: true }] }),
  ]
  expect(order('150', found)).toEqual([
    '2-1-150',
    '9-1-8150',
    '2-1-1501',
    '3-1-81501',
    '150',
    '1-1-102',
    '1-1-101',
  ])
  expect(order('15', found).slice(0, 2)).toEqual(['2-1-150', '2-1-1501'])
  // A phone with the digits of a room's number does not hide that the number matches.
  expect(matchSearch('150', ofPhone('2-1-1501', '13812341150').fields)?.field.label).toBe('房号')
})

it('BILL-11: the chosen estate before all others, who owes before who does not', () => {
  expect(
    order('1502', [
      room('1-1-1502', { isElsewhere: true }),
      room('1-1-502'),
      room('2-1-1502'),
      room('9-1-1502', { isPreferred: true }),
    ]),
  ).toEqual(['9-1-1502', '2-1-1502', '1-1-502', '1-1-1502'])
})

it('BILL-11: ten hits have rooms of every building', () => {
  const found = Array.from({ length: 48 }, (_, i) => room(`${(i % 8) + 1}-${Math.floor(i / 8) + 1}-1502`))
  const best = order('1502', found)
  expect(best).toHaveLength(10)
  expect(new Set(best.map(p => p?.split('-')[0])).size).toBe(8)
  // More than are seen at once: the first ten are still of every building.
  expect(
    new Set(
      order('1502', found, 20)
        .slice(0, 10)
        .map(p => p?.split('-')[0]),
    ).size,
  ).toBe(8)
  // What is kept stands in its natural order.
  expect(best.slice(0, 4)).toEqual(['1-1-1502', '1-2-1502', '2-1-1502', '2-2-1502'])
})

it('keeps what no text explains, after all else', () => {
  const pinyin: SearchCandidate = { fields: [{ label: '姓名', text: '杨建国' }], sortKey: '1' }
  expect(rankSearch('yjg', [pinyin], 5)).toEqual([{ candidate: pinyin, match: undefined }])
})

it('asks the database for the same addresses', () => {
  const find = (typed: string, text: string): boolean =>
    new RegExp(addressPattern(splitAddress(typed)) ?? 'never').test(text)
  for (const typed of ['12 1501', '12栋1501', '12-2-1501', '12-2-', '12 15', '2-1501']) {
    expect(find(typed, '12-2-1501 1221501 '), typed).toBe(true)
  }
  for (const typed of ['2 1-1501', '1501 12', '12-1-', '1 1501', '12 501']) {
    expect(find(typed, '12-2-1501 1221501 '), typed).toBe(false)
  }
  expect(addressPattern(splitAddress('1502'))).toBeUndefined()
  expect(addressPattern(splitAddress('3.* 2'))).toBe('(^|-)3\\.\\*-([^ ]*-)?2')
})

it('reads an address as people write it', () => {
  expect(
    ['３栋2单元1502室', '3-2-1502', '321502', '3号楼 2单元', '1502 号', 'A座—301', '-'].map(splitAddress),
  ).toEqual([
    { parts: ['3', '2', '1502'], isClosed: false },
    { parts: ['3', '2', '1502'], isClosed: false },
    { parts: ['321502'], isClosed: false },
    { parts: ['3', '2'], isClosed: true },
    { parts: ['1502'], isClosed: true },
    { parts: ['a', '301'], isClosed: false },
    { parts: [], isClosed: true },
  ])
})
