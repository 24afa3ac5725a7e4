import { expect, it } from 'vitest'
import {
  exclusiveIdentifiers,
  isSamePerson,
  isTelephone,
  joinIdentifiers,
  nameTokensOf,
  noIdentifiers,
  recordsOfPerson,
  tokensOf,
  wholeNameTokensOf,
  withoutIdentifiers,
  type Identifiers,
} from './identifiers.ts'

const none = noIdentifiers
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
  expect(recordsOfPerson([a], [b, c, d])).toEqual([b, c])
})

it('what another record has too is no identifier of the person alone', () => {
  const own = { ...person('张伟', '1', 'X'), emails: ['a@b.cn'] }
  expect(exclusiveIdentifiers(own, [person('李四', '2')])).toEqual(own)
  expect(exclusiveIdentifiers(own, [person('张伟', '1', 'Y')])).toEqual({ ...own, names: [], mobiles: [] })
})

it('in texts whole numbers, plates and addresses are a sign of the person', () => {
  const tokens = tokensOf({
    ...joinIdentifiers([person('平安', '13800000001', '11010519491231002x'), person('manager', '110')]),
    emails: ['li@a.cn'],
    plates: ['苏E12345'],
  })
  const texts = tokens.map(token => token.text)
  expect(texts).toEqual([
    '11010519491231002x',
    '11010519491231002X',
    '13800000001',
    '苏E12345',
    '苏e12345',
    'li@a.cn',
  ])
  const patternOf = (text: string) => new RegExp(tokens.find(token => token.text === text)?.pattern ?? '')
  expect('电话13800000001。').toMatch(patternOf('13800000001'))
  expect('单号138000000011').not.toMatch(patternOf('13800000001'))
  expect('写给 li@a.cn。').toMatch(patternOf('li@a.cn'))
  expect('lili@a.cn、li@a.cn.hk').not.toMatch(patternOf('li@a.cn'))
})

it('in a text of the person the own names and numbers are blanked', () => {
  expect(withoutIdentifiers('张伟（13800000001）要求删除', person('张伟', '13800000001'), '注销人员7')).toBe(
    '注销人员7（***）要求删除',
  )
})

it('a name is found in a text only where it is long enough, or is the whole text', () => {
  const names = { names: ['平', 'Li', '欧阳平安', '平安'] }
  expect(nameTokensOf(names).map(token => token.text)).toEqual(['欧阳平安', 'Li', '平安'])
  const pattern = new RegExp(nameTokensOf(names).find(token => token.text === 'Li')?.pattern ?? '')
  expect('to Li, please').toMatch(pattern)
  expect('Lithium').not.toMatch(pattern)
  const whole = wholeNameTokensOf(names).map(token => new RegExp(token.pattern))
  expect(whole.some(each => each.test(' 平安 '))).toBe(true)
  expect(whole.some(each => each.test('平安小区'))).toBe(false)
})

it('a contact is known by a telephone, nothing else', () => {
  expect(['13800000001', '0512-88886666', '4008886666'].every(isTelephone)).toBe(true)
  expect(['平安', '1380000000', 'manager', '138000000011', '1'].some(isTelephone)).toBe(false)
})
