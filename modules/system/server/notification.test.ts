import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { refusalOf, faultsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { editManager, getManager } from '#modules/accounts/contract/manager.ts'
import { addRole, editRole } from '#modules/accounts/contract/role.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import {
  createAccount,
  openAccountsApp,
  type TestAccount,
} from '#modules/accounts/server/accounts.fixtures.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { addEstate } from '#modules/estates/contract/estate.ts'
import {
  addAnnouncement,
  deleteAnnouncements,
  listAnnouncements,
  listUnreadAnnouncements,
} from '../contract/announcement.ts'
import {
  countUnreadNotifications,
  deleteNotifications,
  getNotificationSetting,
  listNotifications,
  getNotification,
  saveNotificationSetting,
  markNotificationsRead,
} from '../contract/notification.ts'
import {
  addSuggestion,
  listSuggestions,
  listOwnSuggestions,
  handleSuggestions,
} from '../contract/suggestion.ts'
import { getWorkQueues } from '../contract/work-queue.ts'
import { menu } from '../module.ts'
import { publishDueAnnouncements } from './announcement.ts'
import { defineNotificationKind, notify, ringAfterQuietHours } from './notify.ts'
import { notifyTaskEnded } from './task-ended.ts'

const ordinaryKind = defineNotificationKind({ key: 'test.plain', label: '试验', group: 'notice' })
const mandatoryKind = defineNotificationKind({
  key: 'test.grave',
  label: '安全',
  group: 'system',
  mandatory: true,
})
let t: TestApp
let n = 0

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let boss: TestAccount
let clerk: TestAccount
let ownerId: Id = 0
let clerkRole: { id: Id; version?: number | undefined }

const signIn = async (
  loginCode: string,
  password = 'Right2026',
  overrides: CallOptions = {},
): Promise<CallOptions> => ({
  ...overrides,
  token: (await t.call(login, { loginCode, password }, overrides)).token,
})

/** An account with one role of its own that has these permissions. */
async function createPerson(
  name: string,
  permissions: string[],
): Promise<TestAccount & { role: { id: Id; version?: number | undefined } }> {
  const role = await t.call(addRole, { roleName: `${name}${n}`, permissions, needTotp: false }, boss.as)
  const account = await createAccount(t, boss.as, {
    loginCode: `${name}${n}`,
    realName: name,
    roleIds: [String(role.id)],
  })
  return { ...account, role }
}

beforeEach(async () => {
  n++
  const company = await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `boss${n}`,
      password: 'Right2026',
      realName: '老板',
    }),
  )
  ownerId = company.ownerId
  boss = { id: company.operatorId, loginCode: `boss${n}`, as: await signIn(`boss${n}`) }
  for (const p of ['EAST0001', 'WEST0001']) {
    await t.call(addEstate, { projectCode: p, name: p, projectType: 'housing', state: 'on' }, boss.as)
  }
  const person = await createPerson('clerk', ['system.suggest.view', 'system.suggest.edit'])
  clerk = person
  clerkRole = person.role
  t.published.length = 0
})

const listFor = async (account: TestAccount) => (await t.call(listNotifications, {}, account.as)).rows

const sendNotification = (overrides: object = {}) =>
  t.database.tx(ownerId, tx =>
    notify(tx, t.app, ownerId, {
      kind: ordinaryKind,
      to: [boss.id, clerk.id],
      title: '你好',
      ...overrides,
    }),
  )

const listRingEvents = () => t.published.filter(x => x.kind === 'notice')

it('each receiver gets a message of its own, unread until it is read, and the bell rings after the commit', async () => {
  expect(await sendNotification({ text: '内容', link: '/work', bizId: 7 })).toBe(2)
  expect(listRingEvents().map(x => [x.ownerId, x.to])).toEqual([[ownerId, [boss.id, clerk.id]]])
  const [ownMessage] = await listFor(clerk)
  expect(ownMessage).toMatchObject({
    title: '你好',
    body: '内容',
    link: '/work',
    kindName: '试验',
    noticeGroup: 'notice',
    level: 'normal',
  })
  expect(await t.call(countUnreadNotifications, undefined, clerk.as)).toEqual({
    unread: 1,
    todo: 0,
    notice: 1,
    system: 0,
  })
  // Another account's message is not found: not to read, to mark or to delete.
  expect((await refusalOf(t.call(getNotification, { id: defined(ownMessage).id }, boss.as))).code).toBe(10004)
  await t.call(markNotificationsRead, { ids: [String(defined(ownMessage).id)] }, boss.as)
  expect(
    (await refusalOf(t.call(deleteNotifications, { ids: [String(defined(ownMessage).id)] }, boss.as))).code,
  ).toBe(10004)
  expect((await t.call(countUnreadNotifications, undefined, clerk.as)).unread).toBe(1)
  await t.call(markNotificationsRead, { kind: 'test.plain', bizId: asId(7) }, clerk.as)
  expect((await t.call(countUnreadNotifications, undefined, clerk.as)).unread).toBe(0)
  expect((await t.call(getNotification, { id: defined(ownMessage).id }, clerk.as)).readTime).toBe(
    '2026-11-21 09:00:00',
  )
  expect((await t.call(listNotifications, { unread: true }, clerk.as)).total).toBe(0)
  await t.call(deleteNotifications, { ids: [String(defined(ownMessage).id)] }, clerk.as)
  expect(await listFor(clerk)).toEqual([])
  // After a rollback there is no message and no ring.
  t.published.length = 0
  await t.database
    .tx(ownerId, async tx => {
      await notify(tx, t.app, ownerId, { kind: ordinaryKind, to: [clerk.id], title: '不' })
      throw new Error('no')
    })
    .catch(() => {})
  expect([listRingEvents(), await listFor(clerk)]).toEqual([[], []])
})

it('goes to all, or to the accounts with a permission in a project, never to the excepted operator', async () => {
  const east = await createPerson('east', ['system.suggest.edit'])
  await t.call(saveDataDomain, { managerId: east.id, projectCodes: ['EAST0001'], allProject: false }, boss.as)
  await t.call(
    saveDataDomain,
    { managerId: clerk.id, projectCodes: ['WEST0001'], allProject: false },
    boss.as,
  )
  const none = await createPerson('none', [])
  const to = async (overrides: object): Promise<number[]> => {
    t.published.length = 0
    await sendNotification(overrides)
    return listRingEvents()
      .flatMap(x => (Array.isArray(x.to) ? x.to : []))
      .toSorted((a, b) => a - b)
  }
  expect(await to({ to: 'all' })).toEqual([boss.id, clerk.id, east.id, none.id])
  expect(await to({ to: { permission: menu.suggest.permissions.edit } })).toEqual([
    boss.id,
    clerk.id,
    east.id,
  ])
  expect(
    await to({
      to: { permission: menu.suggest.permissions.edit, project: 'EAST0001' },
      exceptOperatorId: boss.id,
    }),
  ).toEqual([east.id])
})

it('a kind that is switched off does not come, a mandatory one always does', async () => {
  const s = await t.call(getNotificationSetting, undefined, clerk.as)
  expect(s.kinds.find(k => k.kind === 'test.plain')).toEqual({
    kind: 'test.plain',
    mail: false,
    name: '试验',
    noticeGroup: 'notice',
    on: true,
    mandatory: false,
  })
  expect((await refusalOf(t.call(saveNotificationSetting, { off: ['test.grave'] }, clerk.as))).message).toBe(
    '「安全」是必须接收的消息，不能关闭',
  )
  expect((await refusalOf(t.call(saveNotificationSetting, { off: ['none'] }, clerk.as))).message).toBe(
    '没有消息类型「none」',
  )
  await t.call(saveNotificationSetting, { off: ['test.plain'] }, clerk.as)
  expect(await sendNotification()).toBe(1)
  expect(await sendNotification({ kind: mandatoryKind })).toBe(2)
  expect((await listFor(clerk)).map(m => m.kind)).toEqual(['test.grave'])
  expect(
    defined(
      (await t.call(getNotificationSetting, undefined, clerk.as)).kinds.find(k => k.kind === 'test.plain'),
    ).on,
  ).toBe(false)
})

it('in quiet hours the bell rings once at their end, and not for messages already read', async () => {
  expect((await refusalOf(t.call(saveNotificationSetting, { quietFrom: '08:00' }, clerk.as))).data).toEqual([
    { Field: 'QuietTo', Message: '请填写免打扰结束时间，或把两个时间都清空' },
  ])
  expect(
    (await refusalOf(t.call(saveNotificationSetting, { quietFrom: '25:00', quietTo: '08:00' }, clerk.as)))
      .message,
  ).toContain('时间应为 24 小时制')
  await t.call(saveNotificationSetting, { quietFrom: '08:00', quietTo: '09:30' }, clerk.as)
  await sendNotification()
  expect(listRingEvents().flatMap(x => (Array.isArray(x.to) ? x.to : []))).toEqual([boss.id])
  expect(await listFor(clerk)).toHaveLength(1)
  await sendNotification({ kind: mandatoryKind })
  expect(listRingEvents().flatMap(x => (Array.isArray(x.to) ? x.to : []))).toEqual([
    boss.id,
    boss.id,
    clerk.id,
  ])
  t.published.length = 0
  t.advanceClock(29 * 60_000)
  await ringAfterQuietHours(t.app)
  expect(listRingEvents()).toEqual([])
  t.advanceClock(60_000)
  await Promise.all([ringAfterQuietHours(t.app), ringAfterQuietHours(t.app)])
  expect(listRingEvents().map(x => x.to)).toEqual([[clerk.id]])
  t.advanceClock(-30 * 60_000)
  t.published.length = 0
  await sendNotification({ to: [clerk.id] })
  await t.call(markNotificationsRead, {}, clerk.as)
  t.published.length = 0
  t.advanceClock(30 * 60_000)
  await ringAfterQuietHours(t.app)
  expect(listRingEvents()).toEqual([])
  t.advanceClock(-30 * 60_000)
})

it('a change of permissions notifies the account with what changed and by whom; so does a new device', async () => {
  const r = await t.call(
    editRole,
    {
      id: clerkRole.id,
      roleName: `clerk${n}`,
      permissions: ['system.suggest.view', 'estates.building.view'],
      needTotp: false,
      version: clerkRole.version,
    },
    boss.as,
  )
  expect((await listFor(clerk))[0]).toMatchObject({
    kind: 'accounts.rights',
    title: '老板修改了你的权限，已经生效',
    body: `角色「clerk${n}」，新增「楼栋管理·查看」，取消「意见反馈·编辑」`,
  })
  // A new role name alone changes no permissions.
  await t.call(
    editRole,
    {
      id: r.id,
      roleName: `clerk${n}b`,
      permissions: r.permissions,
      needTotp: false,
      version: r.version,
    },
    boss.as,
  )
  await t.call(saveDataDomain, { managerId: clerk.id, allProject: true }, boss.as)
  const m = await t.call(getManager, { id: clerk.id }, boss.as)
  await t.call(editManager, { ...m, roleIds: [], showPrivacy: true }, boss.as)
  expect((await listFor(clerk)).map(x => x.body)).toEqual([
    '普通员工，角色：无，可查看完整手机号、证件号',
    '数据范围：全部项目',
    expect.stringContaining('取消「意见反馈·编辑」'),
  ])
  await t.call(markNotificationsRead, {}, clerk.as)
  await signIn(clerk.loginCode, 'Right2026', {
    agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Edg/140.0',
    ip: '10.7.7.7',
  })
  const news = (await t.call(listNotifications, { unread: true }, clerk.as)).rows
  expect(news.map(x => [x.title, x.body?.slice(0, 13)])).toEqual([
    ['你的账号在新设备上登录：Edge · Windows', '登录地址 10.7.7.7'],
  ])
  await signIn(clerk.loginCode, 'Right2026', {
    agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Edg/140.0',
  })
  expect((await t.call(listNotifications, { unread: true }, clerk.as)).total).toBe(1)
})

it('the end of a task notifies the operator who started it, unless the operator stopped it', async () => {
  const end = (state: number, outcome: object) =>
    t.database.tx(ownerId, tx =>
      notifyTaskEnded({
        tx,
        app: t.app,
        task: { id: asId(9), ownerId, title: '导入住户', kind: 'residents.import', operatorId: clerk.id },
        state,
        outcome,
      }),
    )
  await end(30, { success: 12, skipped: 1 })
  await end(60, { message: '已停止' })
  await end(40, { message: '表头不对' })
  expect((await listFor(clerk)).map(m => [m.title, m.body, m.level, m.link, m.bizId])).toEqual([
    ['导入住户：失败', '表头不对', 'important', 'tasks', 9],
    ['导入住户：完成', '成功 12 条，跳过 1 条', 'normal', 'tasks', 9],
  ])
})

it('an announcement notifies everybody at its time, shows until it is read or over, and disappears when withdrawn', async () => {
  expect(
    (
      await refusalOf(
        t.call(
          addAnnouncement,
          {
            title: '维护',
            content: '今晚维护',
            level: 'important',
            startTime: '2026-11-21 08:00:00',
          },
          clerk.as,
        ),
      )
    ).code,
  ).toBe(10003)
  expect(
    (
      await refusalOf(
        t.call(
          addAnnouncement,
          {
            title: '维护',
            content: '今晚维护',
            level: 'important',
            startTime: '2026-11-21 08:00:00',
            endTime: '2026-11-21 08:30:00',
          },
          boss.as,
        ),
      )
    ).data,
  ).toEqual([{ Field: 'EndTime', Message: '结束时间应晚于开始时间和现在' }])
  const at = t.app.clock()
  const a = await t.call(
    addAnnouncement,
    {
      title: '维护',
      content: '今晚维护',
      level: 'important',
      startTime: '2026-11-21 08:00:00',
      endTime: '2026-11-21 23:00:00',
    },
    boss.as,
  )
  expect(a).toMatchObject({ notified: 2, seen: 0, waiting: false })
  const [news] = await t.call(listUnreadAnnouncements, undefined, clerk.as)
  expect(news).toMatchObject({ id: a.id, title: '维护', content: '今晚维护', level: 'important' })
  await t.call(markNotificationsRead, { ids: [String(defined(news).messageId)] }, clerk.as)
  expect(await t.call(listUnreadAnnouncements, undefined, clerk.as)).toEqual([])
  expect((await t.call(listAnnouncements, {}, boss.as)).rows[0]).toMatchObject({ notified: 2, seen: 1 })
  t.advanceClock(15 * 3_600_000)
  expect(
    await t.call(listUnreadAnnouncements, undefined, {
      ...boss.as,
      token: defined((await signIn(boss.loginCode)).token),
    }),
  ).toEqual([])
  t.advanceClock(at - t.app.clock())
  // A later one is published at its time, once, also by two processes at once.
  const later = await t.call(
    addAnnouncement,
    { title: '明天', content: '放假通知', level: 'normal', startTime: '2026-11-21 10:00:00' },
    boss.as,
  )
  expect(later).toMatchObject({ waiting: true, notified: 0 })
  await publishDueAnnouncements(t.app)
  expect((await listFor(clerk)).map(m => m.title)).toEqual(['维护'])
  t.advanceClock(3_600_000)
  await Promise.all([publishDueAnnouncements(t.app), publishDueAnnouncements(t.app)])
  t.advanceClock(-3_600_000)
  expect((await listFor(clerk)).map(m => m.title)).toEqual(['明天', '维护'])
  await t.call(deleteAnnouncements, { ids: [String(a.id)], reason: '取消维护' }, boss.as)
  expect((await listFor(clerk)).map(m => m.title)).toEqual(['明天'])
})

it('a suggestion notifies those who may answer it, is marked read, and its author is notified of the reply', async () => {
  const writer = await createPerson('writer', [])
  await t.call(
    saveDataDomain,
    { managerId: writer.id, projectCodes: ['EAST0001'], allProject: false },
    boss.as,
  )
  await t.call(
    saveDataDomain,
    { managerId: clerk.id, projectCodes: ['EAST0001'], allProject: false },
    boss.as,
  )
  expect(faultsOf(await refusalOf(t.call(addSuggestion, { content: '好' }, writer.as)))[0]?.Field).toBe(
    'Content',
  )
  expect(
    (
      await refusalOf(
        t.call(addSuggestion, { content: '希望导出更快一些', projectCode: 'WEST0001' }, writer.as),
      )
    ).code,
  ).toBe(10003)
  const s = await t.call(
    addSuggestion,
    { content: '希望导出更快一些', projectCode: 'EAST0001', mobile: '13800001234' },
    writer.as,
  )
  expect(s).toMatchObject({ userKind: 'manager', userName: 'writer', isRead: false })
  expect((await listFor(clerk))[0]).toMatchObject({
    title: 'writer提交了意见反馈',
    body: '希望导出更快一些',
    link: '/quality/serviceManage/feedbacklist',
  })
  const { queues } = await t.call(getWorkQueues, undefined, boss.as)
  expect(queues.find(queue => queue.key === 'suggests')).toMatchObject({
    count: 1,
    path: '/quality/serviceManage/feedbacklist?replied=0&view=open',
  })
  const [row] = (await t.call(listSuggestions, { isRead: false }, clerk.as)).rows
  expect(row).toMatchObject({ id: s.id, projectName: 'EAST0001', mobile: '138 **** 1234' })
  expect((await refusalOf(t.call(listSuggestions, {}, writer.as))).message).toContain(
    '需要「意见反馈·查看」权限，请联系超级管理员 老板授权',
  )
  // An account of one project does not see suggestions about another project or about none.
  const other = await t.call(addSuggestion, { content: '总部的建议写在此处' }, boss.as)
  expect((await t.call(listSuggestions, {}, clerk.as)).rows.map(x => x.id)).toEqual([s.id])
  expect((await refusalOf(t.call(handleSuggestions, { ids: [String(other.id)] }, clerk.as))).code).toBe(10004)
  expect((await t.call(listSuggestions, {}, boss.as)).total).toBe(2)
  await t.call(handleSuggestions, { ids: [String(s.id)], isRead: true }, clerk.as)
  expect((await t.call(listSuggestions, { isRead: true }, clerk.as)).total).toBe(1)
  await t.call(handleSuggestions, { ids: [String(s.id)], reply: '下一版会更快' }, clerk.as)
  expect((await t.call(listOwnSuggestions, undefined, writer.as))[0]).toMatchObject({
    reply: '下一版会更快',
    replyName: 'clerk',
    isRead: true,
  })
  expect((await listFor(writer))[0]).toMatchObject({
    kind: 'system.reply',
    body: '下一版会更快',
    title: '你的反馈有了回复：希望导出更快一些',
  })
  expect((await t.call(listSuggestions, { replied: true }, clerk.as)).total).toBe(1)
})

it('lists and counts of messages use an index', async () => {
  const plan = async (q: ReturnType<typeof sql>): Promise<string> =>
    t.database.tx(ownerId, async tx => {
      await tx.execute(sql`set local enable_seqscan = off`)
      return JSON.stringify(await tx.rows(sql`explain ${q}`))
    })
  expect(
    await plan(
      sql`
        select id
        from notification t
        where owner_id = ${ownerId} and receiver_kind = 30 and receiver_id = 1 and delete_tag = 0
        order by id desc
        limit 20
      `,
    ),
  ).toContain('notification_receiver')
  expect(
    await plan(
      sql`
        select notice_group, count(*)
        from notification t
        where owner_id = ${ownerId}
          and receiver_kind = 30
          and receiver_id = 1
          and delete_tag = 0
          and read_time is null
        group by 1
      `,
    ),
  ).toContain('notification_unread')
})
