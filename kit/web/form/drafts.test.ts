import { expect, it } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { parseId } from '#kit/domain/id.ts'
import { text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { session } from '../session.ts'
import { draftKeyOf, draftStorageKey, readDraft, saveDraft, storableKeys } from './drafts.ts'

const fields = { reason: text('原因') }

it('keeps what was typed for the person who typed it, though the session has ended', () => {
  const signed = {
    token: 't',
    manager: { id: parseId('5'), ownerId: parseId('3'), loginCode: 'a', companyName: 'b', realName: 'c' },
  }
  const before = session.getState()
  session.setState({ signed })
  const storageKey = draftStorageKey('room/1')
  session.setState({ signed: undefined })
  saveDraft(storageKey, { reason: '二手房成交' }, undefined)
  expect(readDraft(draftStorageKey('room/1'), fields)).toBeUndefined()
  session.setState({ signed })
  expect(readDraft(draftStorageKey('room/1'), fields)?.values).toEqual({ reason: '二手房成交' })
  session.setState(before)
})

it('names a draft by the action and its records', () => {
  const move = call({
    route: 'PUT Room/Move',
    title: '过户',
    needs: everyone,
    input: shape(fields),
    output: noData,
  })
  expect(draftKeyOf(move, 7)).toBe('Room/Move/7')
  expect(draftKeyOf(move, ['7', '8'])).not.toBe(draftKeyOf(move, ['7']))
  expect(
    draftKeyOf(
      move,
      Array.from({ length: 200 }, (_, i) => i),
    ),
  ).toBeUndefined()
})

it('keeps no secret', () => {
  const account = { loginCode: text('账号'), password: text('密码', { masked: 'secret' }) }
  expect(storableKeys(account, ['loginCode', 'password'])).toEqual(['loginCode'])
})
