import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asId, type Id } from '#kit/domain/id.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { cellToText } from '#kit/contract/sheet-reader.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import {
  downloadNumberFaults,
  downloadNumbersTemplate,
  getNumbers,
  uploadNumbers,
} from '../contract/number-file.ts'
import { countRecipients } from '../contract/message.ts'
import type { Audience } from '../contract/audience.ts'
import { reviewSmsTemplate, smsTemplates } from '../contract/template.ts'
import { countMassSms, resendPropertySms, sendPropertySms } from '../contract/task.ts'
import { dispatchMessages } from './dispatcher.ts'
import { MessagingSite } from './messaging.fixtures.ts'
import { numberFileCron } from './number-file-store.ts'

let s: MessagingSite

beforeAll(async () => {
  s = await MessagingSite.open()
})

beforeEach(() => {
  s.answer = () => 'ok'
  s.sent.length = 0
})

afterAll(() => s?.close())

const uploadLines = (lines: readonly string[], as: CallOptions = s.me) =>
  s.t.call(uploadNumbers, undefined, {
    ...as,
    upload: { ...s.t.upload('名单.csv', new TextEncoder().encode(lines.join('\n'))), name: '名单.csv' },
  })

const toFile = (numberFileId: Id) => ({ scopeType: 'numbers', scopeJson: { numberFileId } }) as const

const draftTo = (numberFileId: Id, content: string) =>
  ({ taskName: '缴费', channel: 'sms', purpose: 'service', content, ...toFile(numberFileId) }) as const

const lines = [
  '手机号,姓名,房屋,金额',
  '13500001001,张三,1-101,12.50',
  '138000,李四,1-102,8',
  '13500001001,张三重复,1-101,99',
  '13500001002,王五,1-103,{name} www.bad.cn',
  `13500001003,赵六,1-104,${'长'.repeat(101)}`,
]

it('a file of numbers shows its faults by row before anything is sent, and fills in its variables', async () => {
  const file = await uploadLines(lines)
  expect(file).toMatchObject({ variables: ['金额'], rowCount: 5, wrongCount: 2, repeatCount: 1 })
  expect(file.faults.map(({ line, message }) => [line, message])).toEqual([
    [3, '不是手机号'],
    [4, '与第 2 行重复'],
    [6, expect.stringContaining('金额')],
  ])
  const text = '{name}（{room}）应缴{金额}元'
  const counted = await s.t.call(countMassSms, { content: text, ...toFile(file.id) }, s.me)
  expect(counted).toMatchObject({ people: 4, numberCount: 2, duplicateCount: 1 })
  expect(counted.excluded).toEqual([
    { reason: 'badAddress', count: 1 },
    { reason: 'duplicate', count: 1 },
  ])
  expect(counted.samples.map(sample => sample.content)).toEqual([
    '张三（1-101）应缴12.50元',
    '王五（1-103）应缴name 元',
  ])
  await s.t.call(sendPropertySms, draftTo(file.id, text), s.me)
  await dispatchMessages(s.t.app)
  expect(s.sent.map(({ address, content }) => [address, content])).toEqual([
    ['13500001001', '张三（1-101）应缴12.50元'],
    ['13500001002', '王五（1-103）应缴name 元'],
  ])
})

it('a line without a value for a variable of the text is named, counted and not sent to', async () => {
  const file = await uploadLines([
    '手机号,姓名,金额,备注',
    '13500001061,张三,12.50,急',
    '13500001062,李四,,急',
    '13500001063,王五,http://pay.cn/a1,急',
    '13500001064,赵六,8,',
    '135,钱七,9,急',
  ])
  expect(file).toMatchObject({ rowCount: 5, wrongCount: 1, repeatCount: 0, gapCount: 3 })
  expect(file.faults.map(({ line, column, message }) => [line, column, message])).toEqual([
    [6, '手机号', '不是手机号'],
    [3, '金额', '没有内容'],
    [4, '金额', '去掉链接后没有内容'],
    [5, '备注', '没有内容'],
  ])
  const text = '{name}欠{金额}元'
  const counted = await s.t.call(countMassSms, { content: text, ...toFile(file.id) }, s.me)
  expect(counted).toMatchObject({ people: 5, numberCount: 2, totalSegments: 2 })
  expect(counted.excluded).toEqual([
    { reason: 'badAddress', count: 1 },
    { reason: 'missingVariable', count: 2 },
  ])
  expect(counted.samples.map(({ content }) => content)).toEqual(['张三欠12.50元', '赵六欠8元'])
  const seen = await s.t.call(countRecipients, { ...toFile(file.id), channels: ['sms'], text }, s.me)
  expect(seen.channels[0]).toMatchObject({ reachable: 2, excluded: counted.excluded })
  s.answer = () => 'address'
  const task = await s.t.call(sendPropertySms, draftTo(file.id, text), s.me)
  expect(task).toMatchObject({ numberCount: 2, excludedCount: 3 })
  await dispatchMessages(s.t.app)
  s.answer = () => 'ok'
  const resent = await s.t.call(resendPropertySms, { id: task.id }, s.me)
  expect(resent.numberCount).toBe(2)
  await dispatchMessages(s.t.app)
  expect(s.sent.map(({ content }) => content)).toEqual(['张三欠12.50元', '赵六欠8元'])
})

it('a text with the room reaches the lines of a file that have one', async () => {
  const { id } = await uploadLines(['手机号,房屋', '13500001071,1-101', '13500001072,'])
  const counted = await s.t.call(countMassSms, { content: '{room}停水', ...toFile(id) }, s.me)
  expect(counted).toMatchObject({ numberCount: 1, excluded: [{ reason: 'missingVariable', count: 1 }] })
})

it('what failed is sent again with the values of its line', async () => {
  const { id } = await uploadLines(['手机号,金额', '13500001011,3.00'])
  s.answer = () => 'address'
  const task = await s.t.call(sendPropertySms, draftTo(id, '应缴{金额}元'), s.me)
  await dispatchMessages(s.t.app)
  s.answer = () => 'ok'
  await s.t.call(resendPropertySms, { id: task.id }, s.me)
  await dispatchMessages(s.t.app)
  expect(s.sent.map(({ content }) => content)).toEqual(['应缴3.00元'])
})

it('a variable that the file lacks is refused by name, counted or sent', async () => {
  const { id } = await uploadLines(['手机号,金额', '13500001021,3.00'])
  const message = '变量 {余额} 不能识别，可用 {name}、{金额}'
  const send = s.t.call(sendPropertySms, draftTo(id, '应缴{余额}元'), s.me)
  expect(await faultTextsOf(send)).toEqual({ Content: message })
  const count = s.t.call(countMassSms, { content: '应缴{余额}元', ...toFile(id) }, s.me)
  expect(await faultTextsOf(count)).toEqual({ Content: message })
})

/** As the page sends a text: counted twice, then sent. */
const attempts = (content: string, audience: Audience) => [
  s.t.call(countRecipients, { ...audience, channels: ['sms'], text: content }, s.me),
  s.t.call(countMassSms, { content, ...audience }, s.me),
  s.t.call(sendPropertySms, { ...draftTo(asId(1), content), ...audience }, s.me),
]

it('a variable that own numbers do not fill in is refused as they are counted, and as they are sent', async () => {
  const bare = await uploadLines(['手机号,房屋', '13500001081,'])
  const roomy = await uploadLines(['手机号,房屋', '13500001082,1-101', '13500001083,'])
  expect([bare.hasRoom, roomy.hasRoom]).toEqual([false, true])
  const typed = { scopeType: 'numbers', scopeJson: { mobiles: ['13500001084'] } } as const
  const cases = [
    ['{name}您好，{project}欠费', typed, '自有号码无所属项目，请删除变量 {project}'],
    ['{name}您好，{project}欠费', toFile(roomy.id), '自有号码无所属项目，请删除变量 {project}'],
    ['{room}您好', typed, '手工填写的号码无房屋（号码文件可含「房屋」一列），请删除变量 {room}'],
    ['{room}您好', toFile(bare.id), '号码文件的「房屋」一列未填写，请删除变量 {room}'],
  ] as const
  for (const [content, audience, fault] of cases) {
    const refused = await Promise.all(attempts(content, audience).map(faultTextsOf))
    expect(refused).toEqual(refused.map(() => ({ Content: fault })))
  }
  expect(await Promise.all(attempts('{room}您好', toFile(roomy.id)))).toHaveLength(3)
})

it('a template with a variable that own numbers do not fill in is refused by its name', async () => {
  const { id } = await s.t.call(
    smsTemplates.add,
    { templateName: '欠费', purpose: 'service', content: '{name}您好，{project}欠费' },
    s.me,
  )
  await s.t.call(reviewSmsTemplate, { id, state: 'approved' }, s.me)
  const audience = { scopeType: 'numbers', scopeJson: { mobiles: ['13500001085'] } } as const
  const draft = { ...draftTo(asId(1), ''), ...audience, content: undefined, templateId: id }
  const fault = '自有号码无所属项目，模板「欠费」的变量 {project} 无法填写，请更换模板或发送范围'
  expect(await faultTextsOf(s.t.call(countMassSms, { ...audience, templateId: id }, s.me))).toEqual({
    TemplateID: fault,
  })
  expect(await faultTextsOf(s.t.call(sendPropertySms, draft, s.me))).toEqual({ TemplateID: fault })
})

it('a formula in a CSV file is a fault of its row; a sign before a number is none', async () => {
  const file = await uploadLines([
    '手机号,金额',
    '13500001091,=1+1',
    '+8613500001092,-5.00',
    '13500001093,\t=1+1',
    '13500001094,@张三',
  ])
  expect(file).toMatchObject({ rowCount: 4, wrongCount: 1 })
  expect(file.faults.map(({ line, column, value, message }) => [line, column, value, message])).toEqual([
    [2, '金额', '=1+1', '是公式'],
  ])
  const counted = await s.t.call(countMassSms, { content: '应缴{金额}', ...toFile(file.id) }, s.me)
  expect(counted.samples.map(({ content }) => content)).toEqual(['应缴-5.00', '应缴=1+1', '应缴@张三'])
})

it('typed numbers and those of the file go together, each once', async () => {
  const { id } = await uploadLines(['手机号', '13500001031', '13500001032'])
  const scopeJson = { numberFileId: id, mobiles: ['13500001032', '13500001033'] }
  const counted = await s.t.call(
    countRecipients,
    { scopeType: 'numbers', scopeJson, channels: ['sms'], text: '停水' },
    s.me,
  )
  expect(counted).toMatchObject({ people: 4, channels: [{ reachable: 3 }] })
})

it('the template is one that the upload reads, and faulty lines can be downloaded', async () => {
  const template = await readWorkbook(
    await readBody(await s.t.call(downloadNumbersTemplate, undefined, s.me)),
  )
  expect(template.heading).toEqual(['*手机号', '姓名', '房屋', '金额'])
  const { id } = await uploadLines(['手机号', '1350000', '13500001042'])
  const faults = await readWorkbook(await readBody(await s.t.call(downloadNumberFaults, { id }, s.me)))
  expect(faults.lines.map(({ cells }) => cells.map(cellToText))).toEqual([
    ['2', '手机号', '1350000', '不是手机号', '填 11 位手机号；此行不发送'],
  ])
})

it('a file without numbers is refused with what to do', async () => {
  expect(await refusalMessageOf(uploadLines(['姓名,金额', '张三,3']))).toContain('缺少「手机号」这一列')
  expect(await refusalMessageOf(uploadLines(['手机号,姓名']))).toContain('没有号码')
})

it('another clerk does not see the file, and it ends after a day', async () => {
  const { id } = await uploadLines(['手机号', '13500001051'])
  const { as } = await s.t.addClerk(['messaging.sms.add', 'messaging.sms.view'])
  const refused = '号码文件已过期（保存 24 小时），请重新上传'
  expect(await refusalMessageOf(s.t.call(getNumbers, { id }, as))).toBe(refused)
  await s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update sms_number_file
      set create_time = create_time - interval '25 hours'
      where owner_id = ${s.t.ownerId} and id = ${id}
    `),
  )
  expect(await refusalMessageOf(s.t.call(sendPropertySms, draftTo(id, '停水'), s.me))).toBe(refused)
  await numberFileCron.run(s.t.app, new AbortController().signal)
  const left = await s.db().one<{ count: number }>(sql`
    select count(*)::integer as count from sms_number where owner_id = ${s.t.ownerId} and file_id = ${id}
  `)
  expect(left?.count).toBe(0)
})

it('200,000 numbers are read, counted and queued', { timeout: 120_000 }, async () => {
  const many = Array.from({ length: 200_000 }, (_, i) => `${13_600_000_000 + i},住户${i},${i}.00`)
  const started = Date.now()
  const file = await uploadLines(['手机号,姓名,金额', ...many])
  expect(file.rowCount).toBe(200_000)
  const { numberCount } = await s.t.call(countMassSms, { content: '应缴{金额}元', ...toFile(file.id) }, s.me)
  expect(numberCount).toBe(200_000)
  expect(Date.now() - started).toBeLessThan(60_000)
  expect(await refusalMessageOf(uploadLines(['手机号,姓名,金额', ...many, '13500000000,末,1']))).toContain(
    '200,000',
  )
})
