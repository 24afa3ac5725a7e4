import { expect, it } from 'vitest'
import { call, everyone } from '../call.ts'
import { decodeRequest, encodeRequest } from '../wire.ts'
import { choiceTable, choice, idOf, int, money, text } from '../field.ts'
import { noData, shape } from '../shape.ts'
import { asFen } from '#kit/domain/money.ts'
import { asId } from '#kit/domain/id.ts'
import { assertKnownMembers, completeEdit, editedRecord } from './partial.ts'
import { Refused } from './result.ts'

const colour = choiceTable('Colour', '颜色', { red: [10, '红'], blue: [20, '蓝'] })
const fields = {
  id: idOf('编号'),
  version: int('版本'),
  name: text('名称', { required: true, max: 10 }),
  sort: int('排序', { initial: 0 }),
  price: money('价格'),
  colour: choice('颜色', colour, { initial: 'red' }),
  remark: text('备注', { wire: ['Remark', 'Memo'] }),
}
const draft = shape(fields, { isDraft: true, entity: 'tag' })
const edit = call({ route: 'PUT Tag/Put', title: '编辑', needs: everyone, input: draft, output: noData })
const stored = { id: 7, version: 3, name: '甲', sort: 3, price: asFen(250), colour: 'blue', remark: '旧' }

const edited = (raw: Record<string, unknown>): unknown =>
  decodeRequest(edit, editedRecord(edit, raw) ? completeEdit(edit, raw, stored) : raw).input

it('an edit keeps what it does not send', () => {
  expect(edited({ Data: { ID: 7, Name: '乙' } })).toEqual({ ...stored, name: '乙' })
  // In a body of the new style, in a form, and as the text of an object.
  expect(edited({ ID: 7, Name: '乙' })).toEqual({ ...stored, name: '乙' })
  expect(edited({ ID: '7', Data: { Name: '乙' } })).toEqual({ ...stored, name: '乙' })
  expect(edited({ Data: '{"ID":7,"name":"乙"}' })).toEqual({ ...stored, name: '乙' })
})

it('a record is found by each spelling of its number', () => {
  const id = idOf('工单', { required: true, wire: ['ID', 'OrderID'] })
  const input = shape({ ...fields, id }, { isDraft: true, entity: 'tag' })
  const editOrder = call({ route: 'PUT Tag/Put', title: '编辑', needs: everyone, input, output: noData })
  for (const raw of [
    { Data: { OrderID: 7, Name: '乙' } },
    { Data: { ID: '', OrderID: 7 } },
    { orderid: '7' },
  ]) {
    expect(editedRecord(editOrder, raw)).toEqual({ entity: 'tag', id: '7' })
  }
})

it('what is sent empty is cleared, whichever of its names is used, or takes its start value', () => {
  expect(edited({ Data: { ID: 7, Memo: '', Price: null, Sort: '' } })).toEqual({
    id: 7,
    version: 3,
    name: '甲',
    sort: 0,
    colour: 'blue',
  })
})

it('a new record, and one that is sent whole, is not looked up', () => {
  expect(editedRecord(edit, { Data: { Name: '乙' } })).toBeUndefined()
  expect(editedRecord(edit, { Data: { ID: 0, Name: '乙' } })).toBeUndefined()
  const { body = '' } = encodeRequest(edit, { id: asId(7), name: '乙' }, {})
  expect(JSON.parse(body).Data).toEqual({
    ID: 7,
    Name: '乙',
    Version: '',
    Sort: '',
    Price: '',
    Colour: '',
    Remark: '',
  })
  expect(editedRecord(edit, JSON.parse(body))).toBeUndefined()
})

const refusedFields = (raw: Record<string, unknown>): unknown => {
  try {
    assertKnownMembers(edit, raw)
    return []
  } catch (e) {
    return e instanceof Refused && Array.isArray(e.data) ? e.data.map(fault => fault.Field) : e
  }
}

it('strictly read, a member that the call does not know is refused by its name', () => {
  expect(
    refusedFields({ Data: { ID: 7, name: '乙', MEMO: 'x' }, uuid: 'u', ProjectCode: 'P', strict: '1' }),
  ).toEqual([])
  expect(refusedFields({ Data: { ID: 7, Nmae: '乙' }, Oops: 1, 'data.Colr': 10 })).toEqual([
    'Oops',
    'Colr',
    'Nmae',
  ])
})
