import { expect, it } from 'vitest'
import { findMoveBlocks } from './move-blocks.ts'

it('lists what is in the way of a move with the links that settle it', () => {
  const steps = [
    { key: 'people', title: '住户', lines: [{ label: '迁出', value: '周大山' }] },
    {
      key: 'arrears',
      title: '欠费',
      blocks: '须先缴清',
      lines: [{ label: '物业费', to: '/bills?no=1' }, { label: '合计' }],
    },
  ]
  expect(findMoveBlocks(steps)).toEqual([
    {
      key: 'arrears',
      title: '欠费',
      reason: '须先缴清',
      links: [{ label: '物业费', to: '/bills?no=1' }],
    },
  ])
})
