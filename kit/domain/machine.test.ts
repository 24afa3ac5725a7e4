import { expect, it } from 'vitest'
import { machine } from './machine.ts'

const labels = { draft: '草稿', sent: '已提交', done: '已完成' }

const paper = machine<keyof typeof labels, 'title' | 'signer' | 'note'>(
  {
    draft: ['sent'],
    sent: { next: ['draft', 'done'], requires: ['title'], freezes: ['title'] },
    done: { next: [], requires: ['signer'], freezes: 'all' },
  },
  { state: s => labels[s], field: f => ({ title: '标题', signer: '签收人', note: '备注' })[f] },
)

it('answers who may follow whom', () => {
  expect([paper.may('draft', 'sent'), paper.may('draft', 'done'), paper.may('done', 'draft')]).toEqual([
    true,
    false,
    false,
  ])
  expect([paper.after('sent'), paper.before('draft'), paper.before('done')]).toEqual([
    ['draft', 'done'],
    ['sent'],
    ['sent'],
  ])
})

it('says why not', () => {
  expect(paper.check('draft', 'sent')).toBeUndefined()
  expect(paper.check('draft', 'done')).toBe('当前为“草稿”，不能改为“已完成”，只能改为“已提交”')
  expect(paper.check('done', 'draft')).toBe('“已完成”是最终状态，不能再改为“草稿”')
  expect(paper.check('sent', 'sent')).toBe('已经是“已提交”，不用重复操作')
  expect(paper.check('draft', 'sent', { title: '' })).toBe('改为“已提交”前请先填写“标题”')
  expect(paper.check('draft', 'sent', { title: '0' })).toBeUndefined()
})

it('says what a state freezes', () => {
  expect([
    paper.isFrozen('draft', 'title'),
    paper.isFrozen('sent', 'title'),
    paper.isFrozen('sent', 'note'),
    paper.isFrozen('done', 'note'),
  ]).toEqual([false, true, false, true])
  expect(paper.checkEdit('sent', ['title', 'note'])).toBe('“已提交”状态下不能修改“标题”')
  expect(paper.checkEdit('draft', ['title'])).toBeUndefined()
})
