import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { maxDay } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { ApprovalKindKey } from '#modules/approvals/contract/choices.ts'
import {
  approveRequest,
  refuseRequest,
  resubmitRequest,
  terminateRequest,
  withdrawRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { getInstance, getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import { processes, type FlowNode } from '#modules/approvals/contract/process.ts'
import { addDelegate } from '#modules/approvals/contract/delegate.ts'
import {
  applications,
  cancelApplications,
  exemptions,
  getLeaveDetail,
  getMendDetail,
} from '../contract/apply.ts'
import { addMembers, endMembers, listMembers } from '../contract/group.ts'
import { getMyAttendance } from '../contract/log.ts'
import {
  closeMonth,
  countPendingOfMonth,
  getDayStatistics,
  listAnomalies,
  recomputeDays,
} from '../contract/month.ts'
import { copySchedule, getScheduleGrid, saveSchedule } from '../contract/schedule.ts'
import { addHolidays } from '#modules/system/contract/holiday.ts'
import {
  getOwnLimits,
  listOwnApplications,
  previewOwnApplication,
  resendOwnApplication,
  sendOwnApplication,
} from '../contract/own-apply.ts'
import { openAttendance, type AttendanceFixture, type StaffPerson } from './attendance.fixtures.ts'

let w: AttendanceFixture
let approver: { readonly id: Id; readonly as: CallOptions }

beforeAll(async () => {
  w = await openAttendance()
  approver = await w.accountOf(await w.newMember())
})

afterAll(() => w?.t.close())

const nodeOf = (key: string, managerId: Id, more: Partial<FlowNode> = {}): FlowNode => ({
  key,
  name: `节点 ${key}`,
  rule: 'people',
  managerIds: [String(managerId)],
  mode: 'all',
  refuseTo: 'end',
  ...more,
})

const endDefinitions = (): Promise<unknown> =>
  w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update process set state = 20 where owner_id = ${w.t.ownerId}`),
  )

async function define(bizType: ApprovalKindKey, nodes: readonly FlowNode[]): Promise<void> {
  const { t, owner } = w
  await endDefinitions()
  const process = { bizType, processName: `${bizType} ${performance.now()}`, nodes, state: 'on' as const }
  await t.call(processes.save, { ...process, emptyPolicy: 'administrator', skipsRepeated: true }, owner)
}

const leave = {
  applyType: 'leave' as const,
  leaveType: 'annual' as const,
  beginTime: asMoment('2026-11-16 09:00:00'),
  endTime: asMoment('2026-11-17 18:00:00'),
  reason: '年假',
}

async function employee(): Promise<StaffPerson & { readonly as: CallOptions }> {
  const person = await w.newMember()
  return { ...person, as: (await w.accountOf(person)).as }
}

const instanceOf = async (bizType: ApprovalKindKey, bizId: Id, as: CallOptions): Promise<Id> =>
  (await w.t.call(getInstanceOfRecord, { bizType, bizId }, as)).id

describe('documents that their people ask for', () => {
  it('APR-5, ATT-9 leave takes effect with the last approval, once; its detail shows the approval', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const me = await employee()
    const { t } = w
    expect(await t.call(previewOwnApplication, leave, me.as)).toMatchObject({
      bizType: 'leave',
      hours: '16',
      form: expect.stringContaining('"days":"2"'),
    })
    const sent = await t.call(sendOwnApplication, leave, me.as)
    expect(sent).toMatchObject({ state: 'pending', hours: '16', staffNo: me.staffNo })
    expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ state: 'absent' })
    const id = await instanceOf('leave', sent.id, me.as)
    const both = await Promise.allSettled([
      t.call(approveRequest, { id, opinion: '同意' }, approver.as),
      t.call(approveRequest, { id, opinion: '同意' }, approver.as),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ state: 'leave', leaveHours: '8' })
    expect(await w.monthOf(me, '2026-11')).toMatchObject({ annualHours: '16' })
    expect(await t.call(getLeaveDetail, { id: sent.id }, w.owner)).toMatchObject({
      state: 'passed',
      approvalState: 'approved',
      approvals: [{ nodeName: '节点 a', state: 'approved', opinion: '同意' }],
    })
    expect((await t.call(listOwnApplications, { size: 10 }, me.as)).rows).toMatchObject([
      { id: sent.id, state: 'passed' },
    ])
    expect(await t.call(getOwnLimits, {}, me.as)).toMatchObject({
      leaves: [{ leaveType: 'annual', hours: '16' }],
      mendLimit: 3,
      mendDays: 7,
    })
    // Another person sees nothing of it.
    expect((await t.call(listOwnApplications, { size: 10 }, (await employee()).as)).rows).toEqual([])
  })
  it('refused, withdrawn and cancelled documents leave nothing, and can be asked for again', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const me = await employee()
    const { t } = w
    const ends = [
      (id: Id) => t.call(refuseRequest, { id, opinion: '人手不足' }, approver.as),
      (id: Id) => t.call(withdrawRequest, { id }, me.as),
    ]
    for (const [i, end] of ends.entries()) {
      const { id } = await t.call(sendOwnApplication, leave, me.as)
      expect(await refusalTextOf(t.call(sendOwnApplication, leave, me.as))).toContain('重叠')
      await end(await instanceOf('leave', id, me.as))
      expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ state: 'absent', leaveHours: '0' })
      expect((await t.call(getLeaveDetail, { id }, w.owner)).state).toBe(i ? 'withdrawn' : 'refused')
    }
    const { id } = await t.call(sendOwnApplication, leave, me.as)
    await t.call(cancelApplications, { ids: [String(id)], reason: '重复登记' }, w.owner)
    expect(await t.call(getLeaveDetail, { id }, w.owner)).toMatchObject({
      state: 'cancelled',
      approvalState: 'terminated',
    })
    expect(await w.monthOf(me, '2026-11')).toMatchObject({ leaveHours: '0' })
  })
  it('APR-4 a returned document shows its reason; it is sent in again or given up', async () => {
    await define('leave', [nodeOf('a', approver.id, { refuseTo: 'requester' })])
    const me = await employee()
    const { t } = w
    const sent = await t.call(sendOwnApplication, leave, me.as)
    const id = await instanceOf('leave', sent.id, me.as)
    const own = async () => (await t.call(listOwnApplications, { size: 10 }, me.as)).rows
    const returnIt = (opinion: string) => t.call(refuseRequest, { id, opinion }, approver.as)
    expect((await own())[0]).not.toHaveProperty('isReturned')
    await returnIt('请说明去向')
    expect(await own()).toMatchObject([{ state: 'pending', isReturned: true, returnReason: '请说明去向' }])
    // The office sees it too, in its list of documents.
    const inOffice = await t.call(applications.list, { keyword: leave.reason }, w.owner)
    expect(inOffice.rows.find(row => row.id === sent.id)).toMatchObject({ isReturned: true })
    const { amendLink, amendPhoneLink } = await t.call(getInstance, { id }, me.as)
    expect([amendLink, amendPhoneLink].map(link => link?.includes(`amend=${sent.id}`))).toEqual([true, true])
    expect(await refusalTextOf(t.call(withdrawRequest, { id }, me.as))).toContain('重新提交或放弃')
    await t.call(resubmitRequest, { id }, me.as)
    expect((await own())[0]).not.toHaveProperty('isReturned')
    await returnIt('时间不合适')
    expect(await own()).toMatchObject([{ isReturned: true, returnReason: '时间不合适' }])
    await t.call(terminateRequest, { id, reason: '改期' }, me.as)
    expect(await own()).toMatchObject([{ state: 'withdrawn' }])
    // Ended by an administrator it is not the person's own withdrawal.
    const again = await t.call(sendOwnApplication, leave, me.as)
    const other = await instanceOf('leave', again.id, me.as)
    await t.call(terminateRequest, { id: other, reason: '流程调整' }, w.owner)
    expect((await own())[0]).toMatchObject({ state: 'cancelled' })
  })
  it('APR-4, APR-7 a returned document is changed by its person and goes in as it is now', async () => {
    const isLong = { conditions: [{ field: 'days', operator: 'more' as const, value: '1' }] }
    const nodes = [nodeOf('a', approver.id, { refuseTo: 'requester' }), nodeOf('b', approver.id, isLong)]
    await define('leave', nodes)
    const me = await employee()
    const { t } = w
    const sent = await t.call(sendOwnApplication, leave, me.as)
    const id = await instanceOf('leave', sent.id, me.as)
    const again = (more: object, as = me.as) =>
      t.call(resendOwnApplication, { id: sent.id, ...leave, ...more }, as)
    expect(await refusalTextOf(again({}))).toContain('审批已在进行')
    await t.call(refuseRequest, { id, opinion: '只能请一天' }, approver.as)
    expect(await refusalTextOf(again({}, approver.as))).not.toContain('重叠')
    expect(await faultTextsOf(again({ applyType: 'out' }))).toEqual({
      ApplyType: expect.stringContaining('类型不能更改'),
    })
    expect(await faultTextsOf(again({ endTime: leave.beginTime }))).toEqual({
      EndTime: expect.stringContaining('结束时间应晚于开始时间'),
    })
    const { version = 0 } = defined((await t.call(listOwnApplications, { size: 10 }, me.as)).rows[0])
    await expect(again({ version: version - 1 })).rejects.toMatchObject({ code: 10005 })
    const changed = { version, endTime: asMoment('2026-11-16 18:00:00'), reason: '年假一天' }
    expect(await again(changed)).toMatchObject({ state: 'pending', hours: '8', reason: '年假一天' })
    const request = await t.call(getInstanceOfRecord, { bizType: 'leave', bizId: sent.id }, me.as)
    expect(request).toMatchObject({ id, round: 2, title: expect.stringContaining('年假 8 小时') })
    expect(request.forms).toHaveLength(2)
    await t.call(approveRequest, { id }, approver.as)
    expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ state: 'leave', leaveHours: '8' })
    expect(await w.dayOf(me, '2026-11-17')).toMatchObject({ state: 'absent' })
    // A stale tab, and one that knows no version.
    await expect(again(changed)).rejects.toMatchObject({ code: 10005 })
    expect(await refusalTextOf(again({ ...changed, version: undefined }))).toContain('已处理')
  })
  it('APR-4 what the office registered for somebody comes back to the office, which changes it', async () => {
    await define('leave', [nodeOf('a', approver.id, { refuseTo: 'requester' })])
    const person = await employee()
    const { t, owner } = w
    const { id: staffId } = person
    const sent = await t.call(applications.add, { ...leave, staffId }, owner)
    const id = await instanceOf('leave', sent.id, owner)
    await t.call(refuseRequest, { id, opinion: '请写明' }, approver.as)
    const inOffice = await t.call(applications.list, { staffId: [String(staffId)], size: 10 }, owner)
    expect(inOffice.rows).toMatchObject([{ isReturned: true, isAmendable: true }])
    // Its person sees that it came back, and changes nothing.
    const ofPerson = await t.call(listOwnApplications, { size: 10 }, person.as)
    expect(ofPerson.rows).toMatchObject([{ isReturned: true, isAmendable: false }])
    const named = await t.call(listOwnApplications, { amendedId: sent.id }, owner)
    expect(named.rows).toMatchObject([{ id: sent.id, staffId, isAmendable: true }])
    const changed = { ...leave, endTime: asMoment('2026-11-16 18:00:00'), reason: '事假一天' }
    const preview = (as: CallOptions) => t.call(previewOwnApplication, { ...changed, amendedId: sent.id }, as)
    expect(await preview(owner)).toMatchObject({ hours: '8', form: expect.stringContaining(person.name) })
    const again = (as: CallOptions) => t.call(resendOwnApplication, { id: sent.id, ...changed }, as)
    const stranger = await employee()
    const attempts = [
      again,
      preview,
      (as: CallOptions) => t.call(listOwnApplications, { amendedId: sent.id }, as),
    ]
    for (const attempt of attempts) {
      await expect(attempt(stranger.as)).rejects.toMatchObject({ code: 10004 })
    }
    expect(await refusalTextOf(again(person.as))).toContain('只有申请人')
    expect(await again(owner)).toMatchObject({ state: 'pending', hours: '8', staffId })
    await t.call(approveRequest, { id }, approver.as)
    expect(await w.dayOf(person, '2026-11-16')).toMatchObject({ state: 'leave' })
  })
  it('APR-4 a returned mended punch counts once, and needs nobody where no node holds any more', async () => {
    await define('mendCard', [nodeOf('a', approver.id, { refuseTo: 'requester' })])
    const me = await employee()
    const { t } = w
    const correction = {
      applyType: 'mend' as const,
      beginTime: asMoment('2026-11-18 08:58:00'),
      reason: '忘记打卡',
    }
    const sent = await t.call(sendOwnApplication, correction, me.as)
    const id = await instanceOf('mendCard', sent.id, me.as)
    await t.call(refuseRequest, { id, opinion: '请写明' }, approver.as)
    // From the screens of the approvals as it is.
    await t.call(resubmitRequest, { id }, me.as)
    await t.call(refuseRequest, { id, opinion: '请写明时间' }, approver.as)
    const changed = { ...correction, id: sent.id, beginTime: asMoment('2026-11-19 08:58:00') }
    await t.call(resendOwnApplication, changed, me.as)
    expect(await t.call(getMendDetail, { id: sent.id }, w.owner)).toMatchObject({
      mendDate: '2026-11-19',
      mendCount: 1,
    })
    const onlyLong = { conditions: [{ field: 'days', operator: 'more' as const, value: '1' }] }
    await define('leave', [nodeOf('a', approver.id, { refuseTo: 'requester', ...onlyLong })])
    const asked = await t.call(sendOwnApplication, leave, me.as)
    const request = await instanceOf('leave', asked.id, me.as)
    await t.call(refuseRequest, { id: request, opinion: '只能请半天' }, approver.as)
    const short = { ...leave, id: asked.id, endTime: asMoment('2026-11-16 12:00:00') }
    expect(await t.call(resendOwnApplication, short, me.as)).toMatchObject({ state: 'passed', hours: '3' })
    expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ leaveHours: '3' })
  })
  it('long leave asks a second approver; a short one none where no node holds', async () => {
    const other = await w.accountOf(await w.newMember())
    const isLong = {
      conditions: [{ field: 'days', operator: 'more' as const, value: '1' }],
    }
    await define('leave', [nodeOf('long', other.id, isLong)])
    const me = await employee()
    const long = await w.t.call(sendOwnApplication, leave, me.as)
    expect(long.state).toBe('pending')
    const short = {
      ...leave,
      beginTime: asMoment('2026-11-18 09:00:00'),
      endTime: asMoment('2026-11-18 12:00:00'),
    }
    expect(await w.t.call(sendOwnApplication, short, me.as)).toMatchObject({ state: 'passed', hours: '3' })
    expect(await w.dayOf(me, '2026-11-18')).toMatchObject({ leaveHours: '3' })
  })
  it('ATT-11 a mended punch counts once it is approved; three a month, those that wait with them', async () => {
    await define('mendCard', [nodeOf('a', approver.id)])
    const me = await employee()
    const { t } = w
    await w.punch(me, '2026-11-18 18:00')
    const correction = (time: string) =>
      t.call(
        sendOwnApplication,
        { applyType: 'mend', beginTime: asMoment(`${time}:00`), reason: '忘记打卡' },
        me.as,
      )
    const first = await correction('2026-11-18 08:58')
    expect(await refusalTextOf(correction('2026-11-18 08:58'))).toContain('无需重复')
    expect(await w.dayOf(me, '2026-11-18')).toMatchObject({ state: 'missing' })
    await t.call(approveRequest, { id: await instanceOf('mendCard', first.id, me.as) }, approver.as)
    expect(await w.dayOf(me, '2026-11-18')).toMatchObject({ state: 'normal' })
    await correction('2026-11-19 09:00')
    await correction('2026-11-19 18:00')
    expect(await faultTextsOf(correction('2026-11-20 09:00'))).toEqual({
      StaffId: expect.stringContaining('每月最多 3 次'),
    })
    expect(await refusalTextOf(correction('2026-11-12 09:00'))).toContain('补卡期限 7 天')
    expect(await t.call(getMendDetail, { id: first.id }, w.owner)).toMatchObject({
      mendCount: 3,
      approvalState: 'approved',
    })
  })
  it('overtime, work elsewhere, trips and changed shifts wait in the same way', async () => {
    const me = await employee()
    const { t } = w
    const asked = [
      ['overtime', 'overtime', { beginTime: '2026-11-14 09:00:00', endTime: '2026-11-14 12:00:00' }],
      ['out', 'out', { beginTime: '2026-11-16 09:00:00', endTime: '2026-11-16 18:00:00' }],
      ['trip', 'trip', { beginTime: '2026-11-17 09:00:00', endTime: '2026-11-17 18:00:00' }],
      ['swap', 'shiftChange', { workDay: '2026-11-15', restDay: '2026-11-18' }],
    ] as const
    for (const [type, bizType, times] of asked) {
      await define(bizType, [nodeOf('a', approver.id)])
      const { id } = await t.call(
        sendOwnApplication,
        { applyType: type, ...times, reason: '工作需要' },
        me.as,
      )
      await t.call(approveRequest, { id: await instanceOf(bizType, id, me.as) }, approver.as)
    }
    expect(await w.dayOf(me, '2026-11-14')).toMatchObject({ state: 'rest', overtimeMinutes: 180 })
    expect(await w.dayOf(me, '2026-11-16')).toMatchObject({ state: 'trip' })
    expect(await w.dayOf(me, '2026-11-17')).toMatchObject({ state: 'trip' })
    expect(await w.dayOf(me, '2026-11-15')).toMatchObject({ state: 'absent' })
    expect(await w.dayOf(me, '2026-11-18')).toMatchObject({ state: 'rest' })
  })
  it('without a definition nobody asks, and the office registers as before', async () => {
    await endDefinitions()
    const me = await employee()
    const { t } = w
    expect(await refusalTextOf(t.call(sendOwnApplication, leave, me.as))).toContain('未启用审批流程')
    expect(await t.call(getOwnLimits, {}, me.as)).toMatchObject({
      refusal: expect.stringContaining('未启用'),
    })
    const registered = await t.call(applications.add, { ...leave, staffId: me.id }, w.owner)
    expect(registered.state).toBe('passed')
    expect(await t.call(getLeaveDetail, { id: registered.id }, w.owner)).not.toHaveProperty('approvalState')
    const stranger = await t.addClerk([])
    expect(await refusalTextOf(t.call(sendOwnApplication, leave, stranger.as))).toContain('未关联员工')
    expect(await t.call(getOwnLimits, {}, stranger.as)).toMatchObject({
      refusal: expect.stringContaining('未关联员工'),
    })
  })
  it('leave of no working time is refused, of a rest day and of somebody in no group', async () => {
    await endDefinitions()
    const { t, owner } = w
    const person = await w.newMember(w.officeId, '2026-11-10')
    const faultOf = (day: string) =>
      faultTextsOf(
        t.call(
          applications.add,
          {
            ...leave,
            beginTime: asMoment(`${day} 09:00:00`),
            endTime: asMoment(`${day} 18:00:00`),
            staffId: person.id,
          },
          owner,
        ),
      )
    expect(await faultOf('2026-11-15')).toEqual({ BeginTime: expect.stringContaining('无需出勤') })
    expect(await faultOf('2026-11-02')).toEqual({ BeginTime: expect.stringContaining('不在考勤组') })
  })
  it('days beyond the years of a calendar are refused with a message', async () => {
    const { t, owner } = w
    const person = await w.newMember()
    const cells = [{ staffId: person.id, workDate: maxDay, shiftId: w.dayShift }]
    const [from, to] = ['2026-11-16', '2026-11-20'] as const
    const calls = [
      t.call(getScheduleGrid, { month: '9999-12' }, owner),
      t.call(saveSchedule, { cells }, owner),
      t.call(copySchedule, { staffIds: [String(person.id)], from, to, target: maxDay }, owner),
      t.call(addHolidays, { holidayDate: maxDay, holidayName: '末日', dayType: 'rest' }, owner),
    ]
    for (const result of calls) {
      expect(Object.values(await faultTextsOf(result)).join()).toContain('年份应在')
    }
  })
  it('documents, members, exemptions and spans beyond the years of a calendar are refused with a message', async () => {
    const { t, owner } = w
    const person = await w.newMember()
    const me = await employee()
    const staffId = person.id
    const [begin, end] = [asMoment('9999-12-30 09:00:00'), asMoment('9999-12-30 18:00:00')]
    const out = { applyType: 'out' as const, beginTime: begin, endTime: end }
    const swap = { staffId, applyType: 'swap' as const, reason: '换班', shiftId: w.dayShift }
    const { rows } = await t.call(listMembers, { staffId: [String(staffId)], size: 1 }, owner)
    const old = '1900-01-01'
    const calls = [
      t.call(applications.add, { ...out, staffId, reason: '外出' }, owner),
      t.call(applications.add, { ...swap, workDay: maxDay }, owner),
      t.call(applications.add, { ...swap, restDay: old }, owner),
      t.call(previewOwnApplication, out, me.as),
      t.call(exemptions.save, { staffId, beginDate: old, reason: '高管' }, owner),
      t.call(addMembers, { groupId: w.guardsId, staffIds: [String(staffId)], beginDate: old }, owner),
      t.call(endMembers, { ids: [String(defined(rows[0]).id)], endDate: maxDay }, owner),
      t.call(getDayStatistics, { from: maxDay }, owner),
      t.call(listAnomalies, { from: old, to: old }, owner),
      t.call(recomputeDays, { from: old, to: old }, owner),
      t.call(closeMonth, { month: '1900-01' }, owner),
      t.call(getMyAttendance, { month: '9999-12' }, me.as),
      t.call(addDelegate, { delegateId: approver.id, beginDate: maxDay, endDate: maxDay }, me.as),
    ]
    for (const faults of await Promise.all(calls.map(faultTextsOf))) {
      expect(Object.values(faults).join()).toContain('年份应在')
    }
  })
  it('an attachment that is stored nowhere is refused at its field', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const { t, owner } = w
    const me = await employee()
    for (const key of ['made/up.png', '0'.repeat(40)]) {
      const request = { ...leave, attachments: [key] }
      const refused = { Attachments: expect.stringContaining('附件不存在') }
      expect(await faultTextsOf(t.call(sendOwnApplication, request, me.as))).toEqual(refused)
      const registered = t.call(applications.add, { ...request, staffId: me.id }, owner)
      expect(await faultTextsOf(registered)).toEqual(refused)
    }
  })
  it('what still waits in a month is counted before the month is closed (ATT-12)', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const { t, owner } = w
    const me = await employee()
    const october = { beginTime: asMoment('2026-10-30 09:00:00'), endTime: asMoment('2026-11-02 18:00:00') }
    const { id } = await t.call(sendOwnApplication, { ...leave, ...october }, me.as)
    expect(await t.call(countPendingOfMonth, { month: '2026-10' }, owner)).toEqual({
      count: 1,
      staffNames: [me.name],
    })
    expect(await t.call(countPendingOfMonth, { month: '2026-09' }, owner)).toEqual({
      count: 0,
      staffNames: [],
    })
    await t.call(cancelApplications, { ids: [String(id)], reason: '改期' }, owner)
    expect((await t.call(countPendingOfMonth, { month: '2026-10' }, owner)).count).toBe(0)
  })
  it('what the office registers waits as well where a definition is in use', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const person = await w.newMember()
    const { t, owner } = w
    const { id } = await t.call(applications.add, { ...leave, staffId: person.id }, owner)
    expect(await w.dayOf(person, '2026-11-16')).toMatchObject({ state: 'absent' })
    await t.call(approveRequest, { id: await instanceOf('leave', id, owner) }, approver.as)
    expect(await w.dayOf(person, '2026-11-16')).toMatchObject({ state: 'leave' })
  })
  it('ATT-12 an approval is refused once the month was closed; then the request still waits', async () => {
    await define('leave', [nodeOf('a', approver.id)])
    const me = await employee()
    const { t, owner } = w
    const october = {
      ...leave,
      beginTime: asMoment('2026-10-12 09:00:00'),
      endTime: asMoment('2026-10-12 18:00:00'),
    }
    const { id } = await t.call(sendOwnApplication, october, me.as)
    const instance = await instanceOf('leave', id, me.as)
    await t.call(closeMonth, { month: '2026-10' }, owner)
    expect(await refusalTextOf(t.call(approveRequest, { id: instance }, approver.as))).toContain('已封存')
    expect(await t.call(getLeaveDetail, { id }, owner)).toMatchObject({
      state: 'pending',
      approvalState: 'running',
    })
    expect(
      await faultTextsOf(
        t.call(
          sendOwnApplication,
          { ...october, beginTime: '2026-10-13 09:00:00', endTime: '2026-10-13 18:00:00' },
          me.as,
        ),
      ),
    ).toEqual({
      BeginTime: expect.stringContaining('已封存'),
    })
    await t.call(refuseRequest, { id: instance, opinion: '月份已封存' }, approver.as)
    expect(defined(await w.dayOf(me, '2026-10-12')).state).toBe('absent')
  })
})
