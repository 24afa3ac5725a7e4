import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { dispatchMessages } from '#modules/messaging/server/public.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { residentPageUrl } from '#modules/resident-page/server/public.ts'
import { openHome } from '#modules/resident-page/contract/home.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { uploadFile } from '#modules/system/contract/file.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { advertisements, setAdvertisementState, type Advertisement } from '../contract/advertisement.ts'
import {
  addAndPublishStaffNotice,
  addAndPublishUserNotice,
  staffNotices,
  userNotices,
  withdrawUserNotice,
} from '../contract/direct.ts'
import { clickAdvertisement, homeMatters, homeNotice, homeNotices, markHomeNotice } from '../contract/home.ts'
import { matters, setMatterState } from '../contract/matter.ts'
import {
  getNoticeReach,
  notices,
  previewNotice,
  previewReminder,
  publishNotice,
  remindReaders,
  setNoticeTop,
  withdrawNotice,
  type PublicNotice,
} from '../contract/notice.ts'
import { noticeReceivers } from '../contract/receiver.ts'
import { getScreenLink, noticeScreensCrud, openScreen, renewScreenLink } from '../contract/screen.ts'
import { exportNoticeStatistics, getNoticeStatistics } from '../contract/statistics.ts'
import { noticeVersions } from '../contract/version.ts'
import { menu } from '../module.ts'
import { endAdvertisements, turnNotices } from './clock.ts'

const projectCode = 'GOLD0001'
const reason = '内容有误'
let t: GoldenApp
let me: CallOptions

interface Neighbour {
  readonly id: Id
  readonly name: string
  readonly mobile: string
  readonly roomId: Id
  readonly build: string
}

let neighbours: Neighbour[]

/** People of one home each, who have a phone, by the building that they live in. */
const findNeighbours = (): Promise<Neighbour[]> =>
  t.database.reader(t.ownerId).rows<Neighbour>(sql`
    select p.id, p.name, p.mobile, min(l.room_id) as room_id, min(l.build_code) as build
    from resident p
    join user_room l on l.owner_id = ${t.ownerId} and l.user_id = p.id
    where p.owner_id = ${t.ownerId}
      and p.state = 10
      and p.delete_tag = 0
      and p.mobile is not null
      and l.project_code = ${projectCode}
      and l.status = 20
      and l.delete_tag = 0
    group by p.id, p.name, p.mobile
    having count(*) = 1
    order by p.id
  `)

const of = (build: string): Neighbour => defined(neighbours.find(person => person.build === build))

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner, projectCode)
  neighbours = await findNeighbours()
})

afterAll(() => t?.close())

const tokenOf = async ({ id }: Pick<Neighbour, 'id'>): Promise<string> =>
  defined(new URL(defined(await residentPageUrl(t.app, t.ownerId, id)), 'http://here').searchParams.get('t'))

const draft = (values: object = {}) => ({
  title: '停水通知',
  noticeType: 'outage' as const,
  content: '<p>明日 <strong>9 点</strong>停水</p><script>alert(1)</script><img src="x" onerror="alert(1)">',
  scopeType: 'buildings' as const,
  scopeJson: { buildingCodes: [`${projectCode}/B1`] },
  channels: ['app', 'sms', 'screen'] as const,
  smsText: '{name}：明日 9 点停水。',
  isTop: false,
  needConfirm: true,
  ...values,
})

const add = (values: object = {}): Promise<PublicNotice> => t.call(notices.add, draft(values), me)

async function addPublished(values: object = {}): Promise<PublicNotice> {
  const { id } = await add(values)
  return t.call(publishNotice, { id }, me)
}

const titlesOf = async (person: Neighbour): Promise<readonly string[]> =>
  (await t.call(homeNotices, { token: await tokenOf(person) })).notices.map(({ title }) => title)

const receiversOf = async (noticeId: Id, more: object = {}, as = me) =>
  (await t.call(noticeReceivers.list, { noticeId, noticeKind: ['public'], size: 500, ...more }, as)).rows

describe('a notice to a building (NOT-1)', () => {
  it('is previewed with its cost, sent once, read, confirmed and reminded of', async () => {
    const { id, content } = await add()
    expect(content).toBe('<p>明日 <strong>9 点</strong>停水</p>')
    const preview = await t.call(previewNotice, { id }, me)
    const sms = defined(preview.channels.find(line => line.channel === 'sms'))
    expect(preview.scopeText).toMatch(/1栋$/)
    expect(sms.reachable + sms.excluded).toBe(preview.totalCount)
    expect(sms.segments).toBe(sms.reachable)
    expect(preview.samples[0]?.content).toMatch(/：明日 9 点停水。$/)
    const published = await t.call(publishNotice, { id }, me)
    expect(published).toMatchObject({ state: 'published', totalCount: preview.totalCount, readCount: 0 })
    expect(await refusalTextOf(t.call(publishNotice, { id }, me))).toContain('无需重复发布')
    await dispatchMessages(t.app)
    const inside = of('B1')
    expect(deliveredSms(t.app).filter(each => each.mobile === inside.mobile)).toHaveLength(1)
    expect(await titlesOf(of('B2'))).not.toContain('停水通知')
    const token = await tokenOf(inside)
    expect(await t.call(homeNotice, { token, id, kind: 'public' })).toMatchObject({
      content: '<p>明日 <strong>9 点</strong>停水</p>',
      receipt: 'unread',
      companyName: golden.first.company,
    })
    await t.call(markHomeNotice, { token, id, kind: 'public', isConfirmed: false })
    await t.call(markHomeNotice, { token, id, kind: 'public', isConfirmed: true })
    await t.call(markHomeNotice, { token, id, kind: 'public', isConfirmed: false })
    expect(await receiversOf(id, { receipt: ['confirmed'] })).toMatchObject([
      { receiverId: inside.id, personName: inside.name },
    ])
    const others = preview.totalCount - 1
    const reminder = { id, channel: 'sms', content: '请阅读停水通知' } as const
    const result = await t.call(remindReaders, reminder, me)
    expect(result.reminded + result.excluded).toBe(others)
    expect(await refusalTextOf(t.call(remindReaders, reminder, me))).toContain('请选择其他渠道')
    await dispatchMessages(t.app)
    expect(deliveredSms(t.app).filter(each => each.mobile === inside.mobile)).toHaveLength(1)
    expect(await t.call(getNoticeReach, { id }, me)).toMatchObject({
      scopeText: expect.stringMatching(/1栋$/),
      readCount: 1,
      confirmedCount: 1,
      remindedCount: result.reminded,
    })
  })

  it('reminds those alone whom the channel reaches; the others by another one (NOT-1)', async () => {
    const { id, totalCount } = await addPublished({ title: '提醒', channels: ['app'] })
    const quiet = of('B1')
    const setAddress = (mobile: string | null, openId: string | null) =>
      t.database.tx(t.ownerId, tx =>
        tx.execute(sql`
          update resident
          set mobile = ${mobile}, run_wechat = ${openId}, wechat_bind = ${openId !== null}
          where owner_id = ${t.ownerId} and id = ${quiet.id}
        `),
      )
    await setAddress(null, null)
    const bySms = { id, channel: 'sms', content: '{name}请阅读' } as const
    const counted = await t.call(previewReminder, bySms, me)
    expect(counted).toMatchObject({ unreadCount: totalCount, segments: counted.reachable })
    expect(counted.reasons).toContain('人')
    const first = await t.call(remindReaders, bySms, me)
    expect(first).toEqual({ reminded: counted.reachable, excluded: counted.excluded })
    const [missed] = (await receiversOf(id)).filter(({ receiverId }) => receiverId === quiet.id)
    expect(missed?.remindTime).toBeUndefined()
    expect((await t.call(getNoticeReach, { id }, me)).remindedCount).toBe(first.reminded)
    expect(await refusalTextOf(t.call(remindReaders, bySms, me))).toContain('请选择其他渠道')
    await setAddress(null, 'open-id-of-one')
    const byWechat = { ...bySms, channel: 'wechat' } as const
    const left = await t.call(previewReminder, byWechat, me)
    expect(left).toMatchObject({ unreadCount: counted.excluded, reachable: 1 })
    expect(left).not.toHaveProperty('segments')
    expect(await t.call(remindReaders, byWechat, me)).toMatchObject({ reminded: 1 })
    await setAddress(quiet.mobile, null)
  })

  it('names the first five rooms and departments that it is for (NOT-1)', async () => {
    const reader = t.database.reader(t.ownerId)
    const rooms = await reader.rows<{ id: string; path: string; estate: string }>(sql`
      select r.id::text as id, r.path, e.name as estate
      from room r
      join estate e on e.owner_id = ${t.ownerId} and e.project_code = r.project_code
      where r.owner_id = ${t.ownerId} and r.project_code = ${projectCode} and r.delete_tag = 0
      order by r.id
      limit 7
    `)
    const departments = await t.database.tx(t.ownerId, tx =>
      tx.rows<{ id: string }>(sql`
        insert into department (owner_id, name)
        select ${t.ownerId}::bigint, '部门' || n from generate_series(1, 6) as n
        returning id::text as id
      `),
    )
    const scopeOf = async (values: object) => {
      const { id } = await add({ smsText: '停水', ...values })
      const { scopeText } = await t.call(notices.get, { id }, me)
      expect((await t.call(getNoticeReach, { id }, me)).scopeText).toBe(scopeText)
      return scopeText
    }
    const forRooms = (count: number, more: object = {}) => {
      const roomIds = rooms.slice(0, count).map(room => room.id)
      return scopeOf({ scopeType: 'rooms', scopeJson: { roomIds, ...more }, channels: ['app'] })
    }
    const paths = rooms.map(({ path, estate }, i) => (i === 0 ? `${estate} ${path}` : path))
    expect(await forRooms(5)).toBe(paths.slice(0, 5).join('、'))
    expect(await forRooms(7, { relations: ['owner'] })).toBe(
      `${paths.slice(0, 5).join('、')} 等 7 间（业主）`,
    )
    const forDepartments = (count: number) => {
      const departmentIds = departments.slice(0, count).map(({ id }) => id)
      return scopeOf({ scopeType: 'departments', scopeJson: { departmentIds }, channels: ['sms'] })
    }
    expect(await forDepartments(2)).toBe('部门1、部门2')
    expect(await forDepartments(6)).toBe('部门1、部门2、部门3、部门4、部门5 等 6 个部门')
  })

  it('is not written, sent or reminded of with a variable that its receivers do not fill in', async () => {
    const unknown = '变量 {金额} 不能识别，可用 {name}、{room}、{project}'
    expect(await faultTextsOf(add({ smsText: '应缴{金额}元' }))).toEqual({ SmsText: unknown })
    const departments = await t.database.reader(t.ownerId).rows<{ id: string }>(sql`
      select id::text as id from department where owner_id = ${t.ownerId} and delete_tag = 0 order by id limit 1
    `)
    const toStaff = {
      scopeType: 'departments',
      scopeJson: { departmentIds: departments.map(({ id }) => id) },
      channels: ['sms'],
    }
    expect(await faultTextsOf(add({ ...toStaff, smsText: '{name}，{room}开会' }))).toEqual({
      SmsText: '员工无房屋，请删除变量 {room}',
    })
    const { id } = await add({ title: '有误' })
    const reminder = { id, channel: 'sms', content: '应缴{金额}元' } as const
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update public_notice set sms_text = '应缴{金额}元' where owner_id = ${t.ownerId} and id = ${id}
      `),
    )
    expect(await refusalTextOf(t.call(publishNotice, { id }, me))).toContain(unknown)
    const published = await addPublished({ title: '无误', channels: ['app'] })
    const toPublished = { ...reminder, id: published.id }
    const attempts = [t.call(previewReminder, toPublished, me), t.call(remindReaders, toPublished, me)]
    const refused = await Promise.all(attempts.map(faultTextsOf))
    expect(refused).toEqual([{ Content: unknown }, { Content: unknown }])
  })

  it('is counted with what was sent and read of it, by month, project and channel', async () => {
    const span = { from: '2026-11-01', to: '2026-11-30' } as const
    const linesOf = async (grouping: 'month' | 'project' | 'channel') =>
      t.call(getNoticeStatistics, { ...span, grouping }, me)
    await dispatchMessages(t.app)
    const [before] = await linesOf('month')
    const { id, totalCount = 0 } = await addPublished({ title: '统计', channels: ['app', 'sms'] })
    const token = await tokenOf(of('B1'))
    await t.call(markHomeNotice, { token, id, kind: 'public', isConfirmed: true })
    await dispatchMessages(t.app)
    const sent = defined(
      (await t.call(getNoticeReach, { id }, me)).channels.find(each => each.channel === 'sms'),
    )
    const figures = {
      noticeCount: (before?.noticeCount ?? 0) + 1,
      receiverCount: (before?.receiverCount ?? 0) + totalCount,
      readCount: (before?.readCount ?? 0) + 1,
      confirmedCount: (before?.confirmedCount ?? 0) + 1,
      sentCount: (before?.sentCount ?? 0) + sent.sent,
    }
    const ended = { key: 'total', label: '合计', ...figures }
    expect(await linesOf('month')).toMatchObject([{ key: '2026-11', label: '2026-11', ...figures }, ended])
    const { sentCount, ...read } = figures
    expect(await linesOf('project')).toMatchObject([{ key: projectCode, ...figures }, ended])
    const byChannel = await linesOf('channel')
    expect(byChannel.find(({ key }) => key === 'page')).toMatchObject({ label: '住户页', ...read })
    expect(byChannel.find(({ label }) => label === '短信')).toMatchObject({ sentCount })
    // By short message alone it is on no page: it counts in the month, and nobody is expected to read it.
    expect(byChannel.at(-1)).toMatchObject(ended)
    const [{ readRate } = {}] = await linesOf('month')
    await addPublished({ title: '只发短信', channels: ['sms'] })
    const monthly = { noticeCount: figures.noticeCount + 1, readRate }
    expect(await linesOf('month')).toMatchObject([monthly, monthly])
    expect((await linesOf('channel')).find(({ key }) => key === 'page')).toMatchObject(read)
    const file = await t.call(exportNoticeStatistics, { ...span, grouping: 'channel' }, me)
    const sheet = await readWorkbook(await readBody(file))
    expect(sheet.heading.slice(0, 3)).toEqual(['统计项', '公告', '应达'])
    expect(sheet.lines).toHaveLength(byChannel.length)
  })

  it('is listed under the projects that it is of, as it is counted', async () => {
    const { id } = await addPublished({ title: '按项目查看', channels: ['app'] })
    const listedIn = async (code?: string) =>
      (await t.call(notices.list, { keyword: '按项目查看', ...(code ? { projectCode: code } : {}) }, me)).rows
    expect((await listedIn(projectCode)).map(row => row.id)).toEqual([id])
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update public_notice
        set project_codes = '{ELSEWHERE}'
        where owner_id = ${t.ownerId} and id = ${id}
      `),
    )
    expect(await listedIn(projectCode)).toEqual([])
    const everywhere = await t.signedInAs(golden.first.owner, '')
    const { rows } = await t.call(notices.list, { keyword: '按项目查看' }, everywhere)
    expect(rows.map(row => row.id)).toEqual([id])
  })

  it('is not shown to a neighbour of another building, nor by a token of nobody', async () => {
    const { id } = await addPublished({ title: '一栋专属', channels: ['app'] })
    const token = await tokenOf(of('B2'))
    expect(await refusalTextOf(t.call(homeNotice, { token, id, kind: 'public' }))).toContain('不存在')
    const marking = t.call(markHomeNotice, { token, id, kind: 'public', isConfirmed: false })
    expect(await refusalTextOf(marking)).toContain('不存在')
    expect(await refusalTextOf(t.call(homeNotices, { token: 'r.1.1.x' }))).toContain('无效')
    expect(await titlesOf(of('B1'))).toContain('一栋专属')
    await t.call(withdrawNotice, { id, reason }, me)
    const top = t.call(setNoticeTop, { id, isTop: true }, me)
    expect(await refusalTextOf(top)).toContain('不能置顶')
    expect(await titlesOf(of('B1'))).not.toContain('一栋专属')
  })

  it('gets a version when it is changed after publishing; what people were sent stays', async () => {
    const { id, version } = await addPublished({ title: '版本', channels: ['app'] })
    const changed = draft({ title: '版本', channels: ['app'], content: '<p>改为 10 点</p>' })
    const edited = await t.call(notices.edit, { ...changed, id, version }, me)
    expect(edited).toMatchObject({ isModified: true, versionNo: 2, state: 'published' })
    const { rows } = await t.call(noticeVersions.list, { noticeId: [String(id)] }, me)
    expect(rows).toMatchObject([{ versionNo: 1, content: '<p>明日 <strong>9 点</strong>停水</p>' }])
    const other = { ...changed, channels: ['app', 'sms'] as const, id, version: edited.version }
    expect(await refusalTextOf(t.call(notices.edit, other, me))).toContain('渠道')
  })
})

describe('the data domain and hostile input', () => {
  it('keeps a notice within the projects of its author', async () => {
    const limited = await t.signedInAs(golden.first.estateOnly)
    const everybody = t.call(notices.add, draft({ scopeType: 'all', scopeJson: undefined }), limited)
    expect(await refusalTextOf(everybody)).toContain('数据范围')
    const elsewhere = draft({ scopeType: 'projects', scopeJson: { projectCodes: ['GOLD0002'] } })
    expect(await refusalTextOf(t.call(notices.add, elsewhere, limited))).toMatch(/无权|数据范围/)
    const other = await add({
      title: '二期公告',
      scopeType: 'projects',
      scopeJson: { projectCodes: ['GOLD0002'] },
    })
    const { rows } = await t.call(notices.list, { keyword: '二期公告' }, limited)
    expect(rows).toEqual([])
    expect(await refusalTextOf(t.call(notices.get, { id: other.id }, limited))).toContain('不存在')
    expect(await refusalTextOf(t.call(publishNotice, { id: other.id }, limited))).toContain('不存在')
    const building = await t.signedInAs(golden.first.buildingOnly)
    const whole = draft({ scopeType: 'projects', scopeJson: { projectCodes: [projectCode] } })
    expect(await refusalTextOf(t.call(notices.add, whole, building))).toContain('数据范围')
    expect(await t.call(notices.add, draft({ title: '一栋' }), building)).toMatchObject({ state: 'draft' })
    const published = await addPublished({ title: '名单', scopeType: 'projects', scopeJson: whole.scopeJson })
    const seen = await receiversOf(published.id, {}, building)
    expect(seen.length).toBeLessThan((await receiversOf(published.id)).length)
    expect(seen.every(({ receiverId }) => of('B2').id !== receiverId)).toBe(true)
  })

  it('refuses pictures of others, links that run scripts, and what a lobby must not show', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
    const upload = { ...t.upload('图.png', png), name: '图.png', type: 'image/png' }
    const { key } = await t.call(uploadFile, {}, { ...(await t.signedInAs(golden.second.owner)), upload })
    const stolen = t.call(notices.add, draft({ content: `<p>a</p><img src="file:${key}">` }), me)
    expect(await refusalTextOf(stolen)).toMatch(/图片/)
    const empty = t.call(notices.add, draft({ content: '<p> </p><script>x</script>' }), me)
    expect(await refusalTextOf(empty)).toContain('请填写正文')
    const debtors = draft({ scopeJson: { buildingCodes: [`${projectCode}/B1`], arrearsMonths: 1 } })
    expect(await refusalTextOf(t.call(notices.add, debtors, me))).toContain('信息屏公开显示')
    const nowhere = draft({ scopeJson: { buildingCodes: [`${projectCode}/B1`, `${projectCode}/NOPE`] } })
    expect(await refusalTextOf(t.call(notices.add, nowhere, me))).toContain('GOLD0001/NOPE」不存在')
    const named = draft({ scopeType: 'numbers', scopeJson: { mobiles: ['13800000000'] } })
    expect(await refusalTextOf(t.call(notices.add, named, me))).toContain('指定人员')
    expect((await add({ content: '<a href="javascript:alert(1)">甲</a>' })).content).toBe('<a>甲</a>')
  })
})

describe('notices to named persons', () => {
  it('reach the page of those persons alone, until they are withdrawn', async () => {
    const [first, second] = [of('B1'), of('B2')]
    const input = {
      title: '快递',
      content: '<b>前台有快递</b>',
      targetIds: [String(first.id)],
      channels: ['app'] as const,
    }
    const notice = await t.call(addAndPublishUserNotice, input, me)
    expect(notice).toMatchObject({ state: 'published', totalCount: 1, readCount: 0 })
    const again = t.call(addAndPublishUserNotice, { ...input, id: notice.id }, me)
    expect(await refusalTextOf(again)).toContain('已保存')
    expect(await titlesOf(first)).toContain('快递')
    expect(await titlesOf(second)).not.toContain('快递')
    const token = await tokenOf(first)
    await t.call(markHomeNotice, { token, id: notice.id, kind: 'resident', isConfirmed: false })
    expect(await t.call(userNotices.get, { id: notice.id }, me)).toMatchObject({ readCount: 1 })
    await t.call(withdrawUserNotice, { id: notice.id, reason }, me)
    expect(await titlesOf(first)).not.toContain('快递')
  })

  it('reach staff as system messages; those without an account cannot get one', async () => {
    const { as } = await t.addClerk([])
    const account = await t.database.reader(t.ownerId).one<{ id: Id }>(sql`
      select max(id) as id from manager where owner_id = ${t.ownerId}
    `)
    const plain = { state: 'active', isTicketSeller: false } as const
    const receiver = await t.call(staffs.add, { ...plain, name: '张工', managerId: defined(account).id }, me)
    const input = { title: '值班', content: '今晚值班', targetIds: [String(receiver.id)] }
    const notice = await t.call(addAndPublishStaffNotice, input, me)
    expect(notice).toMatchObject({ state: 'published', totalCount: 1, readCount: 0 })
    const { rows } = await t.call(listNotifications, {}, as)
    expect(rows).toMatchObject([{ title: '值班', body: '今晚值班' }])
    const without = await t.call(staffs.add, { ...plain, name: '李工' }, me)
    const silent = { ...input, targetIds: [String(without.id)] }
    expect(await refusalTextOf(t.call(addAndPublishStaffNotice, silent, me))).toContain('无登录账号')
    expect((await t.call(staffNotices.list, {}, me)).rows).toHaveLength(1)
  })
})

it('edits by the call that adds where a record is named (G-2)', async () => {
  const { id } = await add({ title: '先写' })
  const again = { ...draft({ title: '改写' }), id }
  expect(await t.call(notices.add, again, me)).toMatchObject({ id, title: '改写' })
  const { as } = await t.addClerk([menu.notice.permissions.view.key, menu.notice.permissions.add.key])
  expect(await refusalTextOf(t.call(notices.add, again, as))).toContain('权限')
})

describe('the home that is looked at', () => {
  it('says whose notices are listed; one that a message leads to opens with its own project', async () => {
    const both = defined(neighbours.findLast(person => person.build === 'B1'))
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        insert into user_room (
          owner_id, project_code, user_id, room_id, build_code, relation, status, apply_source
        )
        select ${t.ownerId}, r.project_code, ${both.id}, r.id, r.build_code, 10, 20, 10
        from room r
        where r.owner_id = ${t.ownerId} and r.project_code = 'GOLD0002'
        order by r.id
        limit 1
      `),
    )
    const token = await tokenOf(both)
    const page = await t.call(openHome, { token })
    const [nearHome, farHome] = [true, false].map(isHere =>
      defined(page.homes.find(home => (home.estateName === page.estateName) === isHere)),
    )
    const { id } = await addPublished({ title: '仅一期', channels: ['app'] })
    const titlesAt = async (home: string) =>
      (await t.call(homeNotices, { token, home })).notices.map(({ title }) => title)
    expect(await titlesAt(defined(nearHome).homeKey)).toContain('仅一期')
    expect(await titlesAt(defined(farHome).homeKey)).not.toContain('仅一期')
    const waitingAt = async (home: string) =>
      (await t.call(openHome, { token, home })).parts.find(({ key }) => key === 'notices')?.count ?? 0
    expect(await waitingAt(defined(nearHome).homeKey)).toBeGreaterThan(
      await waitingAt(defined(farHome).homeKey),
    )
    const opened = await t.call(homeNotice, { token, home: defined(farHome).homeKey, id, kind: 'public' })
    expect(opened.estateName).toBe(page.estateName)
  })
})

async function addAdvertisement(values: Partial<Advertisement>): Promise<Advertisement> {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
  const upload = { ...t.upload('图.png', png), name: '图.png', type: 'image/png' }
  const { key } = await t.call(uploadFile, {}, { ...me, upload })
  const days = { beginDate: '2026-11-01', endDate: '2026-11-21' } as const
  const plain = { title: '广告', position: 'app', media: key, sort: 0, ...days } as const
  return t.call(advertisements.add, { ...plain, ...values }, me)
}

describe('screens, advertisements and guidance (NOT-2)', () => {
  it('shows a lobby its building and the advertisements of its position, until the link is void', async () => {
    await addPublished({ title: '一栋屏', channels: ['screen'] })
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
    const upload = { ...t.upload('图.png', png), name: '图.png', type: 'image/png' }
    const { key } = await t.call(uploadFile, {}, { ...me, upload })
    const ad = {
      position: 'lobby',
      media: key,
      beginDate: '2026-11-01',
      endDate: '2026-11-21',
      sort: 0,
    } as const
    const shown = await t.call(advertisements.add, { ...ad, title: '大堂' }, me)
    await t.call(advertisements.add, { ...ad, title: '电梯', position: 'elevator' }, me)
    const unsafe = t.call(advertisements.add, { ...ad, title: '坏', linkUrl: 'javascript:alert(1)' }, me)
    expect(await refusalTextOf(unsafe)).toContain('https://')
    const plain = { projectCode, position: 'lobby', turnSeconds: 10, state: 'on' } as const
    const contentOf = async (buildCode: string) => {
      const screen = await t.call(
        noticeScreensCrud.add,
        { ...plain, screenName: `${buildCode}大堂`, buildCode },
        me,
      )
      const { url } = await t.call(getScreenLink, { screenId: screen.id }, me)
      const token = defined(new URL(defined(url), 'http://here').searchParams.get('t'))
      return { screen, token, content: await t.call(openScreen, { token }) }
    }
    const first = await contentOf('B1')
    expect(first.content.notices.map(({ title }) => title)).toContain('一栋屏')
    expect(first.content.advertisements.map(({ title }) => title)).toEqual(['大堂'])
    expect(first.content.advertisements[0]?.mediaUrl).toContain('Sign=')
    const second = await contentOf('B2')
    expect(second.content.notices.map(({ title }) => title)).not.toContain('一栋屏')
    await t.call(renewScreenLink, { screenId: first.screen.id, isVoid: false, reason: '链接外泄' }, me)
    expect(await refusalTextOf(t.call(openScreen, { token: first.token }))).toContain('失效')
    expect(await refusalTextOf(t.call(openScreen, { token: `${second.token}x` }))).toContain('失效')
    expect((await t.call(noticeScreensCrud.get, { id: second.screen.id }, me)).seenTime).toBeDefined()
    await t.call(setAdvertisementState, { ids: [String(shown.id)], state: 'off' }, me)
    expect((await t.call(openScreen, { token: second.token })).advertisements).toEqual([])
    await t.call(noticeScreensCrud.edit, { ...plain, ...second.screen, state: 'off', version: undefined }, me)
    expect(await refusalTextOf(t.call(openScreen, { token: second.token }))).toContain('已停用')
  })

  it('counts a click once per resident and minute, also of twenty at once', async () => {
    const { id: advertisementId } = await addAdvertisement({ title: '住户页' })
    const tokens = [await tokenOf(of('B1')), await tokenOf(of('B2'))]
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        t.call(clickAdvertisement, { token: defined(tokens[i % 2]), advertisementId }),
      ),
    )
    expect((await t.call(advertisements.get, { id: advertisementId }, me)).clickCount).toBe(2)
    t.advanceClock(60_000)
    await t.call(clickAdvertisement, { token: defined(tokens[0]), advertisementId })
    expect((await t.call(advertisements.get, { id: advertisementId }, me)).clickCount).toBe(3)
  })

  it('counts no click of one that the resident is not shown', async () => {
    const token = await tokenOf(of('B1'))
    const off = await addAdvertisement({ title: '停用' })
    await t.call(setAdvertisementState, { ids: [String(off.id)], state: 'off' }, me)
    const hidden = [
      off,
      await addAdvertisement({ title: '外墙', position: 'elevator' }),
      await addAdvertisement({ title: '二期广告', projectCodes: ['GOLD0002'] }),
      await addAdvertisement({ title: '未开始', beginDate: '2026-11-22', endDate: '2026-11-23' }),
    ]
    for (const { id } of hidden) {
      const click = t.call(clickAdvertisement, { token, advertisementId: id })
      expect(await refusalTextOf(click)).toContain('不存在')
      expect((await t.call(advertisements.get, { id }, me)).clickCount).toBe(0)
    }
  })

  it('shows residents the guidance of their project once it is published', async () => {
    const input = { title: '宠物登记', category: 'other', steps: '<p>一、填表</p>', sort: 1 } as const
    const { id } = await t.call(matters.add, { ...input, projectCodes: [projectCode] }, me)
    const unsafe = t.call(matters.add, { ...input, servicePhone: 'javascript:alert(1)' }, me)
    expect(await refusalTextOf(unsafe)).toContain('区号-号码')
    const token = await tokenOf(of('B1'))
    const titles = async () => (await t.call(homeMatters, { token })).matters.map(({ title }) => title)
    expect(await titles()).not.toContain('宠物登记')
    await t.call(setMatterState, { ids: [String(id)], state: 'published' }, me)
    expect(await titles()).toContain('宠物登记')
    const parts = (await t.call(openHome, { token })).parts.map(({ key }) => key)
    expect(parts).toEqual(expect.arrayContaining(['notices', 'matters']))
  })
})

describe('the clock', () => {
  it('publishes at the time, returns what cannot be published to its author, and ends it', async () => {
    const times = { publishTime: '2026-11-21 10:00:00', expireTime: '2026-11-21 11:00:00' }
    const good = await addPublished({ title: '定时', channels: ['app'], ...times })
    expect(good.state).toBe('timed')
    expect(await titlesOf(of('B1'))).not.toContain('定时')
    const text = { smsText: '长'.repeat(300), channels: ['sms'] as const }
    const bad = await addPublished({ title: '太贵', ...text, ...times })
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update sms_account set total_count = used_count + frozen_count where owner_id = ${t.ownerId}
      `),
    )
    t.advanceClock(3_600_000)
    await Promise.all([turnNotices(t.app), turnNotices(t.app)])
    expect(await titlesOf(of('B1'))).toContain('定时')
    expect(await t.call(notices.get, { id: bad.id }, me)).toMatchObject({ state: 'draft' })
    const { rows } = await t.call(listNotifications, {}, me)
    expect(rows.find(row => row.bizId === bad.id)?.body).toContain('短信余量不足')
    t.advanceClock(3_600_000)
    await turnNotices(t.app)
    expect(await t.call(notices.get, { id: good.id }, me)).toMatchObject({ state: 'expired' })
    t.advanceClock(86_400_000)
    await endAdvertisements(t.app)
    const ended = await t.database.reader(t.ownerId).rows<{ title: string }>(sql`
      select title from advertisement where owner_id = ${t.ownerId} and state = 30
    `)
    expect(ended.map(({ title }) => title)).toEqual(expect.arrayContaining(['大堂', '电梯']))
  })
})
