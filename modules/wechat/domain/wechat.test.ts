import { massFaultOf, readMassReport, readTemplateReport } from './job-report.ts'
import { templateFieldFault } from './template-fields.ts'
import { expect, it } from 'vitest'
import { parseId } from '#kit/domain/id.ts'
import { menuFaults, platformMenu } from './menu.ts'
import { fillIn, unknownVariables } from './message-text.ts'
import { Outage } from './outage.ts'
import { massQuotaOf } from './quota.ts'
import { chooseReply, replyFaults } from './reply.ts'

const link = (name: string) => ({ name, type: 'link' as const, url: 'https://example.com/a' })

it('WX-1 a menu of 3 × 5 with names of 4 and 7 Chinese characters is taken', () => {
  const children = Array.from({ length: 5 }, () => link('七个汉字的名称'))
  const buttons = Array.from({ length: 3 }, () => ({ name: '四字菜单', children }))
  expect(menuFaults(buttons)).toEqual([])
})

it('WX-1 a menu of 4 × 6, longer names and buttons without an action are refused with words', () => {
  const children = Array.from({ length: 6 }, (_, i) => link(`子${i}`))
  const tooLarge = Array.from({ length: 4 }, (_, i) => ({ name: `菜单${i}`, children }))
  expect(menuFaults(tooLarge)).toEqual([
    '最多 3 个一级菜单，现有 4 个',
    '「菜单0」最多 5 个子菜单',
    '「菜单1」最多 5 个子菜单',
    '「菜单2」最多 5 个子菜单',
    '「菜单3」最多 5 个子菜单',
  ])
  expect(menuFaults([link('五个字菜单')])).toEqual(['「五个字菜单」菜单名称不超过 4 个汉字'])
  expect(menuFaults([{ name: '服务', children: [link('八个汉字的长名称')] }])).toEqual([
    '「八个汉字的长名称」子菜单名称不超过 7 个汉字',
  ])
  expect(menuFaults([{ name: '服务' }])).toEqual(['「服务」请选择动作'])
  expect(menuFaults([{ name: '缴费', type: 'link', url: 'javascript:alert(1)' }])).toEqual([
    '「缴费」网址应以 https:// 开头',
  ])
  expect(menuFaults([{ name: '报修', type: 'keyword', keyword: ' ' }])).toEqual(['「报修」请填写关键词'])
  expect(menuFaults([{ name: '小程序', type: 'mini', appId: 'wx1' }])[0]).toContain('小程序 AppID')
})

it('a menu becomes what the platform takes', () => {
  const mini = { name: '门禁', type: 'mini' as const, appId: 'wx0123456789abcdef', pagePath: 'pages/a' }
  expect(
    platformMenu([
      link('官网'),
      {
        name: '服务',
        children: [
          { name: '报修', type: 'keyword', keyword: '报修' },
          { ...mini, url: 'https://a.cn' },
        ],
      },
    ]),
  ).toEqual({
    button: [
      { type: 'view', name: '官网', url: 'https://example.com/a' },
      {
        name: '服务',
        sub_button: [
          { type: 'click', name: '报修', key: '报修' },
          { type: 'miniprogram', name: '门禁', url: 'https://a.cn', appid: mini.appId, pagepath: 'pages/a' },
        ],
      },
    ],
  })
})

type Rule = Parameters<typeof chooseReply>[0][number]
type Values = Omit<Rule, 'id' | 'event'> & Partial<Pick<Rule, 'event'>>

const rule = (id: number, values: Values): Rule => ({ event: 'keyword', sort: 0, ...values, id: parseId(id) })

it('WX-1 an exact keyword comes before one that is contained, then the order, then the default', () => {
  const rules = [
    rule(1, { event: 'otherwise' }),
    rule(2, { keywords: ['停水'], matchType: 'contains', sort: 2 }),
    rule(3, { keywords: ['水'], matchType: 'contains', sort: 1 }),
    rule(4, { keywords: ['停水', 'ＡＢＣ'], matchType: 'exact', sort: 9 }),
    rule(5, { event: 'follow' }),
  ]
  const answerTo = (text: string) => chooseReply(rules, text)?.id
  expect([answerTo('停水'), answerTo(' abc '), answerTo('明天停水吗'), answerTo('电费')]).toEqual([
    4, 4, 3, 1,
  ])
  expect(chooseReply(rules.slice(1), '电费')).toBeUndefined()
})

it('a rule needs its keyword, its text or its material', () => {
  expect(replyFaults({ event: 'keyword', keywords: [' '], replyType: 'text' })).toEqual([
    { Field: 'Keywords', Message: '请填写关键词' },
    { Field: 'ReplyContent', Message: '请填写回复内容' },
  ])
  expect(replyFaults({ event: 'keyword', keywords: ['AB', 'ab'], replyType: 'image' })).toEqual([
    { Field: 'Keywords', Message: '关键词重复，请删除多余的' },
    { Field: 'MaterialID', Message: '请选择素材' },
  ])
  expect(replyFaults({ event: 'follow', replyType: 'text', replyContent: '欢迎' })).toEqual([])
})

it('a service account has four mass messages a month, a subscription account one a day', () => {
  expect(massQuotaOf('service', '2026-02-17')).toMatchObject({
    perFollower: 4,
    from: '2026-02-01',
    to: '2026-02-28',
  })
  expect(massQuotaOf('service', '2026-12-31')).toMatchObject({ from: '2026-12-01', to: '2026-12-31' })
  expect(massQuotaOf('subscription', '2026-02-17')).toMatchObject({
    perFollower: 1,
    from: '2026-02-17',
    to: '2026-02-17',
  })
})

it('a platform that is away is asked after longer and longer pauses, for a quarter of an hour', () => {
  const outage = new Outage()
  const at = (seconds: number) => outage.nextPauseMs(seconds * 1000)
  expect([0, 2, 6, 14, 30, 62, 122].map(at)).toEqual([2, 4, 8, 16, 32, 60, 60].map(s => s * 1000))
  expect(at(899)).toBe(60_000)
  expect(at(900)).toBeUndefined()
  outage.end()
  expect(at(1000)).toBe(2000)
})

it('fills a message in; what is not known is empty, and values are not filled in again', () => {
  expect(fillIn('{name}您好，{room}{other}', { name: '{room}', room: '1-101' })).toBe('{room}您好，1-101')
})

it('names the variables of a template that no message of its event fills in', () => {
  expect(unknownVariables('{name}{room}{project}{title}{content}{time}', 'notice')).toEqual([])
  expect(unknownVariables('{nope}，{姓名}，{nope}', 'notice')).toEqual(['nope', '姓名'])
  expect(unknownVariables('{keyword2}', 'fee')).toEqual([])
  expect(unknownVariables('{keyword2}', 'activity')).toEqual(['keyword2'])
})

it.each([
  [
    { MsgID: '7', Status: 'send success', SentCount: '3' },
    { messageId: '7', status: 'send success', arrivedCount: 3 },
  ],
  [
    { MsgID: '7', Status: 'err(20002)', SentCount: '3' },
    { messageId: '7', status: 'err(20002)', arrivedCount: 0 },
  ],
  [{ MsgID: '7', Status: 'send success', SentCount: '-3' }, undefined],
  [{ MsgID: 'x', Status: 'send success', SentCount: '3' }, undefined],
  [{ MsgID: '7' }, undefined],
])('the report of a mass message %j', (fields, report) => {
  expect(readMassReport(fields)).toEqual(report)
})

it('why a mass message was not sent is in words', () => {
  const report = (status: string) => ({ messageId: '7', status, arrivedCount: 0 })
  expect(massFaultOf(report('send success'), 0)).toBeUndefined()
  expect(massFaultOf(report('send success'), 2)).toBe('2 位关注者未收到（拒收或已取消关注）')
  expect(massFaultOf(report('err(20002)'), 2)).toBe('微信未发送：涉嫌色情')
  expect(massFaultOf(report('send fail'), 2)).toBe('微信未发送（send fail）')
})

it.each([
  ['success', 'delivered'],
  ['failed:user block', 'refused'],
  ['failed: system failed', 'failed'],
])('WX-1 a template message that ends with %j is %s', (Status, outcome) => {
  expect(readTemplateReport({ MsgID: '7', Status })).toEqual({ messageId: '7', outcome })
})

it('the fields that are filled in are those of the template', () => {
  const content = '标题：{{thing1.DATA}}\n时间：{{ time2.DATA }}'
  expect(templateFieldFault(content, ['thing1', 'time2'])).toBeUndefined()
  expect(templateFieldFault(content, ['thing1'])).toBe('缺少微信模板的字段 time2，请添加')
  expect(templateFieldFault(content, ['thing1', 'x'])).toContain('「x」不在微信的模板中')
})
