import { expect, it } from 'vitest'
import {
  exclusiveIdentifiers,
  isSamePerson,
  isTelephone,
  joinIdentifiers,
  recordsOfPerson,
  tokensOf,
  withoutIdentifiers,
  type Identifiers,
} from './identifiers.ts'

const none: Identifiers = { names: [], mobiles: [], idCards: [], emails: [] }
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

it('what another record has too is no identifier of the person alone', () => {
  const own = { ...person('张伟', '1', 'X'), emails: ['a@b.cn'] }
  expect(exclusiveIdentifiers(own, [person('李四', '2')])).toEqual(own)
  expect(exclusiveIdentifiers(own, [person('张伟', '1', 'Y')])).toEqual({ ...own, names: [], mobiles: [] })
})

it('in texts of others whole numbers and addresses are looked for, never a name or a login name', () => {
  const tokens = tokensOf({
    ...joinIdentifiers([person('平安', '13800000001', '11010519491231002x'), person('manager', '110')]),
    emails: ['li@a.cn'],
  })
  const texts = tokens.map(token => token.text)
  expect(texts).toEqual(['11010519491231002x', '11010519491231002X', '13800000001', 'li@a.cn'])
  const patternOf = (text: string) => new RegExp(tokens.find(token => token.text === text)?.pattern ?? '')
  expect('电话13800000001。').toMatch(patternOf('13800000001'))
  expect('单号138000000011').not.toMatch(patternOf('13800000001'))
  expect('写给 li@a.cn。').toMatch(patternOf('li@a.cn'))
  expect('lili@a.cn、li@a.cn.hk').not.toMatch(patternOf('li@a.cn'))
})

it('in a text of the person the own names and numbers are blanked', () => {
  expect(withoutIdentifiers('张伟（13800000001）要求删除', person('张伟', '13800000001'))).toBe(
    '已删除用户（***）要求删除',
  )
})

it('a contact is known by a telephone, nothing else', () => {
  expect(['13800000001', '0512-88886666', '4008886666'].every(isTelephone)).toBe(true)
  expect(['平安', '1380000000', 'manager', '138000000011', '1'].some(isTelephone)).toBe(false)
})
