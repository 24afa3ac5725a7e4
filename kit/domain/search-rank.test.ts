import { describe, expect, it } from 'vitest'
import { addressPattern, splitAddress, splitAddressAndName } from './address.ts'
import { matchSearch, rankSearch, type SearchCandidate } from './search-rank.ts'

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
    ['12 1501', '1-12-1501', 'end 121501'],
    ['12 15', '1-12-1501', 'rest 1215'],
    ['12-', '1-12-1501', 'rest 12'],
    ['2-1501', '2-1-1501', 'exact 21501'],
    ['2-1501', '1-2-1501', 'end 21501'],
    ['1-1504', '1-1-1504', 'exact 11504'],
    ['1-1504', '2-1-1504', 'end 11504'],
    ['1-1-1504', '1-1-1504', 'exact 1-1-1504'],
    ['1-1-1504', '1-1-1-1504', 'exact 111504'],
    ['1栋 1504', '1-1-1504', 'exact 11504'],
    ['1栋 1504', '1-2-1504', 'exact 11504'],
    ['1栋 1504', '2-1-1504', undefined],
    ['1幢1504', '2-1-1504', undefined],
    ['1号楼1504', '2-1-1504', undefined],
    ['1座 1504', '2-1-1504', undefined],
    ['１栋　１５０４', '2-1-1504', undefined],
    ['１栋　１５０４室', '1-1-1504', 'exact 11504'],
    ['1栋1单元1504', '1-1-1504', 'exact 111504'],
    ['1栋1单元1504', '1-2-1504', undefined],
    ['1栋2单元1504', '2-1-1504', undefined],
    ['2单元1504', '1-2-1504', 'end 21504'],
    ['2单元1504', '2-1-1504', undefined],
    ['2单元', '2-1-1504', undefined],
    ['2单元', '1-2-1504', 'rest 2'],
    ['2栋', '1-2-1504', undefined],
    ['1504栋', '1-2-1504', undefined],
    ['1504室', '1-2-1504', 'exact 1504'],
    ['150室', '1-2-1504', undefined],
    ['15室', '15-2-1504', undefined],
    ['2栋15', '2-1-1504', 'prefix 215'],
    ['2栋15', '1-2-1504', undefined],
    ['十二栋 1501', '12-2-1501', 'exact 121501'],
    ['十二栋1501', '十二栋-2-1501', 'exact 十二栋1501'],
    ['二十栋三单元101', '20-3-101', 'exact 203101'],
    ['1栋二单元101', '1-2-101', 'exact 12101'],
    ['十二栋 1501', '2-12-1501', undefined],
    ['一期 3栋 101', '一期-3-2-101', 'exact 一期3101'],
    ['3栋 101', '一期-3-2-101', 'end 3101'],
    ['3栋 101', '3-101', 'exact 3101'],
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
    ['商业街', '商业街-商业-101', 'prefix 商业街'],
    ['商业街101', '商业街-商业-101', 'exact 商业街101'],
    ['商业街-101', '商业街-商业-101', 'exact 商业街101'],
    ['商业街101', '商业街-101', 'exact 商业街101'],
    ['商业街10', '商业街-商业-101', 'prefix 商业街10'],
    ['商业街101', '商业街-商业-102', undefined],
    ['翠园3-101', '翠园3-1-101', 'exact 翠园3101'],
    ['一期3栋101', '一期-3-1-101', 'exact 一期3101'],
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

it('BILL-11: the chosen estate before all others, equal ones in their natural order', () => {
  expect(
    order('1502', [
      room('1-1-1502', { isElsewhere: true }),
      room('1-1-502'),
      room('10-1-1502'),
      room('9-2-1502'),
      room('9-1-1502'),
    ]),
  ).toEqual(['9-1-1502', '9-2-1502', '10-1-1502', '1-1-502', '1-1-1502'])
})

const numbered = (number: string): readonly SearchCandidate[] =>
  ['9-1', '5-1', '2-2', '2-1', '1-2', '1-1'].map(place => room(`${place}-${number}`))

describe('BILL-11: the building that was typed comes first', () => {
  it.each([
    ['1栋 1504', ['1-1-1504', '1-2-1504']],
    ['1号楼1504室', ['1-1-1504', '1-2-1504']],
    ['2栋1504', ['2-1-1504', '2-2-1504']],
    ['2 栋 1504', ['2-1-1504', '2-2-1504']],
    ['2 1504', ['2-1-1504', '2-2-1504', '1-2-1504']],
    ['2-1504', ['2-1-1504', '2-2-1504', '1-2-1504']],
    ['1-1504', ['1-1-1504', '1-2-1504', '2-1-1504', '5-1-1504', '9-1-1504']],
    ['1-1-1504', ['1-1-1504']],
    ['1 15', ['1-1-1504', '1-2-1504', '2-1-1504', '5-1-1504', '9-1-1504']],
    ['2单元1504', ['1-2-1504', '2-2-1504']],
  ])('%s', (typed, expected) => {
    const found = rankSearch(typed, numbered('1504'), 10).filter(({ match }) => match)
    expect(found.map(({ candidate }) => candidate.fields[0]?.text)).toEqual(expected)
  })
})

it('BILL-11: ten hits have rooms of every building', () => {
  const found = Array.from({ length: 48 }, (_, i) => room(`${(i % 8) + 1}-${Math.floor(i / 8) + 1}-1502`))
  const best = order('1502', found)
  expect(best).toHaveLength(10)
  expect(new Set(best.map(p => p?.split('-')[0])).size).toBe(8)
  // What is kept is in its natural order.
  expect(best.slice(0, 4)).toEqual(['1-1-1502', '1-2-1502', '2-1-1502', '2-2-1502'])
})

it('BILL-11: all that are given of a rank are in their natural order, however many there are', () => {
  const paths = Array.from({ length: 18 }, (_, i) => `${Math.floor(i / 2) + 1}-${(i % 2) + 1}-101`)
  const shops = ['商业街-商业-101', '商业街-商业-102']
  const shuffled = [...paths, ...shops].toReversed().map(p => room(p))
  expect(order('101', shuffled, 20).slice(0, 19)).toEqual([...paths, '商业街-商业-101'])
  expect(order('商业街', shuffled, 20).slice(0, 2)).toEqual(shops)
})

it('keeps what no text explains, after all else', () => {
  const pinyin: SearchCandidate = { fields: [{ label: '姓名', text: '杨建国' }], sortKey: '1' }
  expect(rankSearch('yjg', [pinyin], 5)).toEqual([{ candidate: pinyin, match: undefined }])
})

it('asks the database for the same addresses', () => {
  const find = (typed: string, text: string): boolean =>
    new RegExp(addressPattern(splitAddress(typed)) ?? 'never').test(text)
  for (const typed of [
    '12 1501',
    '12栋1501',
    '12-2-1501',
    '12-2-',
    '12 15',
    '2-1501',
    '12栋',
    '2单元1501室',
    '十二栋15',
  ]) {
    expect(find(typed, '12-2-1501 1221501 '), typed).toBe(true)
  }
  for (const typed of [
    '2 1-1501',
    '1501 12',
    '12-1-',
    '1 1501',
    '12 501',
    '2栋1501',
    '2栋',
    '12单元',
    '150室',
  ]) {
    expect(find(typed, '12-2-1501 1221501 '), typed).toBe(false)
  }
  expect(addressPattern(splitAddress('1502'))).toBeUndefined()
  expect(addressPattern(splitAddress('3.* 2'))).toBe('(^|-)3\\.\\*-([^ ]*-)?2')
})

it.each([
  ['8-2-903 覃', { address: '8-2-903', name: '覃' }],
  ['覃 8-2-903', { address: '8-2-903', name: '覃' }],
  ['8栋 2单元 903室 覃慧秀', { address: '8栋 2单元 903室', name: '覃慧秀' }],
  ['903 tanhx', { address: '903', name: 'tanhx' }],
  ['8-2-903', undefined],
  ['覃 慧秀', undefined],
  ['12 1501', undefined],
])('an address and a name in %s', (typed, expected) => expect(splitAddressAndName(typed)).toEqual(expected))

it('reads an address as people write it', () => {
  const spelled = (typed: string): string => {
    const { parts, isClosed } = splitAddress(typed)
    return (
      parts.map(({ texts, place = '' }) => `${texts.join('|')} ${place}`.trim()).join(', ') +
      (isClosed ? ', closed' : '')
    )
  }
  expect(spelled('３栋2单元1502室')).toBe('3 building, 2 unit, 1502 number')
  expect(spelled('3-2-1502')).toBe('3, 2, 1502')
  expect(spelled('321502')).toBe('321502')
  expect(spelled('3号楼 2单元')).toBe('3 building, 2 unit')
  expect(spelled('1502 号')).toBe('1502, closed')
  expect(spelled('3楼')).toBe('3, closed')
  expect(spelled('A座—301')).toBe('a building, 301')
  expect(spelled('十栋一单元')).toBe('10|十栋 building, 1|一单元 unit')
  expect(spelled('二二栋')).toBe('二二栋')
  expect(spelled('万一栋')).toBe('万一栋')
  expect(spelled('十五号公馆')).toBe('十五号公馆')
  expect(spelled('6-1-')).toBe('6, 1, closed')
  expect(spelled('-')).toBe(', closed')
})
