import { expect, it } from 'vitest'
import { flag, int, lines, money, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { InvalidInput, faultOf, parseTyped } from '../controls/invalid-input.ts'
import { isMarkedRequired } from '../required-star.tsx'
import { fieldFaults, keyOfWirePath, isSameValue, scrollTargetOf } from './use-form.ts'

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

it('finds the field of a wire path, nested ones too', () => {
  expect(keyOfWirePath('RoomNo', fields)).toBe('roomNo')
  expect(keyOfWirePath('roomno', fields)).toBe('roomNo')
  expect(keyOfWirePath('Parts[2].Count', fields)).toBe('parts[2].count')
  expect(keyOfWirePath('Parts', fields)).toBe('parts')
  expect(keyOfWirePath('Gone', fields)).toBeUndefined()
  expect(keyOfWirePath('Bauname', fields, { wireNames: { roomNo: 'Bauname' } })).toBe('roomNo')
})

it('reports the same faults as the server, in nested rows too', () => {
  expect(fieldFaults('parts', fields.parts, [])).toEqual([['parts', '明细不能为空']])
  expect(fieldFaults('parts', fields.parts, [{ name: 'x' }, { count: 12 }])).toEqual([
    ['parts[1].name', '名称不能为空'],
    ['parts[1].count', '数量不能大于 9'],
  ])
  expect(faultOf(fields.mobile, '123')).toBe('手机号格式不正确')
})

it('keeps unreadable input, with its reason', () => {
  expect(parseTyped(' ￥１,２００.５ ', fields.price)).toBe(120050)
  expect(parseTyped('', fields.price)).toBeUndefined()
  const invalid = parseTyped('abc', fields.price)
  expect(invalid).toBeInstanceOf(InvalidInput)
  expect(faultOf(fields.price, invalid)).toBe('单价应为数字，最多两位小数')
})

it('treats undefined, empty text and empty lists as equal', () => {
  expect(isSameValue(undefined, '')).toBe(true)
  expect(isSameValue([], undefined)).toBe(true)
  expect(isSameValue([{ a: 1 }], [{ a: 1 }])).toBe(true)
  expect(isSameValue(0, undefined)).toBe(false)
})

it('marks what must be filled in; a switch always has a value', () => {
  expect(isMarkedRequired(fields.roomNo)).toBe(true)
  expect(isMarkedRequired(fields.mobile)).toBe(false)
  expect(isMarkedRequired(fields.mobile, true)).toBe(true)
  expect(isMarkedRequired(flag('主业主', { required: true }))).toBe(false)
})

it('shows the fault of a field that is taller than the view, and else the whole field', () => {
  const [low, tall, note] = [{ offsetHeight: 80 }, { offsetHeight: 2400 }, { offsetHeight: 20 }]
  expect(scrollTargetOf(low, note, 800)).toBe(low)
  expect(scrollTargetOf(tall, note, 800)).toBe(note)
  expect(scrollTargetOf(tall, null, 800)).toBe(tall)
})
