import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { ByPersonKind, PeopleSql, PersonKind } from '#kit/server/personal-data/declaration.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes, localDay, notDeleted } from '#kit/server/sql.ts'
import { deviceKeysOf, withdrawCredentials } from '#modules/access/server/public.ts'
import { licencePlateKind, normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { recordState, visitState } from '../contract/choices.ts'
import { paths } from '../module.ts'
import { keysOfVisitors } from './code-reach.ts'
import { keepDaysRule } from './keep-days.ts'

const ofRoom = { heading: '拜访房屋', table: 'room', column: 'path', by: 'room_id' }
const ofInvitation = {
  heading: '邀访单号',
  table: 'visitor_invitation',
  column: 'invitation_no',
  by: 'invitation_id',
}

const visitorKind = {
  name: 'visitor_name',
  mobiles: ['mobile'],
  idCards: ['cert_no'],
  isRepeated: true,
  naming: sql`t.clear_time is null`,
} as const satisfies Partial<PersonKind>

const byCode =
  (keysOf: typeof keysOfVisitors, column: 'item_key' | 'run_item_key' = 'item_key'): PeopleSql =>
  ({ ownerId, ids }) =>
    sql`
    (t.project_code, t.${sql.id(column)}) in (select k.project_code, k.item_key from (${keysOf(ownerId, ids)}) k)
  `

const byVisitor = { inviteVisitor: inColumn('visitor_id') }

/** Its own by the visitor whom it names: of several people it names the first. */
const firstOfInvitation: PeopleSql = ({ ownerId, ids }) => sql`
  exists (
    select 1
    from invite_visitor v
    where v.owner_id = ${ownerId}
      and v.invitation_id = t.id
      and v.id = any(${[...ids]}::bigint[])
      and v.visitor_name = t.visitor_name
      and (t.mobile is null or v.mobile = t.mobile)
  )
`

/** Visitors who came, or were to come, by the car with the plate; of either kind. */
function ofPlate(_: Id, keyword: string): ByPersonKind<RawBuilder<unknown>> {
  const plateNo = normalizePlate(keyword)
  if (licencePlateKind(plateNo) === undefined) return {}
  const isCar = sql`t.plate_no = ${plateNo}`
  return { inviteVisitor: isCar, visitRecord: isCar }
}

registerPersonalData({
  searches: [{ conditions: ofPlate }],
  kinds: [
    {
      ...visitorKind,
      entity: inviteVisitor.name,
      label: '访客（邀访）',
      table: 'invite_visitor',
      place: ownerId => sql`(
        select r.path from room r where r.owner_id = ${ownerId} and r.id = t.room_id
      )`,
    },
    {
      ...visitorKind,
      entity: visitRecord.name,
      label: '访客（到访）',
      table: 'visit_record',
      place: ownerId => sql`(
        select r.path from room r where r.owner_id = ${ownerId} and r.id = t.room_id
      )`,
    },
  ],
  tables: {
    visitor_invitation: {
      purpose: '访客的邀请与审批',
      ground: 'contract',
      retention: keepDaysRule.key,
      people: { inviteVisitor: firstOfInvitation },
      columns: {
        visitor_name: 'name',
        mobile: 'mobile',
        plate_no: 'detail',
        // Hosts and who decided are other people.
        host_name: 'named',
        create_name: 'named',
        reason: 'note',
        answers: 'json',
        decisions: 'text',
        reject_reason: 'note',
      },
      beside: {
        host_name: { resident: inColumn('host_user_id'), companyWorker: inColumn('worker_id') },
        create_name: { resident: inColumn('host_user_id'), companyWorker: inColumn('worker_id') },
      },
      exported: [
        'invitation_no',
        'visitor_kind',
        'visitor_name',
        'mobile',
        'plate_no',
        ofRoom,
        'begin_time',
        'end_time',
        'reason',
        'state',
      ],
    },
    invite_visitor: {
      purpose: '访客的核验与放行',
      ground: 'contract',
      retention: keepDaysRule.key,
      people: { inviteVisitor: inColumn('id') },
      columns: {
        visitor_name: 'name',
        mobile: 'mobile',
        cert_type: 'detail',
        cert_no: 'idCard',
        face: 'files',
        plate_no: 'detail',
        items: 'note',
        check_photo: 'files',
      },
      exported: [
        ofInvitation,
        'visitor_name',
        'mobile',
        'cert_type',
        'cert_no',
        'plate_no',
        'begin_time',
        'end_time',
        'arrive_time',
        'leave_time',
        'items',
        'state',
      ],
    },
    invite_valid: {
      purpose: '邀请码的核验',
      ground: 'contract',
      people: byVisitor,
      columns: { guard_name: 'kept', reason: 'text' },
      exported: ['valid_time', 'direction', 'result', 'reason'],
    },
    visit_record: {
      purpose: '到访登记',
      ground: 'contract',
      retention: keepDaysRule.key,
      people: { ...byVisitor, visitRecord: inColumn('id') },
      columns: {
        visitor_name: 'name',
        mobile: 'mobile',
        cert_type: 'detail',
        cert_no: 'idCard',
        plate_no: 'detail',
        host_name: 'named',
        reason: 'note',
        items: 'json',
        item_photos: 'files',
        check_photo: 'files',
        temperature: 'detail',
        in_guard_name: 'kept',
        out_guard_name: 'kept',
        remark: 'note',
      },
      exported: [
        ofInvitation,
        'visitor_name',
        'mobile',
        'cert_type',
        'cert_no',
        'plate_no',
        ofRoom,
        'reason',
        'temperature',
        'in_time',
        'out_time',
        'remark',
      ],
    },
    visitor_block: {
      purpose: '小区安全管理',
      ground: 'records',
      retention: 'visitorBlocks',
      isDeleted: true,
      ownBy: ['mobile', 'cert_no'],
      columns: { name: 'name', mobile: 'mobile', cert_no: 'idCard', plate_no: 'detail', reason: 'note' },
      exported: ['name', 'mobile', 'cert_no', 'plate_no', 'reason', 'expire_date'],
    },
    visitor_location: {
      purpose: '门岗的电话与备注',
      ground: 'records',
      columns: { phone: 'mobile', remark: 'text' },
    },
  },
  notPersonal: ['invite_template.parts', 'invite_template.background', 'invite_rule.visitor_kinds'],
  ownRows: {
    access_record: { inviteVisitor: byCode(keysOfVisitors) },
    elevator_call: { inviteVisitor: byCode(keysOfVisitors, 'run_item_key') },
    device_item: { inviteVisitor: byCode((ownerId, ids) => deviceKeysOf(keysOfVisitors(ownerId, ids))) },
  },
  blockers: [
    {
      label: '未结束的邀访',
      advice: '请先取消邀访或登记离开',
      path: paths.invitations,
      found: {
        inviteVisitor: ({ ownerId, ids }) => sql`
          select i.invitation_no as number
          from invite_visitor v
          join visitor_invitation i on i.owner_id = ${ownerId} and i.id = v.invitation_id
          where v.owner_id = ${ownerId}
            and v.id = any(${[...ids]}::bigint[])
            and ${notDeleted('v')}
            and v.state in ${codes(visitState, 'pending', 'passed', 'arrived')}
        `,
      },
    },
    {
      label: '仍在访的登记',
      advice: '请先登记离开',
      path: paths.visits,
      found: {
        visitRecord: ({ ownerId, ids }) => sql`
          select to_char(in_time at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') as number
          from visit_record
          where owner_id = ${ownerId}
            and id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state = ${code(recordState, 'inside')}
        `,
      },
    },
  ],
  onErasing: {
    inviteVisitor: ({ tx, app, ownerId, ids }) =>
      withdrawCredentials(tx, clockScope(app, ownerId), deviceKeysOf(keysOfVisitors(ownerId, ids))),
  },
  // Their codes open nothing any more, and no job looks at them again.
  onErased: {
    inviteVisitor: async ({ tx, app, ownerId, ids }) => {
      const time = new Date(app.clock())
      await tx.execute(sql`
        update invite_visitor
        set clear_time = ${time}, end_time = least(end_time, ${time}::timestamptz)
        where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
      `)
    },
    visitRecord: async ({ tx, app, ownerId, ids }) => {
      await tx.execute(sql`
        update visit_record
        set clear_time = ${new Date(app.clock())}
        where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
      `)
    },
  },
  retention: [
    keepDaysRule,
    {
      key: 'visitorBlocks',
      label: '访客黑名单',
      content: '已移出的自移出之日起，到期的自到期之日起',
      basis: '个人信息保护法第四十七条：处理目的已实现应当主动删除',
      unit: 'month',
      initial: 12,
      min: 1,
      max: 60,
      steps: [
        {
          table: 'visitor_block',
          due: ({ before }) => sql`
            ((t.delete_tag <> 0 and t.update_time < ${before}) or t.expire_date < ${localDay(before)})
          `,
        },
      ],
    },
  ],
})
