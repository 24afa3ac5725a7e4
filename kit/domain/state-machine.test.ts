import { expect, it } from 'vitest'
import { defineStateMachine } from './state-machine.ts'

const labels = { draft: '草稿', sent: '已提交', done: '已完成' }

const paperStates = defineStateMachine<keyof typeof labels, 'title' | 'signer' | 'note'>(
  {
    draft: ['sent'],
    sent: { next: ['draft', 'done'], requires: ['title'], freezes: ['title'] },
    done: { next: [], requires: ['signer'], freezes: 'all' },
  },
  { state: s => labels[s], field: f => ({ title: '标题', signer: '签收人', note: '备注' })[f] },
)

it('tells which state may follow which', () => {
  expect([
    paperStates.canTransition('draft', 'sent'),
    paperStates.canTransition('draft', 'done'),
    paperStates.canTransition('done', 'draft'),
  ]).toEqual([true, false, false])
  expect([
    paperStates.nextStates('sent'),
    paperStates.previousStates('draft'),
    paperStates.previousStates('done'),
  ]).toEqual([['draft', 'done'], ['sent'], ['sent']])
})

it('says why not', () => {
  expect(paperStates.checkTransition('draft', 'sent')).toBeUndefined()
  expect(paperStates.checkTransition('draft', 'done')).toBe(
    '当前为“草稿”，不能改为“已完成”，只能改为“已提交”',
  )
  expect(paperStates.checkTransition('done', 'draft')).toBe('“已完成”是最终状态，不能再改为“草稿”')
  expect(paperStates.checkTransition('sent', 'sent')).toBe('已经是“已提交”，无需重复操作')
  expect(paperStates.checkTransition('draft', 'sent', { title: '' })).toBe('改为“已提交”前请先填写“标题”')
  expect(paperStates.checkTransition('draft', 'sent', { title: '0' })).toBeUndefined()
})

it('says what a state freezes', () => {
  expect([
    paperStates.isFrozen('draft', 'title'),
    paperStates.isFrozen('sent', 'title'),
    paperStates.isFrozen('sent', 'note'),
    paperStates.isFrozen('done', 'note'),
  ]).toEqual([false, true, false, true])
  expect(paperStates.checkEdit('sent', ['title', 'note'])).toBe('“已提交”状态下不能修改“标题”')
  expect(paperStates.checkEdit('draft', ['title'])).toBeUndefined()
})
