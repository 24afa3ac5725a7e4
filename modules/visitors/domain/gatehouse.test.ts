import { expect, it } from 'vitest'
import type { Moment } from '#kit/domain/moment.ts'
import type { TemplatePart } from '../contract/template.ts'
import { judgeCode } from './code-reason.ts'
import { minutesText } from './minutes-text.ts'
import type { PassingVisitor } from './pass.ts'
import { plainTemplate, templateFaults } from './template.ts'
import { countLimit, entryFaults, expectedCount } from './visit-rules.ts'

const visitor: PassingVisitor = {
  state: 'passed',
  beginTime: '2026-11-21 09:00:00',
  endTime: '2026-11-21 18:00:00',
  maxTimes: 2,
  usedTimes: 0,
  exitTimes: 0,
}
const noon: Moment = '2026-11-21 12:00:00'

it('a refused code says why and what to do (VIS-2)', () => {
  const reasonOf = (values: Partial<PassingVisitor>, direction: 'in' | 'out' = 'in') =>
    judgeCode({ ...visitor, ...values }, direction, noon).reason
  expect(reasonOf({})).toBe('可以进入')
  expect(reasonOf({ usedTimes: 1 }, 'out')).toBe('可以离开')
  expect(reasonOf({}, 'out')).toBe('没有进入后未离开的登记，请核对方向；已在项目内的请先登记进入')
  expect(reasonOf({ beginTime: '2026-11-21 13:00:00' })).toBe(
    '来访时间自 2026-11-21 13:00 起，请届时再来或由被访人修改邀访',
  )
  expect(reasonOf({ endTime: '2026-11-21 11:00:00' })).toBe(
    '邀请已于 2026-11-21 11:00 到期，请由被访人延长或重新邀请',
  )
  expect(reasonOf({ usedTimes: 2 })).toBe('可进入 2 次，已用完，请由被访人重新邀请')
  expect(reasonOf({ exitTimes: 2 }, 'out')).toBe('可离开 2 次，已用完，请由被访人重新邀请')
  expect(reasonOf({ state: 'pending' })).toBe('邀请为「待审核」，不能通行，请联系被访人')
})

it('what the project and the rule ask for is missing, all of it together (VIS-5)', () => {
  const setting = { asksPhoto: true, asksTemperature: true, maxTemperature: '37.3' }
  const fieldsOf = (facts: Parameters<typeof entryFaults>[0], invitedCount?: number) =>
    entryFaults(facts, { setting, needsCert: true, invitedCount }).map(({ Field }) => Field)
  expect(fieldsOf({})).toEqual(['CertNo', 'CheckPhoto', 'Temperature'])
  const whole = { certNo: 'E12345678', checkPhoto: 'key', temperature: '36.5', personCount: 3 }
  expect(fieldsOf(whole)).toEqual([])
  expect(fieldsOf(whole, 2)).toEqual(['PersonCount'])
  expect(fieldsOf({ ...whole, temperature: '37.29' })).toEqual([])
  expect(fieldsOf({ ...whole, temperature: '37.30' })).toEqual(['Temperature'])
  const noFace = {
    setting: { ...setting, asksPhoto: false },
    needsCert: false,
    needsFace: true,
    refusesCar: true,
  }
  expect(entryFaults({ plateNo: '粤B12345' }, noFace).map(({ Message }) => Message)).toEqual([
    '该来访不允许车辆，请清除车牌',
    '该来访须登记人脸，请拍摄核验照片',
    '请测量体温',
  ])
  const nothing = { asksPhoto: false, asksTemperature: false, maxTemperature: '37.3' }
  expect(entryFaults({}, { setting: nothing, needsCert: false })).toEqual([])
})

it('of a group each code is one, and no code lets in the places of the others (VIS-1)', () => {
  expect(expectedCount(3, [])).toBe(3)
  expect(expectedCount(3, [{}, {}])).toBe(1)
  expect(countLimit(5, [])).toBe(5)
  expect(countLimit(5, [{}, {}])).toBe(3)
  expect(countLimit(5, [{ personCount: 3 }, {}])).toBe(1)
  expect(countLimit(2, [{ personCount: 2 }])).toBe(1)
})

it('every part of an invitation is inside the picture, and its code is there', () => {
  expect(templateFaults(plainTemplate)).toEqual([])
  const part = (values: Partial<TemplatePart>): TemplatePart => ({
    part: 'qr',
    x: 0,
    y: 0,
    width: 100,
    fontSize: 20,
    align: 'left',
    ...values,
  })
  const messagesOf = (...parts: TemplatePart[]) =>
    templateFaults({ width: 300, height: 300, parts }).map(({ Message }) => Message)
  expect(messagesOf(part({ x: 200, y: 200 }))).toEqual([])
  expect(messagesOf(part({ x: 201 }))[0]).toContain('第 1 项：超出图片')
  expect(messagesOf(part({ y: 201 }))[0]).toContain('超出图片')
  expect(messagesOf(part({ part: 'text', text: ' ' }))).toEqual([
    '邀请函须有二维码，请添加',
    '第 1 项：请填写文字',
  ])
  expect(messagesOf(part({ color: 'red' }))).toEqual(['第 1 项：颜色应如 #333333'])
})

it('minutes are read as hours and minutes', () => {
  expect([0, 59, 60, 174].map(minutesText)).toEqual(['0 分', '59 分', '1 小时 0 分', '2 小时 54 分'])
})
