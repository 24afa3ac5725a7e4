import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { letterOpening, partText } from './demand-letter.ts'

it('URG-3: a letter calls overdue what is overdue, and counts only reminders that were made', () => {
  expect(letterOpening(2, { count: 3, overdue: 3, reminders: 0 })).toBe(
    '您有以下费用逾期未缴，请于收到本函之日起 7 日内缴清。',
  )
  expect(letterOpening(2, { count: 3, overdue: 3, reminders: 2 })).toContain('我们已提醒 2 次')
  expect(letterOpening(4, { count: 3, overdue: 1, reminders: 9 })).toBe(
    '您有以下 3 笔费用中的 1 笔长期拖欠，请于收到本函之日起 7 日内缴清；逾期仍未缴纳的，我们将依照合同约定和法律规定主张权利；未到应缴日的，请在应缴日前缴纳。',
  )
  expect(letterOpening(0, { count: 2, overdue: 0, reminders: 0 })).not.toMatch(/逾期|拖欠|已过应缴日/)
})

it('what names a part of the debts says so', () => {
  const others = { count: 2, total: asFen(12_050) }
  expect(partText('本单', others)).toBe(
    '本单只列部分费用，截至制单之日您另有 2 笔已到期的费用共 120.50 元未列入。',
  )
  expect(partText('本函', undefined)).toBe('')
})
