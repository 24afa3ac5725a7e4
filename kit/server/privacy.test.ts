import { expect, it } from 'vitest'
import { lines, list, part, text } from '#kit/contract/field.ts'
import { listOfRows, pageOfRows, shape, singleValue } from '#kit/contract/shape.ts'
import { maskAnswer, restoreMasked } from './privacy.ts'

const mobile = text('手机号', { masked: 'mobile' })
const person = {
  name: text('姓名'),
  mobile,
  certNo: text('证件号', { masked: 'idCard' }),
  key: text('密钥', { masked: 'secret' }),
}
const zhang = { name: '张三', mobile: '13800136021', certNo: '440106199003071234', key: 'abc' }
const shown = { name: '张三', mobile: '138 **** 6021', certNo: '440 *********** 1234', key: 'abc' }

it('masks phones and documents of every form of answer, nested ones too, and no secret (PERM-7)', () => {
  expect(maskAnswer(shape(person), zhang)).toEqual(shown)
  expect(maskAnswer(listOfRows(person), [zhang])).toEqual([shown])
  expect(maskAnswer(pageOfRows(person), { total: 1, rows: [zhang], sum: { a: 1 } })).toEqual({
    total: 1,
    rows: [shown],
    sum: { a: 1 },
  })
  const family = { title: text('名称'), people: lines('人员', person), payer: part('缴费人', person) }
  expect(maskAnswer(shape(family), { title: '一家', people: [zhang], payer: zhang })).toEqual({
    title: '一家',
    people: [shown],
    payer: shown,
  })
  expect(maskAnswer(singleValue(mobile), zhang.mobile)).toBe(shown.mobile)
  const numbers = { to: part('范围', { mobiles: list('号码', { masked: 'mobile' }) }) }
  expect(maskAnswer(shape(numbers), { to: { mobiles: [zhang.mobile, shown.mobile] } })).toEqual({
    to: { mobiles: [shown.mobile, shown.mobile] },
  })
})

it('leaves what is empty or masked already, and responses without personal data, as they are', () => {
  expect(maskAnswer(shape(person), shown)).toEqual(shown)
  expect(maskAnswer(shape(person), { name: '李四' })).toEqual({ name: '李四' })
  expect(maskAnswer(shape(person), undefined)).toBeUndefined()
  const plain = { total: 0, rows: [] }
  expect(maskAnswer(pageOfRows({ names: list('姓名') }), plain)).toBe(plain)
})

it('a form that comes back masked keeps what is stored; only who may see it can clear it (PERM-7)', () => {
  const restore = (input: object, canSeePersonalData: boolean) =>
    restoreMasked(person, input, zhang, { canSeePersonalData })
  for (const isAllowed of [true, false]) {
    expect(restore(shown, isAllowed)).toMatchObject({ mobile: zhang.mobile, certNo: zhang.certNo })
    expect(restore({ ...shown, mobile: '13900000001' }, isAllowed)).toMatchObject({ mobile: '13900000001' })
  }
  expect(restore({ certNo: shown.certNo }, true)).toEqual({ certNo: zhang.certNo })
  expect(restore({ certNo: shown.certNo }, false)).toMatchObject({ mobile: zhang.mobile })
})
