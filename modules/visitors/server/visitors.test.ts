import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, fromInstant, momentAt } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { doorwayGroups } from '#modules/access/contract/group.ts'
import { doorways } from '#modules/access/contract/doorway.ts'
import { checkRight, listRights } from '#modules/access/contract/reach.ts'
import { canOpen } from '#modules/access/server/public.ts'
import { addResidentBlock } from '#modules/residents/contract/block.ts'
import { saveCard } from '#modules/residents/contract/card.ts'
import { drawCodes } from '#modules/residents/server/public.ts'
import { renewPersonLink, voidPersonLink } from '#modules/access/contract/person-link.ts'
import { changeResidentMobile } from '#modules/residents/contract/maintenance.ts'
import { checkInAgain, checkOut } from '#modules/residents/contract/move.ts'
import { listResidencies, type Residency } from '#modules/residents/contract/residency.ts'
import { listQuestions } from '../contract/asked-questions.ts'
import { visitorBlock, visitorBlocks } from '../contract/block.ts'
import { passCode } from '../contract/check.ts'
import { listCheckTypes, saveCheckType, saveCheckTypes } from '../contract/check-type.ts'
import { completeGuest, openGuest, openGuestPicture } from '../contract/guest.ts'
import { cancelAsHost, decideAsHost, extendAsHost, inviteAsHost, openHost } from '../contract/host.ts'
import {
  allowInvitation,
  allowInvitations,
  auditRequest,
  canDeleteRule,
  cancelInvitation,
  checkInvitation,
  editInvitation,
  extendInvitation,
  getInvitation,
  listHostLinks,
  listRequests,
} from '../contract/invitations.ts'
import { visitorLocations } from '../contract/location.ts'
import { inviteRules } from '../contract/rule.ts'
import { getSetting, listEstates, saveSetting } from '../contract/setting.ts'
import { listVisits } from '../contract/visit.ts'
import { expireInvitations } from './expiry.ts'
import { consumePass } from './pass.ts'
import { addRule, inviteOne, nextMobile, projectCode, tomorrow } from './visitors.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let home: Residency

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  const { rows } = await t.call(listResidencies, { projectCode, status: ['living'], size: 50 }, me)
  home = defined(rows.find(row => rows.filter(other => other.userId === row.userId).length === 1))
})

afterAll(() => t?.close())

// Each test has the rules that it adds.
beforeEach(async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update invite_rule set state = 20 where owner_id = ${t.ownerId}`),
  )
})

const tokenOf = (url: string): string => defined(url.split('?t=')[1])
const stateOf = async (id: Id) => (await t.call(getInvitation, { id }, me)).state

async function hostToken(): Promise<string> {
  const [link] = await t.call(listHostLinks, { projectCode, userId: home.userId }, me)
  return tokenOf(defined(defined(link).url))
}

const asked = (overrides: object = {}) => ({
  visitorKind: 'friend' as const,
  personCount: 1,
  ...tomorrow(t),
  visitors: [{ visitorName: '赵六', mobile: nextMobile() }],
  ...overrides,
})

it('refuses an invitation where no rule is for it, and says whom to ask (VIS-1)', async () => {
  expect(await refusalMessageOf(inviteOne(t, me))).toBe('本项目没有可邀请「亲友」的规则，请联系物业')
  await addRule(t, me, { hostTypes: ['resident'] })
  expect(await refusalMessageOf(inviteOne(t, me))).toContain('请联系物业')
})

it('takes an invitation under the rule: number, codes, what the rule gives (VIS-1, 1§7)', async () => {
  const rule = await addRule(t, me, { maxTimes: 2 })
  const made = await inviteOne(t, me, {
    personCount: 3,
    visitors: [{ visitorName: '王五', mobile: '13900139001', plateNo: '粤b·12345' }, { visitorName: '王六' }],
  })
  expect(made).toMatchObject({
    state: 'passed',
    ruleId: rule.id,
    maxTimes: 2,
    isGroup: true,
    visitorName: '王五',
    plateNo: '粤B12345',
    latestEndTime: momentAt(addDays(dayOfMoment(made.endTime), 1), '18:00'),
  })
  expect(made.invitationNo).toMatch(/^FK\d+/)
  expect(made.visitors.map(each => each.inviteNo)).toEqual([
    expect.stringMatching(/^\d{8}$/),
    expect.stringMatching(/^\d{8}$/),
  ])
  expect(new Set(made.visitors.map(each => each.inviteNo)).size).toBe(2)
})

it('refuses what the rule does not allow, and says the same before it is sent (VIS-1, 1§7)', async () => {
  const rule = await addRule(t, me, { maxPersons: 2, checkType: 'property' })
  const tooMany = { projectCode, hostType: 'staff' as const, ...asked({ personCount: 3 }) }
  expect(await refusalMessageOf(inviteOne(t, me, { personCount: 3 }))).toBe('一次最多 2 人')
  expect(await t.call(checkInvitation, tooMany, me)).toMatchObject({
    isAllowed: false,
    ruleName: rule.ruleName,
    checkType: 'property',
    faults: [{ field: 'PersonCount', message: '一次最多 2 人' }],
  })
  expect(await t.call(checkInvitation, { ...tooMany, personCount: 2 }, me)).toMatchObject({ isAllowed: true })
  expect(await t.call(checkInvitation, { ...tooMany, hostType: 'resident' }, me)).toMatchObject({
    isAllowed: false,
    faults: [{ message: '请选择被访住户' }],
  })
})

it('a rule in use cannot be deleted, and says so before it is tried (VIS-1, 1§7)', async () => {
  const rule = await addRule(t, me)
  expect(await t.call(canDeleteRule, { id: rule.id }, me)).toEqual({ canDelete: true })
  await inviteOne(t, me)
  expect(await t.call(canDeleteRule, { id: rule.id }, me)).toMatchObject({ canDelete: false })
  const deleting = t.call(inviteRules.delete, { ids: [String(rule.id)], reason: '录入有误' }, me)
  expect(await refusalMessageOf(deleting)).toContain('还有邀访记录 1 个')
})

it('a kind of visitor has its own consent, beside that of the rule; a disabled one is not let in (VIS-1, 1§7)', async () => {
  await addRule(t, me)
  await t.call(
    saveCheckType,
    { projectCode, visitorKind: 'viewing', checkType: 'property', isEnabled: true },
    me,
  )
  expect(await inviteOne(t, me, { visitorKind: 'viewing' })).toMatchObject({
    state: 'pending',
    stage: 'property',
  })
  const kinds = await t.call(
    saveCheckTypes,
    { projectCode, kinds: [{ visitorKind: 'viewing', checkType: 'exempt', isEnabled: false }] },
    me,
  )
  expect(kinds.filter(kind => !kind.isEnabled).map(kind => kind.visitorKind)).toEqual(['viewing'])
  expect(await t.call(listCheckTypes, { projectCode }, me)).toHaveLength(6)
  expect(await refusalMessageOf(inviteOne(t, me, { visitorKind: 'viewing' }))).toContain('看房')
})

it('two levels: the host first, on their behalf with a reason, then the property (VIS-1, VIS-3, 1§4)', async () => {
  await addRule(t, me, { checkType: 'both' })
  const made = await inviteOne(t, me, { hostType: 'resident', hostUserId: home.userId })
  expect(made).toMatchObject({ state: 'pending', stage: 'host', hostName: home.userName })
  const { rows } = await t.call(listRequests, { projectCode, size: 100 }, me)
  expect(rows.map(row => row.id)).toContain(made.id)
  expect(await refusalMessageOf(t.call(allowInvitation, { id: made.id }, me))).toContain('待被访人确认')
  const confirmed = await t.call(allowInvitation, { id: made.id, reason: '09:10 电话确认' }, me)
  expect(confirmed).toMatchObject({ state: 'pending', stage: 'property' })
  const passed = await t.call(auditRequest, { id: made.id, isPassed: true }, me)
  expect([passed.state, passed.stage]).toEqual(['passed', undefined])
  expect(passed.decisions?.map(each => each.stage)).toEqual(['host', 'property'])
  expect(await refusalMessageOf(t.call(allowInvitation, { id: made.id }, me))).toBe('已通过的邀访不能审批')
})

it('a refusal needs a reason, and its codes open nothing (VIS-3)', async () => {
  await addRule(t, me, { checkType: 'property' })
  const made = await inviteOne(t, me)
  expect(await refusalMessageOf(t.call(auditRequest, { id: made.id, isPassed: false }, me))).toBe(
    '请填写驳回原因',
  )
  const refused = await t.call(auditRequest, { id: made.id, isPassed: false, reason: '不认识' }, me)
  expect(refused).toMatchObject({ state: 'refused', rejectReason: '不认识' })
  expect((await t.call(getInvitation, { id: made.id }, me)).visitors[0]?.state).toBe('refused')
})

it('allows a list, each by itself, with the reason of those that stay (VIS-3, 1§4, 1§7)', async () => {
  await addRule(t, me, { checkType: 'property' })
  const [first, second] = [await inviteOne(t, me), await inviteOne(t, me)]
  await t.call(cancelInvitation, { id: second.id, reason: '不来了' }, me)
  const result = await t.call(
    allowInvitations,
    { ids: [String(first.id), String(second.id), '999999999'] },
    me,
  )
  expect(result).toMatchObject({ success: 1, fail: 2 })
  expect(result.rows.map(row => row.reason)).toContain('已取消的邀访不能审批')
  expect(await stateOf(first.id)).toBe('passed')
  expect(await refusalMessageOf(t.call(allowInvitations, { ids: ['999999999'] }, me))).toContain('不存在')
})

it('anybody on a black list is refused when invited and when allowed (VIS-4, BASE-15, 1§7)', async () => {
  await addRule(t, me, { checkType: 'property' })
  const mobile = nextMobile()
  const made = await inviteOne(t, me, { visitors: [{ visitorName: '黑五', mobile }] })
  const today = dayOfMoment(fromInstant(t.app.clock()))
  const block = { projectCode, name: '黑五', reason: '滋事', expireDate: today }
  await t.database.tx(t.ownerId, async tx => {
    const scope = clockScope(t.app, t.ownerId)
    await insert(tx, visitorBlock, scope, { ...block, mobile })
    await insert(tx, visitorBlock, scope, { ...block, plateNo: '粤B99999' })
    await insert(tx, visitorBlock, scope, { ...block, mobile: '13000130000', expireDate: addDays(today, -1) })
  })
  expect(await refusalMessageOf(inviteOne(t, me, { visitors: [{ visitorName: '黑五', mobile }] }))).toContain(
    '黑名单',
  )
  const byCar = [{ visitorName: '黑六', mobile: nextMobile(), plateNo: '粤B99999' }]
  expect(await refusalMessageOf(inviteOne(t, me, { visitors: byCar }))).toContain('「黑六」')
  expect(await refusalMessageOf(t.call(allowInvitation, { id: made.id }, me))).toContain('滋事')
  expect(
    await inviteOne(t, me, { visitors: [{ visitorName: '期满', mobile: '13000130000' }] }),
  ).toMatchObject({ state: 'pending' })
  await t.call(
    addResidentBlock,
    { projectCode, name: '旧客', mobile: '13100131000', scope: ['visit'], reason: '欠款' },
    me,
  )
  expect(
    await refusalMessageOf(inviteOne(t, me, { visitors: [{ visitorName: '旧客', mobile: '13100131000' }] })),
  ).toContain('黑名单')
})

it('an edit asks for consent again; visitors that stay keep their codes', async () => {
  await addRule(t, me, { checkType: 'property' })
  const made = await inviteOne(t, me)
  await t.call(allowInvitation, { id: made.id }, me)
  const [visitor] = made.visitors
  const { visitorKind, personCount, beginTime, endTime } = made
  const changed = await t.call(
    editInvitation,
    {
      id: made.id,
      visitorKind,
      personCount: personCount + 1,
      beginTime,
      endTime,
      visitors: [
        { id: defined(visitor).id, visitorName: '王五五', mobile: nextMobile() },
        { visitorName: '新客' },
      ],
    },
    me,
  )
  expect(changed).toMatchObject({ state: 'pending', stage: 'property', visitorName: '王五五' })
  expect(changed.visitors).toMatchObject([
    { visitorName: '王五五', inviteNo: defined(visitor).inviteNo, state: 'pending' },
    { visitorName: '新客', state: 'pending' },
  ])
})

it('a number that comes back masked keeps what is stored; one that belongs to nobody is refused (PERM-7)', async () => {
  await addRule(t, me)
  const clerk = await t.addClerk([
    'visitors.invitation.view',
    'visitors.invitation.add',
    'visitors.invitation.edit',
  ])
  const mobile = nextMobile()
  const made = await inviteOne(t, clerk.as, { visitors: [{ visitorName: '王五', mobile }] })
  const seen = defined((await t.call(getInvitation, { id: made.id }, clerk.as)).visitors[0])
  expect(seen.mobile).toContain('*')
  const { visitorKind, personCount, beginTime, endTime } = made
  const change = { id: made.id, visitorKind, personCount, beginTime, endTime }
  const kept = { id: seen.id, visitorName: '王五', ...(seen.mobile ? { mobile: seen.mobile } : {}) }
  await t.call(editInvitation, { ...change, visitors: [kept] }, clerk.as)
  const stored = await t.database.reader(t.ownerId).one<{ mobile: string; first: string }>(sql`
    select v.mobile, i.mobile as first
    from invite_visitor v
    join visitor_invitation i on i.owner_id = ${t.ownerId} and i.id = v.invitation_id
    where v.owner_id = ${t.ownerId} and v.id = ${seen.id}
  `)
  expect(stored).toEqual({ mobile, first: mobile })
  const foreign = [{ visitorName: '王六', mobile: '138****0001' }]
  expect(
    await refusalMessageOf(t.call(editInvitation, { ...change, visitors: foreign }, clerk.as)),
  ).toContain('星号')
})

it('is extended by the longest visit at most, cancelled before the arrival alone (VIS-6)', async () => {
  await addRule(t, me)
  const made = await inviteOne(t, me)
  const late = addMinutes(made.endTime, 24 * 60)
  expect(
    await refusalMessageOf(t.call(extendInvitation, { id: made.id, endTime: addMinutes(late, 1) }, me)),
  ).toContain('最晚可延长至')
  expect(
    await refusalMessageOf(t.call(extendInvitation, { id: made.id, endTime: made.endTime }, me)),
  ).toContain('应晚于')
  await t.call(extendInvitation, { id: made.id, endTime: late }, me)
  const extended = await t.call(getInvitation, { id: made.id }, me)
  expect(extended).toMatchObject({ endTime: late, latestEndTime: late })
  expect(extended.visitors[0]?.endTime).toBe(late)
  await t.call(cancelInvitation, { id: made.id, reason: '改期' }, me)
  expect(await refusalMessageOf(t.call(cancelInvitation, { id: made.id, reason: '改期' }, me))).toBe(
    '已取消的邀访不能取消',
  )
})

it('who has left and may come again is cancelled and extended; the others of a group too (VIS-6)', async () => {
  await addRule(t, me, { maxTimes: 5, maxHours: 48 })
  const visitors = [{ visitorName: '工长', mobile: nextMobile() }, { visitorName: '工人' }]
  const hours = { beginTime: fromInstant(t.app.clock()), endTime: addMinutes(fromInstant(t.app.clock()), 60) }
  const made = await inviteOne(t, me, { ...hours, personCount: 2, visitors })
  const pass = (direction: 'in' | 'out') =>
    t.call(passCode, { projectCode, inviteNo: defined(made.visitors[0]?.inviteNo), direction }, me)
  await pass('in')
  const endTime = addMinutes(made.endTime, 60)
  await t.call(extendInvitation, { id: made.id, endTime }, me)
  const { rows } = await t.call(listVisits, { projectCode, visitorId: defined(made.visitors[0]?.id) }, me)
  expect(rows).toMatchObject([{ state: 'inside', endTime }])
  await pass('out')
  expect(await stateOf(made.id)).toBe('left')
  await t.call(extendInvitation, { id: made.id, endTime: addMinutes(endTime, 60) }, me)
  await t.call(cancelInvitation, { id: made.id, reason: '完工' }, me)
  const after = await t.call(getInvitation, { id: made.id }, me)
  expect(after.state).toBe('cancelled')
  expect(after.visitors.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  expect((await pass('in')).result).toBe('invalid')
  const { id: ruleId } = await addRule(t, me)
  const once = await inviteOne(t, me, { ...hours, ruleId, personCount: 2, visitors })
  const first = { projectCode, inviteNo: defined(once.visitors[0]?.inviteNo) }
  await t.call(passCode, { ...first, direction: 'in' }, me)
  await t.call(passCode, { ...first, direction: 'out' }, me)
  await t.call(cancelInvitation, { id: once.id, reason: '改期' }, me)
  const rest = await t.call(getInvitation, { id: once.id }, me)
  expect([rest.state, ...rest.visitors.map(({ state }) => state)]).toEqual(['left', 'left', 'cancelled'])
  expect(await refusalMessageOf(t.call(cancelInvitation, { id: once.id, reason: '改期' }, me))).toBe(
    '已离开的邀访不能取消',
  )
})

it('who is on a black list by now is not extended, and sees no code (VIS-4)', async () => {
  await addRule(t, me)
  const mobile = nextMobile()
  const visitors = [{ visitorName: '黑七', mobile }]
  const made = await inviteOne(t, me, { visitors })
  const token = tokenOf(defined(defined(made.visitors[0]).url))
  expect((await t.call(openGuest, { token })).inviteNo).toBeDefined()
  await t.call(visitorBlocks.add, { projectCode, name: '黑七', mobile, reason: '滋事' }, me)
  const seen = await t.call(openGuest, { token })
  expect([seen.inviteNo, seen.stateText]).toEqual([undefined, '暂不能来访，如有疑问请联系物业'])
  const endTime = addMinutes(made.endTime, 60)
  expect(await refusalMessageOf(t.call(extendInvitation, { id: made.id, endTime }, me))).toContain('黑名单')
  const answer = await t.call(checkInvitation, { projectCode, hostType: 'staff', ...asked({ visitors }) }, me)
  expect(answer).toMatchObject({ isAllowed: false, faults: [{ field: 'Visitors[0].VisitorName' }] })
})

it('a code for one passage opens once, also at two gates in the same instant (VIS-2)', async () => {
  await addRule(t, me)
  const made = await inviteOne(t, me)
  const { id } = defined(made.visitors[0])
  const use = (now: typeof made.beginTime, direction: 'in' | 'out' = 'in') =>
    t.database.tx(t.ownerId, tx => consumePass(tx, clockScope(t.app, t.ownerId), id, direction, now))
  expect(await use(addMinutes(made.beginTime, -1))).toBe(false)
  expect(await use(addMinutes(made.endTime, 1))).toBe(false)
  const both = await Promise.all([use(made.beginTime), use(made.beginTime)])
  expect(both.filter(Boolean)).toHaveLength(1)
  expect(await use(addMinutes(made.endTime, 60), 'out')).toBe(true)
  expect(await use(made.endTime, 'out')).toBe(false)
})

it('a code opens the doors of the rule in its hours alone (VIS-2, ACS-2)', async () => {
  const doorway = await t.call(
    doorways.add,
    {
      projectCode,
      doorwayName: '访客门',
      direction: 'both',
      passageType: 'pedestrian',
      isPublic: false,
      openSeconds: 5,
      state: 'on',
    },
    me,
  )
  const group = await t.call(
    doorwayGroups.add,
    { projectCode, groupName: '访客', doorwayIds: [String(doorway.id)], scopeType: 'manual', state: 'on' },
    me,
  )
  await addRule(t, me, { doorwayGroupIds: [String(group.id)] })
  const made = await inviteOne(t, me)
  const { id, inviteNo } = defined(made.visitors[0])
  const open = (at: typeof made.beginTime) =>
    canOpen(t.database.reader(t.ownerId), t.ownerId, {
      key: `qr:${inviteNo}`,
      doorwayId: doorway.id,
      at,
      direction: 'entrance',
    })
  expect(await open(made.beginTime)).toMatchObject({ isAllowed: true })
  const typed = { doorwayId: doorway.id, cardNo: inviteNo ?? '', at: made.beginTime }
  expect(await t.call(checkRight, typed, me)).toMatchObject({ isAllowed: true })
  const { rows } = await t.call(listRights, { doorwayId: doorway.id }, me)
  expect(rows.map(row => row.number)).toEqual([`******${inviteNo?.slice(-2)}`])
  expect(JSON.stringify(rows)).not.toContain(inviteNo)
  const part = { doorwayId: doorway.id, keyword: inviteNo?.slice(0, 4) }
  expect((await t.call(listRights, part, me)).rows).toEqual([])
  expect(await open(addMinutes(made.beginTime, -1))).toMatchObject({
    isAllowed: false,
    reason: expect.stringContaining('未到'),
  })
  expect(await open(addMinutes(made.endTime, 1))).toMatchObject({
    isAllowed: false,
    reason: expect.stringContaining('已过'),
  })
  await t.database.tx(t.ownerId, tx =>
    consumePass(tx, clockScope(t.app, t.ownerId), id, 'in', made.beginTime),
  )
  expect(await open(made.beginTime)).toMatchObject({
    isAllowed: false,
    reason: expect.stringContaining('用完'),
  })
})

it('a resident invites, sees, extends and cancels by the own link, and nothing of others', async () => {
  await addRule(t, me, { checkType: 'both', hostTypes: ['resident'] })
  const token = await hostToken()
  const opened = await t.call(openHost, { token })
  expect(opened).toMatchObject({ hostName: home.userName, placeName: home.roomPath })
  expect(opened.kinds.find(kind => kind.visitorKind === 'friend')).toMatchObject({
    checkType: 'both',
    maxHours: 24,
  })
  const [made] = (await t.call(inviteAsHost, { token, ...asked() })).invitations
  expect(defined(made)).toMatchObject({ state: 'pending', stateText: '等待物业审核', awaitsHost: false })
  const { id } = defined(made)
  await t.call(allowInvitation, { id }, me)
  const late = addMinutes(defined(made).endTime, 60)
  const [extended] = (await t.call(extendAsHost, { token, id, endTime: late })).invitations
  expect(defined(extended)).toMatchObject({ state: 'passed', endTime: late })
  const [cancelled] = (await t.call(cancelAsHost, { token, id, reason: '改期' })).invitations
  expect(defined(cancelled)).toMatchObject({ state: 'cancelled' })
  await addRule(t, me)
  const other = await inviteOne(t, me)
  expect(await refusalMessageOf(t.call(cancelAsHost, { token, id: other.id, reason: '改期' }))).toContain(
    '不存在',
  )
})

it('a host confirms what staff entered for them', async () => {
  await addRule(t, me, { checkType: 'host' })
  const made = await inviteOne(t, me, { hostType: 'resident', hostUserId: home.userId })
  const token = await hostToken()
  const { invitations } = await t.call(openHost, { token })
  expect(invitations.find(row => row.id === made.id)).toMatchObject({ awaitsHost: true })
  await t.call(decideAsHost, { token, id: made.id, isPassed: true })
  expect(await stateOf(made.id)).toBe('passed')
  expect(await refusalMessageOf(t.call(decideAsHost, { token, id: made.id, isPassed: true }))).toContain(
    '不能审批',
  )
})

it('a forged link opens nothing', async () => {
  const token = await hostToken()
  for (const wrong of [`${token}x`, token.replace(/^r/, 'w'), 'r.1.1.x', token.replace(/^r/, 'v')]) {
    expect(await refusalMessageOf(t.call(openHost, { token: wrong }))).toContain('链接无效')
    expect(await refusalMessageOf(t.call(openGuest, { token: wrong }))).toContain('链接无效')
  }
})

it('a visitor sees the code once the visit is allowed and nothing is missing, and no data of others', async () => {
  await addRule(t, me, { needsCert: true, checkType: 'property' })
  await t.call(visitorLocations.save, { projectCode, locationName: '测试门岗', state: 'on' }, me)
  const setting = await t.call(getSetting, { projectCode }, me)
  await t.call(saveSetting, { ...setting, notice: '请走东门' }, me)
  const made = await inviteOne(t, me, { hostType: 'resident', hostUserId: home.userId })
  const { url, inviteNo: hidden } = defined(made.visitors[0])
  expect(hidden).toBeUndefined()
  const token = tokenOf(defined(url))
  const waiting = await t.call(openGuest, { token })
  expect(waiting).toMatchObject({ state: 'pending', needsCert: true, notice: '请走东门' })
  expect(waiting.locations).toContain('测试门岗')
  expect(waiting.inviteNo).toBeUndefined()
  expect(waiting.hostName).toBe(`${[...(home.userName ?? '')][0]}**`)
  await t.call(allowInvitation, { id: made.id }, me)
  expect((await t.call(openGuest, { token })).inviteNo).toBeUndefined()
  expect(
    await refusalMessageOf(
      t.call(completeGuest, { token, certType: 'idCard', certNo: '11010119900307777X' }),
    ),
  ).toBeTruthy()
  const done = await t.call(completeGuest, { token, certType: 'passport', certNo: 'e12345678' })
  expect(done).toMatchObject({ needsCert: false, inviteNo: expect.stringMatching(/^\d{8}$/) })
  expect(
    await refusalMessageOf(t.call(completeGuest, { token, certType: 'passport', certNo: 'E1' })),
  ).toContain('证件')
})

it('each project says how far it is set up and whom it expects (1§7)', async () => {
  await addRule(t, me)
  const { rows } = await t.call(listEstates, {}, me)
  expect(rows.find(row => row.projectCode === projectCode)).toMatchObject({ ruleCount: 1 })
})

it('the picture of an invitation goes to the visitor by the own link, once the code is shown', async () => {
  await addRule(t, me, { needsCert: true, checkType: 'property' })
  const made = await inviteOne(t, me, { hostType: 'resident', hostUserId: home.userId })
  const { url } = defined(made.visitors[0])
  const token = tokenOf(defined(url))
  const refusal = () => refusalMessageOf(t.call(openGuestPicture, { token }))
  expect(await refusal()).toContain('没有邀请函')
  await t.call(allowInvitation, { id: made.id }, me)
  expect(await refusal()).toContain('没有邀请函')
  await t.call(completeGuest, { token, certType: 'passport', certNo: 'E12345678' })
  const picture = await t.call(openGuestPicture, { token })
  const { inviteNo } = await t.call(openGuest, { token })
  expect(inviteNo).toBeDefined()
  expect(picture).toMatchObject({ inviteNo, visitorName: '王五', place: home.roomPath })
  expect(picture.hostName).toBe(`${home.userName?.slice(0, 1)}**`)
  expect(picture.parts.map(({ part }) => part)).toContain('qr')
  await t.call(cancelInvitation, { id: made.id, reason: '行程取消' }, me)
  expect(await refusal()).toContain('没有邀请函')
})

it('the form of the staff gets the questions of the rule that will apply (VIS-1)', async () => {
  const questions = [
    { label: '来访目的', kind: 'choice' as const, options: ['送货', '拜访'], isRequired: true },
    { label: '是否驾车', kind: 'flag' as const, isRequired: false },
  ]
  await addRule(t, me, { questions, visitorKinds: ['delivery'] })
  await addRule(t, me, { visitorKinds: ['friend'] })
  const of = (values: object) =>
    t.call(listQuestions, { projectCode, hostType: 'staff', visitorKind: 'delivery', ...values }, me)
  expect(await of({})).toMatchObject(questions)
  expect(await of({ visitorKind: 'friend' })).toEqual([])
  expect(await of({ hostType: 'resident' })).toEqual([])
  const answers = [{ label: '来访目的', answer: '送货' }]
  const made = await inviteOne(t, me, { visitorKind: 'delivery', answers })
  expect(await of({ invitationId: made.id })).toMatchObject(questions)
})

/** Two people of one invitation who may each come three times; the first is inside. */
async function visitUnderWay() {
  const begin = fromInstant(t.app.clock())
  const visitors = ['甲', '乙'].map(visitorName => ({ visitorName, mobile: nextMobile() }))
  const host = { hostType: 'resident', hostUserId: home.userId } as const
  const wish = { ...host, beginTime: begin, endTime: addMinutes(begin, 60), personCount: 2, visitors }
  const { id, visitors: made } = await inviteOne(t, me, wish)
  const [first, second] = made.map(({ inviteNo }) => defined(inviteNo))
  const pass = async (inviteNo: string | undefined, direction: 'in' | 'out') =>
    (await t.call(passCode, { projectCode, inviteNo: defined(inviteNo), direction }, me)).result
  expect(await pass(first, 'in')).toBe('passed')
  const stateNow = async () => {
    const { state, visitors: rows } = await t.call(getInvitation, { id }, me)
    return [state, ...rows.map(row => row.state)]
  }
  return {
    id,
    stateNow,
    tryAgain: async () => [await pass(second, 'in'), await pass(first, 'out'), await pass(first, 'in')],
  }
}

it('what is cancelled leaves the way out to who is inside, and no way in (VIS-6)', async () => {
  await addRule(t, me, { maxTimes: 3 })
  const { id, stateNow, tryAgain } = await visitUnderWay()
  await t.call(cancelInvitation, { id, reason: '行程取消' }, me)
  expect(await stateNow()).toEqual(['arrived', 'arrived', 'cancelled'])
  expect(await refusalMessageOf(t.call(cancelInvitation, { id, reason: '行程取消' }, me))).toContain(
    '不能取消',
  )
  expect(await tryAgain()).toEqual(['invalid', 'passed', 'usedUp'])
})

it('after a move-out the link of the home is no link any more, and its visits are cancelled (BASE-11)', async () => {
  await addRule(t, me, { maxTimes: 3 })
  const underWay = await visitUnderWay()
  const token = await hostToken()
  const { id } = await inviteOne(t, me, { hostType: 'resident', hostUserId: home.userId })
  const elsewhere = await inviteOne(t, me)
  const outDate = dayOfMoment(fromInstant(t.app.clock()))
  await t.call(checkOut, { ids: [String(home.id)], outDate, reason: '退租', answers: [] }, me)
  const ended = await t.call(getInvitation, { id }, me)
  expect([ended.state, ended.visitors.map(({ state }) => state)]).toEqual(['cancelled', ['cancelled']])
  expect(await stateOf(elsewhere.id)).toBe('passed')
  expect(await underWay.stateNow()).toEqual(['arrived', 'arrived', 'cancelled'])
  expect(await underWay.tryAgain()).toEqual(['invalid', 'passed', 'usedUp'])
  const visitor = { visitorName: '王五', mobile: '13800138000' }
  const invited = { visitorKind: 'friend', personCount: 1, ...tomorrow(t), visitors: [visitor] } as const
  const { endTime } = tomorrow(t)
  const attempts = [
    () => t.call(openHost, { token }),
    () => t.call(inviteAsHost, { token, ...invited }),
    () => t.call(decideAsHost, { token, id, isPassed: true }),
    () => t.call(extendAsHost, { token, id, endTime }),
    () => t.call(cancelAsHost, { token, id, reason: '改期' }),
  ]
  for (const attempt of attempts) {
    expect(await refusalMessageOf(attempt())).toContain('链接无效')
  }
})

it('a link of before opens nothing after moving in again, nor after another mobile (BASE-12, BASE-14)', async () => {
  const day = dayOfMoment(fromInstant(t.app.clock()))
  const ids = [String(home.id)]
  await t.call(checkInAgain, { ids, inDate: day }, me)
  const first = await hostToken()
  expect((await t.call(openHost, { token: first })).placeName).toBeTruthy()
  await t.call(checkOut, { ids, outDate: day, reason: '退租', answers: [] }, me)
  await t.call(checkInAgain, { ids, inDate: day }, me)
  expect(await refusalMessageOf(t.call(openHost, { token: first }))).toContain('链接无效')
  const second = await hostToken()
  await t.call(changeResidentMobile, { id: home.userId, mobile: '13900009922', reason: '换号' }, me)
  expect(await refusalMessageOf(t.call(openHost, { token: second }))).toContain('链接无效')
  const third = await hostToken()
  expect((await t.call(openHost, { token: third })).placeName).toBeTruthy()
  await t.call(renewPersonLink, { kind: 'residency', id: home.id, reason: '链接外泄' }, me)
  expect(await refusalMessageOf(t.call(openHost, { token: third }))).toContain('链接无效')
  const fourth = await hostToken()
  expect((await t.call(openHost, { token: fourth })).passUrl).toBeTruthy()
  await t.call(voidPersonLink, { kind: 'residency', id: home.id, reason: '链接外泄' }, me)
  expect(await refusalMessageOf(t.call(openHost, { token: fourth }))).toContain('链接无效')
  const links = await t.call(listHostLinks, { projectCode, userId: home.userId }, me)
  expect(links).toMatchObject([{ kind: 'residency', id: home.id, isVoid: true }])
  await t.call(renewPersonLink, { kind: 'residency', id: home.id, reason: '本人申请' }, me)
})

it('a card with the number of a code that works or may yet is refused; codes avoid those of cards (ACS-1)', async () => {
  await addRule(t, me)
  const made = await inviteOne(t, me)
  const code = defined(defined(made.visitors[0]).inviteNo)
  const card = { projectCode, cardNo: code, cardType: 'ic', userId: home.userId } as const
  expect(await faultTextsOf(t.call(saveCard, card, me))).toEqual({
    CardNo: '该卡号与使用中的通行码或邀请码相同，请更换卡片',
  })
  await t.call(cancelInvitation, { id: made.id, reason: '改期' }, me)
  const { cardNo } = await t.call(saveCard, card, me)
  expect(cardNo).toBe(code)
  const drawn = [code, '10000001']
  const found = await t.database.tx(t.ownerId, tx =>
    drawCodes(tx, { ownerId: t.ownerId, count: 1, draw: () => defined(drawn.shift()) }),
  )
  expect(found).toEqual(['10000001'])
})

it('by night a visit of several expires for those alone who did not come; once is enough (VIS-6)', async () => {
  await addRule(t, me)
  const begin = fromInstant(t.app.clock())
  const end = addMinutes(begin, 60)
  const visitors = ['甲', '乙'].map(visitorName => ({ visitorName, mobile: nextMobile() }))
  const made = await inviteOne(t, me, { beginTime: begin, endTime: end, personCount: 2, visitors })
  const [first] = made.visitors
  await t.call(passCode, { projectCode, inviteNo: defined(defined(first).inviteNo), direction: 'in' }, me)
  const states = async () => {
    await expireInvitations(t.app)
    const { state, visitors: rows } = await t.call(getInvitation, { id: made.id }, me)
    return [state, ...rows.map(row => row.state)]
  }
  t.advanceClock(60 * 60_000)
  expect(await states()).toEqual(['arrived', 'arrived', 'passed'])
  t.advanceClock(60_000)
  expect(await states()).toEqual(['arrived', 'arrived', 'expired'])
  expect(await states()).toEqual(['arrived', 'arrived', 'expired'])
})

it('who did not come in time is expired by night (VIS-6)', async () => {
  await addRule(t, me)
  const made = await inviteOne(t, me)
  t.advanceClock(3 * 24 * 3_600_000)
  await expireInvitations(t.app)
  const over = await t.database.reader(t.ownerId).rows<{ state: number }>(sql`
    select state from visitor_invitation where owner_id = ${t.ownerId} and id = ${made.id}
    union all
    select state from invite_visitor where owner_id = ${t.ownerId} and invitation_id = ${made.id}
  `)
  expect(over.map(row => row.state)).toEqual([70, 70])
})
