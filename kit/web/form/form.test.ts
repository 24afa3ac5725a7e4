import { expect, it } from 'vitest'
import { int, lines, money, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { Unread, faultOf, readTyped } from '../controls/unread.ts'
import { faultsOf, keyAt, same } from './state.ts'

const fields = {
  roomNo: text('房号', { required: true, wire: ['Roomno', 'RoomNo'] }),
  mobile: text('手机', { rule: rules.mobile }),
  price: money('单价', { min: 0 }),
  parts: lines(
    '明细',
    { name: text('名称', { required: true }), count: int('数量', { max: 9 }) },
    { required: true },
  ),
}

it('finds the field that the server names, nested ones too', () => {
  expect(keyAt('RoomNo', fields)).toBe('roomNo')
  expect(keyAt('roomno', fields)).toBe('roomNo')
  expect(keyAt('Parts[2].Count', fields)).toBe('parts[2].count')
  expect(keyAt('Parts', fields)).toBe('parts')
  expect(keyAt('Gone', fields)).toBeUndefined()
  expect(keyAt('Bauname', fields, { spell: { roomNo: 'Bauname' } })).toBe('roomNo')
})

it('says the same as the server, in nested rows too', () => {
  expect(faultsOf('parts', fields.parts, [])).toEqual([['parts', '明细不能为空']])
  expect(faultsOf('parts', fields.parts, [{ name: 'x' }, { count: 12 }])).toEqual([
    ['parts[1].name', '名称不能为空'],
    ['parts[1].count', '数量不能大于 9'],
  ])
  expect(faultOf(fields.mobile, '123')).toBe('手机号格式不正确')
})

it('keeps what cannot be read, with its reason', () => {
  expect(readTyped(' ￥１,２００.５ ', fields.price)).toBe(120050)
  expect(readTyped('', fields.price)).toBeUndefined()
  const odd = readTyped('abc', fields.price)
  expect(odd).toBeInstanceOf(Unread)
  expect(faultOf(fields.price, odd)).toBe('单价应为数字，最多两位小数')
})

it('sees no change where nothing is nothing in another form', () => {
  expect(same(undefined, '')).toBe(true)
  expect(same([], undefined)).toBe(true)
  expect(same([{ a: 1 }], [{ a: 1 }])).toBe(true)
  expect(same(0, undefined)).toBe(false)
})
