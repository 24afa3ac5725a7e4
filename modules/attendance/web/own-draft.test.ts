import { expect, it } from 'vitest'
import { helpOf } from '#kit/web/form/form-fields.tsx'
import { attendanceApply } from '../contract/apply.ts'
import { beginHelp, missingOf, momentOfInput, previewInputOf } from './own-draft.ts'

const times = { beginTime: '2026-11-16 09:00:00', endTime: '2026-11-16 18:00:00' } as const

it('approvers are asked for once the times of a request are known', () => {
  expect(previewInputOf({ applyType: 'leave', beginTime: times.beginTime })).toBeUndefined()
  expect(previewInputOf({ applyType: 'leave', ...times })).toEqual({
    applyType: 'leave',
    leaveType: 'personal',
    ...times,
  })
  expect(previewInputOf({ applyType: 'swap' })).toBeUndefined()
  expect(previewInputOf({ applyType: 'mend', ...times })).toEqual({
    applyType: 'mend',
    beginTime: times.beginTime,
  })
})

it('the hint about a punch is in the form of a mended punch alone', () => {
  const helpFor = (applyType: string) =>
    helpOf({ help: beginHelp }, attendanceApply.fields.beginTime, { applyType })
  expect([helpFor('leave'), helpFor('mend')]).toEqual(['', '补卡填写打卡时间'])
})

it('what is missing is at its field', () => {
  expect(missingOf({})).toEqual({ applyType: '请选择类型', reason: expect.any(String) })
  expect(
    missingOf({ applyType: 'leave', beginTime: times.endTime, endTime: times.beginTime, reason: '就医' }),
  ).toEqual({
    leaveType: '请选择假别',
    endTime: '结束时间应晚于开始时间',
  })
  expect(missingOf({ applyType: 'mend', beginTime: times.beginTime, reason: '忘记打卡' })).toEqual({})
  expect(momentOfInput('2026-11-16T09:00')).toBe('2026-11-16 09:00:00')
  expect(momentOfInput('')).toBeUndefined()
})
