import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { checkIn } from '../contract/check.ts'
import { saveSetting } from '../contract/setting.ts'
import { getInvitationPicture, inviteTemplates, publishTemplate } from '../contract/template.ts'
import { exportInvitations } from '../contract/invitations.ts'
import { addWalkIn, exportValidations, exportVisitors, leave, visitExport } from '../contract/visit.ts'
import { getVisitStatistics } from '../contract/visit-statistics.ts'
import { plainTemplate } from '../domain/template.ts'
import { inviteOne, projectCode } from './gatehouse.fixtures.ts'
import { runRetention } from '#modules/personal-data/server/public.ts'
import { clearedName } from './keep-days.ts'
import { initialSetting } from './setting.ts'

let t: GoldenApp
let me: CallOptions
const mobile = '13800138000'
const certNo = '11010519491231002X'
const day = 86_400_000
const minute = 60_000

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

const clear = () => runRetention(t.app, t.ownerId)
const auditedOf = (entity: string, id: number) =>
  t.database.reader(t.ownerId).rows<{ text: string }>(sql`
    select concat(before::text, after::text) as text
    from audit_log
    where owner_id = ${t.ownerId} and entity = ${entity} and entity_id = ${id}
  `)

it('statistics count who was invited, who came, when and for how long (VIS-8)', async () => {
  const visitor = await inviteOne(t)
  await inviteOne(t)
  const record = await t.call(checkIn, { visitorId: visitor.id, personCount: 1 }, me)
  const walkIn = { projectCode, visitorKind: 'delivery', visitorName: '张三', personCount: 2 } as const
  await t.call(addWalkIn, walkIn, me)
  t.advanceClock(30 * minute)
  await t.call(leave, { ids: [String(record.id)] }, me)
  const span = { projectCode, from: '2026-11-21', to: '2026-11-21' } as const
  const counts = await t.call(getVisitStatistics, span, me)
  expect(counts).toMatchObject({ invited: 2, arrived: 1, walkIns: 1, people: 3, averageStay: 30, refused: 0 })
  expect(counts.kinds.filter(({ visits }) => visits)).toEqual([
    { visitorKind: 'friend', visits: 1 },
    { visitorKind: 'delivery', visits: 1 },
  ])
  expect(counts.hours.filter(({ visits }) => visits)).toEqual([{ hour: 9, visits: 2 }])
  const other = { ...span, from: '2026-11-22', to: '2026-11-22' } as const
  expect(await t.call(getVisitStatistics, other, me)).toMatchObject({ invited: 0, arrived: 0, walkIns: 0 })
  const long = t.call(getVisitStatistics, { ...span, from: '2025-11-20' }, me)
  expect(await refusalMessageOf(long)).toContain('366')
})

it('documents are masked in the export of the visitors’ book, for everybody (VIS-7)', async () => {
  const walkIn = { projectCode, visitorKind: 'friend', visitorName: '张三', personCount: 1 } as const
  const { id } = await t.call(addWalkIn, { ...walkIn, mobile, certNo }, me)
  const columns = ['visitorName', 'certNo']
  const file = await t.call(visitExport.get, { projectCode, columns, ids: [String(id)] }, me)
  const { lines } = await readWorkbook(await readBody(file))
  expect(lines[0]?.cells).toEqual(['张三', '110 *********** 002X'])
})

it('invitations, visitors, validations and visits are exported as their lists find them (1§7)', async () => {
  await inviteOne(t, { visitorName: '孙导出' })
  const files = await Promise.all([
    t.call(exportInvitations.get, { projectCode }, me),
    t.call(exportVisitors.get, { projectCode, keyword: '孙导出' }, me),
    t.call(exportValidations.get, { projectCode }, me),
    t.call(visitExport.get, { projectCode }, me),
  ])
  expect(files.map(file => file.name.split('_')[0])).toEqual(['邀访', '邀请访客', '核验记录', '访客登记'])
  const visitors = await readWorkbook(await readBody(defined(files[1])))
  expect(visitors.lines[0]?.cells).toContain('孙导出')
})

it('a template has its code inside the picture, and one is published at a time (1§7, 2§7)', async () => {
  const draft = {
    projectCode,
    templateName: '一',
    ...plainTemplate,
    isDefault: false,
    state: 'draft',
  } as const
  const withoutCode = { ...draft, parts: plainTemplate.parts.filter(({ part }) => part !== 'qr') }
  expect(await faultTextsOf(t.call(inviteTemplates.add, withoutCode, me))).toEqual({
    Content: '邀请函须有二维码，请添加',
  })
  const first = await t.call(inviteTemplates.add, { ...draft, isDefault: true }, me)
  expect(first).toMatchObject({ isDefault: false, state: 'draft' })
  const renamed = await t.call(inviteTemplates.edit, { ...first, templateName: '访客' }, me)
  expect(renamed).toMatchObject({ templateName: '访客', width: plainTemplate.width })
  const spare = await t.call(inviteTemplates.add, { ...draft, templateName: '备用' }, me)
  const removed = t.call(inviteTemplates.delete, { ids: [String(spare.id)], reason: '不再使用' }, me)
  expect(await removed).toMatchObject({ success: 1 })
  const second = await t.call(inviteTemplates.add, { ...draft, templateName: '二', width: 800 }, me)
  await t.call(publishTemplate, { id: first.id }, me)
  await t.call(publishTemplate, { id: second.id }, me)
  const { rows } = await t.call(inviteTemplates.list, { projectCode, state: ['published'] }, me)
  expect(rows.map(({ id }) => id)).toEqual([second.id])
  const removal = t.call(inviteTemplates.delete, { ids: [String(second.id)], reason: '不再使用' }, me)
  expect(await refusalMessageOf(removal)).toContain('请先发布另一个模板')
  const visitor = await inviteOne(t)
  const picture = await t.call(getInvitationPicture, { id: visitor.id }, me)
  expect(picture).toMatchObject({ width: 800, inviteNo: visitor.inviteNo, hostName: '王前台' })
  const cancelled = await inviteOne(t, { state: 'cancelled' })
  expect(await refusalMessageOf(t.call(getInvitationPicture, { id: cancelled.id }, me))).toContain(
    '没有邀请函',
  )
})

it('after the days that a project keeps them, visits name nobody, their history neither (VIS-7)', async () => {
  await t.call(saveSetting, { projectCode, ...initialSetting, keepDays: 30 }, me)
  const visitor = await inviteOne(t, { mobile, certNo, certType: 'idCard', visitorName: '钱来客' })
  const record = await t.call(checkIn, { visitorId: visitor.id, personCount: 1 }, me)
  expect((await auditedOf('visitRecord', record.id)).map(({ text }) => text).join('')).toContain(certNo)
  t.advanceClock(30 * day)
  await clear()
  const stored = () =>
    t.database.reader(t.ownerId).one<{ visitorName: string; certNo?: string; mobile?: string }>(sql`
      select visitor_name, cert_no, mobile
      from visit_record
      where owner_id = ${t.ownerId} and id = ${record.id}
    `)
  expect(await stored()).toMatchObject({ visitorName: '钱来客', certNo, mobile })
  t.advanceClock(day)
  await clear()
  const cleared = defined(await stored())
  expect(cleared.visitorName).toBe(clearedName)
  expect([cleared.certNo ?? undefined, cleared.mobile ?? undefined]).toEqual([undefined, undefined])
  const texts = [
    ...(await auditedOf('visitRecord', record.id)),
    ...(await auditedOf('inviteVisitor', visitor.id)),
    ...(await auditedOf('invitation', visitor.invitationId)),
  ]
  expect(texts.map(({ text }) => text).join('')).toBe('')
  const [guest] = await t.database.reader(t.ownerId).rows<{ visitorName: string }>(sql`
    select visitor_name
    from invite_visitor
    where owner_id = ${t.ownerId} and id = ${visitor.id} and mobile is null and cert_no is null
  `)
  expect(guest?.visitorName).toBe(clearedName)
})
