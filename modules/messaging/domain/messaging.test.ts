import { describe, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { requestLimits } from '#kit/contract/wire/limits.ts'
import { audienceFaults, maxNumbers } from '../contract/audience.ts'
import { isMobile, parseNumbers } from './numbers.ts'
import { messageTextOf } from './opt-out.ts'
import { isOptOut, readReplies, readReports } from './report.ts'
import { retryAfter } from './retry.ts'
import { segmentsOf, segmentsOfLength } from './segments.ts'
import { taskStateOf } from './task-state.ts'
import { readNumberHeadings, readNumberLine } from './number-sheet.ts'
import { audienceVariables, variableFault, variablesText } from './template.ts'
import { isMarketingHour, nextMarketingMoment } from './window.ts'

it.each([
  ['T-SMS-01', 70, 1],
  ['T-SMS-02', 71, 2],
  ['T-SMS-03', 134, 2],
  ['T-SMS-04', 135, 3],
  ['T-SMS-05', 201, 3],
  ['T-SMS-06', 202, 4],
])('SMS-1, %s: %i characters count as %i', (_, length, segments) => {
  expect(segmentsOfLength(length)).toBe(segments)
})

it('SMS-1: the signature is counted, a rare character twice', () => {
  expect(segmentsOf('水'.repeat(66), '安居')).toBe(1)
  expect(segmentsOf('水'.repeat(67), '安居')).toBe(2)
  expect(segmentsOf(`${'水'.repeat(64)}𠮷`, '安居')).toBe(1)
  expect(segmentsOf(`${'水'.repeat(65)}𠮷`, '安居')).toBe(2)
})

it.each([
  ['2026-11-30 07:59:59', false, '2026-11-30 08:00:00'],
  ['2026-11-30 08:00:00', true, '2026-11-30 08:00:00'],
  ['2026-11-30 20:59:59', true, '2026-11-30 20:59:59'],
  ['2026-11-30 21:00:00', false, '2026-12-01 08:00:00'],
])('SMS-3: marketing at %s goes out: %s, else at %s', (at, isOpen, next) => {
  expect(isMarketingHour(asMoment(at))).toBe(isOpen)
  expect(nextMarketingMoment(asMoment(at))).toBe(next)
})

it.each([
  [{ waiting: 3 }, 'waiting'],
  [{ waiting: 2, done: 1 }, 'sending'],
  [{ done: 3 }, 'done'],
  [{ done: 2, failed: 1 }, 'partial'],
  [{ done: 2, cancelled: 1 }, 'partial'],
  [{ refused: 1 }, 'failed'],
  [{ unclear: 1 }, 'unclear'],
  [{ done: 2, failed: 1, unclear: 1 }, 'unclear'],
  [{ waiting: 1, unclear: 1 }, 'sending'],
  [{ cancelled: 3 }, 'cancelled'],
] as const)('SMS-3: the state of a task with %j is %s', (counts, state) => {
  const none = { waiting: 0, done: 0, failed: 0, refused: 0, unclear: 0, cancelled: 0 }
  expect(taskStateOf({ ...none, ...counts })).toBe(state)
})

describe('reports of providers', () => {
  it('both are read alike; what is none is left out', () => {
    const aliyun = { phone_number: '13800000001', success: true, biz_id: 'a1', out_id: '7-1' }
    const tencent = { mobile: '13800000002', report_status: 'FAIL', sid: 't1', description: '空号' }
    expect(readReports([aliyun, tencent, 'x', null, { mobile: '1' }, { success: true }])).toEqual([
      { isDelivered: true, address: '13800000001', outId: '7-1', ref: 'a1', reason: undefined },
      { isDelivered: false, address: '13800000002', outId: undefined, ref: 't1', reason: '空号' },
    ])
    expect(readReports(undefined)).toEqual([])
    expect(readReports({ ...aliyun, success: 'false' })).toMatchObject([{ isDelivered: false }])
  })

  it('replies of both are read, also with the country before the number', () => {
    expect(readReplies([{ phone_number: '8613800000001', content: 'TD' }])).toEqual([
      { mobile: '13800000001', text: 'TD' },
    ])
    expect(readReplies({ mobile: '13800000002', text: '好' })).toHaveLength(1)
  })

  it.each([
    ['T', true],
    [' td ', true],
    ['退订', true],
    ['退订。', true],
    ['Thanks', false],
    ['请不要退订', false],
    ['', false],
  ])('SMS-3: %j opts out: %s', (text, isOut) => {
    expect(isOptOut(text)).toBe(isOut)
  })
})

it('a busy provider is tried again five times, a broken one for three days', () => {
  expect([1, 2, 3, 4, 5, 6].map(n => retryAfter('later', n))).toEqual([1, 5, 30, 120, 360, undefined])
  expect(retryAfter('server', 75)).toBe(60)
  expect(retryAfter('server', 76)).toBeUndefined()
})

it.each([
  ['{name}您好，{room}明日停水', undefined],
  ['{amount} 元', '变量 {amount} 不能识别，可用 {name}、{room}、{project}'],
  ['{name', '大括号应成对出现，只用于变量'],
  ['｛name｝您好', '变量应使用半角大括号 {}'],
])('variables of %j', (text, fault) => {
  expect(variableFault(text)).toBe(fault)
})

const typed = { scopeType: 'numbers', scopeJson: { mobiles: ['13800001111'] } } as const
const ofFile = { scopeType: 'numbers', scopeJson: { numberFileId: asId(1) } } as const
const fileWith = (hasRoom: boolean, ...variables: readonly string[]) =>
  audienceVariables(ofFile, { hasRoom, variables })

it('a file of numbers brings variables of its own', () => {
  expect(variableFault('{name}（{room}）欠{金额}元', fileWith(true, '金额'))).toBeUndefined()
  expect(variableFault('{name}欠{余额}元', fileWith(true, '金额'))).toBe(
    '变量 {余额} 不能识别，可用 {name}、{room}、{金额}',
  )
})

it('a variable that is written as its column is called is named as it is', () => {
  expect(variableFault('{姓名}您好')).toBe('变量 {姓名} 请写成 {name}')
  expect(variableFault('{房屋}停水', fileWith(true, '金额'))).toBe('变量 {房屋} 请写成 {room}')
  expect(variableFault('{姓名}您好', fileWith(true, '姓名'))).toBeUndefined()
})

it.each([
  ['{name}您好', typed, undefined],
  ['{room}停水', typed, '手工填写的号码无房屋（号码文件可含「房屋」一列），请删除变量 {room}'],
  ['{房屋}停水', typed, '手工填写的号码无房屋（号码文件可含「房屋」一列），请删除变量 {房屋}'],
  ['{project}停水', typed, '自有号码无所属项目，请删除变量 {project}'],
  ['{项目}停水', typed, '自有号码无所属项目，请删除变量 {项目}'],
  ['{amount}', typed, '变量 {amount} 不能识别，可用 {name}'],
  ['{project}停水', ofFile, '自有号码无所属项目，请删除变量 {project}'],
  ['{金额}{room}', ofFile, undefined],
  ['{room}开会', { scopeType: 'departments' }, '员工无房屋，请删除变量 {room}'],
  [
    '{project}',
    { scopeType: 'persons', scopeJson: { staffIds: ['3'] } },
    '员工无所属项目，请删除变量 {project}',
  ],
  ['{room}{project}', { scopeType: 'persons', scopeJson: { userIds: ['3'] } }, undefined],
  ['{name}{room}{project}', { scopeType: 'all' }, undefined],
] as const)('SMS: %j to %j leaves no hole: %s', (text, audience, fault) => {
  expect(variableFault(text, audienceVariables(audience))).toBe(fault)
})

it('a file fills in the room where a line has one; a template is named', () => {
  expect(variableFault('{room}停水', fileWith(true))).toBeUndefined()
  expect(variableFault('{room}停水', fileWith(false))).toBe('号码文件的「房屋」一列未填写，请删除变量 {room}')
  expect(variableFault('{project}停水', fileWith(true), '停水')).toBe(
    '自有号码无所属项目，模板「停水」的变量 {project} 无法填写，请更换模板或发送范围',
  )
})

it('the hint under a text offers what its receivers fill in', () => {
  expect(variablesText(audienceVariables({ scopeType: 'all' }))).toBe(
    '{name} 姓名、{room} 房屋、{project} 项目',
  )
  expect(variablesText(audienceVariables(typed))).toBe('{name} 姓名')
  expect(variablesText(fileWith(true, '金额'))).toBe('{name} 姓名、{room} 房屋、{金额}')
  expect(variablesText(fileWith(false, '金额'))).toBe('{name} 姓名、{金额}')
})

const sheetOf = (...rows: readonly (readonly string[])[]) => {
  const sheet = readNumberHeadings(rows)
  return { sheet, lines: rows.slice(1).map((cells, i) => readNumberLine(sheet, cells, i + 2)) }
}

it('a column is not called as a variable that every text has', () => {
  const { sheet } = sheetOf(['手机号', 'project', '金额'])
  expect(sheet.faults.map(({ column, message }) => [column, message])).toEqual([
    ['project', '列名「project」与系统变量 {project} 相同'],
  ])
})

it('a variable without a value is named, also where only a link was', () => {
  const { lines } = sheetOf(
    ['手机号', '金额', '备注'],
    ['13800001111', '', 'https://pay.cn/1'],
    ['13800001112', '8', '见 www.pay.cn'],
    ['13800001113', '{}', '急'],
  )
  expect(lines.map(line => line?.gaps.map(({ column, message }) => `${column}${message}`))).toEqual([
    ['金额没有内容', '备注去掉链接后没有内容'],
    [],
    ['金额去掉链接后没有内容'],
  ])
  expect(lines.every(line => line?.faults.length === 0)).toBe(true)
})

it('a file of numbers is read by its headings, every other column is a variable', () => {
  const { sheet, lines } = sheetOf(
    ['姓名', '*手机号', '金 额', '结果'],
    ['张三', '+86 138-0000-1111', '12.50', 'x'],
    ['李四', '1380000', ''],
    ['王五', '13800001112', '长'.repeat(101)],
    ['', '', ''],
  )
  expect(sheet.variables).toEqual(['金额'])
  expect(lines[0]).toMatchObject({ mobile: '13800001111', name: '张三', variables: { 金额: '12.50' } })
  expect(lines[1]).toMatchObject({
    isWrongNumber: true,
    variables: { 金额: '' },
    faults: [{ line: 3, column: '手机号', value: '1380000', message: '不是手机号' }],
  })
  expect(lines[2]).toMatchObject({ isWrongNumber: false, faults: [{ line: 4, column: '金额' }] })
  expect(lines[3]).toBeUndefined()
})

it.each([
  [['姓名', '金额'], '缺少「手机号」这一列'],
  [['手机号', '{x}'], '列名不能用作变量'],
  [['手机号', ...Array.from({ length: 11 }, (_, i) => `列${i}`)], '变量有 11 列，最多 10 列'],
  [['手机号', '金额', '金额'], '「金额」这一列出现了两次'],
])('a file of numbers headed %j is refused: %s', (headings, message) => {
  expect(sheetOf(headings).sheet.faults.map(fault => fault.message)).toContain(message)
})

it('an audience says what it lacks (NOT-1)', () => {
  expect(audienceFaults({ scopeType: 'all' })).toEqual([])
  expect(audienceFaults({})).toMatchObject([{ Field: 'ScopeType' }])
  expect(audienceFaults({ scopeType: 'numbers', scopeJson: {} })).toMatchObject([
    { Message: '请填写手机号，或上传号码文件' },
  ])
  expect(audienceFaults({ scopeType: 'buildings', scopeJson: { buildingCodes: ['A1'] } })).toHaveLength(1)
  expect(audienceFaults({ scopeType: 'buildings', scopeJson: { buildingCodes: ['P/A1'] } })).toEqual([])
  expect(audienceFaults({ scopeType: 'units', scopeJson: { units: ['P/A1'] } })).toHaveLength(1)
  expect(audienceFaults({ scopeType: 'persons', scopeJson: { staffIds: ['3'] } })).toEqual([])
})

it('pasted numbers are read as people write them; what is none is named', () => {
  expect(
    parseNumbers('+8613800001111, 138 0000 1112；１３８００００１１１３\n13800001114 13800001115'),
  ).toEqual(['13800001111', '13800001112', '13800001113', '13800001114', '13800001115'])
  expect(parseNumbers('13800001111\n138-0000-1111\n1380000').filter(number => !isMobile(number))).toEqual([
    '1380000',
  ])
})

it('the limit of own numbers can be reached within one request', () => {
  expect(maxNumbers).toBeLessThan(requestLimits.members)
})

it('SMS-3: marketing by SMS ends with how to opt out, once', () => {
  expect(messageTextOf('促销', 'sms', 'marketing')).toBe('促销，回T退订')
  expect(messageTextOf('促销，回T退订', 'sms', 'marketing')).toBe('促销，回T退订')
  expect(messageTextOf('促销', 'wechat', 'marketing')).toBe('促销')
  expect(messageTextOf('停水', 'sms', 'service')).toBe('停水')
})
