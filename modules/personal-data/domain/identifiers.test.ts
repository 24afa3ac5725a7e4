import { expect, it } from 'vitest'
import {
  exclusiveIdentifiers,
  isSamePerson,
  joinIdentifiers,
  patternOf,
  recordsOfPerson,
  tokensOf,
  type Identifiers,
} from './identifiers.ts'

const none: Identifiers = { names: [], mobiles: [], idCards: [], emails: [], others: [] }
const person = (name: string, mobile?: string, idCard?: string): Identifiers => ({
  ...none,
  names: [name],
  mobiles: mobile === undefined ? [] : [mobile],
  idCards: idCard === undefined ? [] : [idCard],
})

it('records are of one person by the document, or by name and telephone together', () => {
  expect(isSamePerson(person('甲', '13800000001'), person('甲', '13800000001'))).toBe(true)
  expect(isSamePerson(person('甲', '1', 'X1'), person('乙', '2', 'X1'))).toBe(true)
  expect(isSamePerson(person('甲', '13800000001'), person('乙', '13800000001'))).toBe(false)
  expect(isSamePerson(person('甲', '1'), person('甲', '2'))).toBe(false)
  expect(isSamePerson(person('甲'), person('甲'))).toBe(false)
})

it('records are joined by way of each other', () => {
  const [a, b, c, d] = [
    person('甲', '1', 'X'),
    person('甲甲', '2', 'X'),
    person('甲甲', '2'),
    person('甲', '3'),
  ]
  expect(recordsOfPerson(a, [a, b, c, d])).toEqual([a, b, c])
})

it('what somebody else has too, or has within a longer name, is no identifier of the person alone', () => {
  const own = { ...person('张伟', '1', 'X'), emails: ['a@b.cn'] }
  expect(exclusiveIdentifiers(own, [person('李四', '2')])).toEqual(own)
  expect(exclusiveIdentifiers(own, [person('张伟民', '1', 'Y')])).toEqual({ ...own, names: [], mobiles: [] })
  expect(exclusiveIdentifiers(person('王'), [])).toEqual(none)
})

it('texts are searched for the longest first, numbers only where no digit stands beside them', () => {
  const tokens = tokensOf(
    joinIdentifiers([person('张伟', '13800000001', '11010519491231002X'), person('张伟', '')]),
  )
  expect(tokens.map(token => token.text)).toEqual(['11010519491231002X', '13800000001', '张伟'])
  expect(patternOf({ text: '138', replacement: '', isNumber: true })).toBe('(?<![0-9])138(?![0-9])')
  expect(patternOf({ text: 'a.b(c)', replacement: '', isNumber: false })).toBe('a\\.b\\(c\\)')
  // A login name of a few letters would be found within words.
  expect(tokensOf({ ...none, others: ['li'], emails: ['li@a.cn'] }).map(token => token.text)).toEqual([
    'li@a.cn',
  ])
})
