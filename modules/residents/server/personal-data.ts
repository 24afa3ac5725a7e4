import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { code, codes, localDay, notDeleted } from '#kit/server/sql.ts'
import { cardState, faceState, residencyStatus } from '../contract/labels.ts'
import { holdsDeposit, residentBlockers } from './erasure-blockers.ts'

const ofRoom = {
  heading: '房屋',
  table: 'room',
  column: 'path',
  by: 'room_id',
}

const byUser = { resident: inColumn('user_id') }
const byUserOrStaff = { ...byUser, staff: inColumn('staff_id') }

/** Filled in for a person beside name and telephone: not needed any more once the person has left. */
const details = [
  'cert_no',
  'birthday',
  'nation',
  'education',
  'work_unit',
  'phone2',
  'email',
  'address',
  'photo',
  'emergency_name',
  'emergency_phone',
] as const

const holdsDetails = sql.raw(`(${details.map(column => `t.${column} is not null`).join(' or ')})`)

registerPersonalData({
  kinds: [
    {
      entity: 'resident',
      label: '住户',
      table: 'resident',
      name: 'name',
      mobiles: ['mobile', 'phone2'],
      idCards: ['cert_no'],
      emails: ['email'],
      place: ownerId => sql`(
        select string_agg(distinct r.path, '、')
        from user_room l
        join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
        where l.owner_id = ${ownerId} and l.user_id = t.id and ${notDeleted('l')}
      )`,
      // As resident-merge.ts writes it.
      merged: ({ ownerId, ids }) => sql`
        select distinct case
            when a.entity_id = any(${[...ids]}::bigint[]) then m.kept_id else a.entity_id
          end as id
        from audit_log a
        cross join lateral (select substring(a.reason from '^并入 ([0-9]+)：')::bigint as kept_id) m
        where a.owner_id = ${ownerId}
          and a.entity = 'resident'
          and a.action = 'delete'
          and m.kept_id is not null
          and (a.entity_id = any(${[...ids]}::bigint[]) or m.kept_id = any(${[...ids]}::bigint[]))
      `,
    },
  ],
  tables: {
    resident: {
      purpose: '提供物业服务、联系住户',
      ground: 'contract',
      retention: 'movedOut',
      people: { resident: inColumn('id') },
      columns: {
        name: 'name',
        mobile: 'mobile',
        gender: 'detail',
        cert_type: 'detail',
        cert_no: 'idCard',
        birthday: 'detail',
        nation: 'detail',
        education: 'detail',
        work_unit: 'detail',
        phone2: 'mobile',
        email: 'email',
        address: 'detail',
        photo: 'files',
        emergency_name: 'name',
        emergency_phone: 'mobile',
        tags: 'detail',
        remark: 'note',
        search_text: 'detail',
        run_wechat: 'detail',
        run_wechat_time: 'detail',
        state: { becomes: '20' },
        delete_tag: { becomes: '-1' },
      },
      searchText: { names: ['name'], codes: ['mobile', 'phone2'] },
      exported: [
        'name',
        'mobile',
        'gender',
        'user_type',
        'cert_type',
        'cert_no',
        'birthday',
        'nation',
        'education',
        'work_unit',
        'phone2',
        'email',
        'address',
        'emergency_name',
        'emergency_phone',
        'remark',
        'state',
      ],
    },
    resident_wechat_ticket: { transient: '绑定微信的二维码（五分钟内有效）' },
    user_room: {
      purpose: '房屋与住户的关系',
      ground: 'contract',
      people: byUser,
      columns: { attachments: 'files', reject_reason: 'note', remark: 'note' },
      exported: [ofRoom, 'relation', 'in_date', 'out_date', 'lease_begin', 'lease_end', 'status', 'remark'],
    },
    user_room_log: {
      purpose: '入住、迁出、过户的历史',
      ground: 'contract',
      people: byUser,
      columns: { user_name: 'name', detail: 'note', reason: 'note', operator_name: 'kept' },
      exported: [ofRoom, 'user_name', 'relation', 'action', 'day', 'detail', 'reason'],
    },
    user_blocklist: {
      purpose: '小区安全管理',
      ground: 'records',
      retention: 'blocklist',
      isDeleted: true,
      people: byUser,
      ownBy: ['mobile', 'cert_no'],
      columns: { name: 'name', mobile: 'mobile', cert_no: 'idCard', reason: 'note' },
      exported: ['name', 'mobile', 'cert_no', 'reason', 'expire_date'],
    },
    identity_card: {
      purpose: '门禁通行',
      ground: 'contract',
      retention: 'access',
      isDeleted: true,
      people: byUserOrStaff,
      columns: { card_no: 'detail', end_reason: 'note', remark: 'note' },
      exported: ['card_no', 'card_type', ofRoom, 'begin_date', 'end_date', 'state'],
    },
  },
  blockers: residentBlockers,
  onErased: {
    resident: async ({ tx, ownerId, ids }) =>
      publishRecordsWritten(tx, ownerId, { entity: 'resident', action: 'delete', ids }),
  },
  retention: [
    {
      key: 'movedOut',
      label: '迁出住户的详细资料',
      content: '证件、照片、紧急联系人等，自最后一次迁出或删除之日起；姓名与手机号留存',
      basis: '民法典第一百八十八条：诉讼时效三年',
      unit: 'month',
      initial: 36,
      min: 1,
      max: 240,
      steps: [
        {
          table: 'resident',
          clears: details,
          // From the last day in a room, whatever was changed in the record since; a deleted one from then.
          due: ({ ownerId, before }) => sql`
            ${holdsDetails}
            and (
              (t.delete_tag = 1 and t.update_time < ${before})
              or exists (
                select 1
                from user_room l
                where l.owner_id = ${ownerId}
                  and l.owner_id = t.owner_id
                  and l.user_id = t.id
                  and l.status = ${code(residencyStatus, 'left')}
                  and l.delete_tag = 0
              )
            )
            and not exists (
              select 1
              from user_room l
              where l.owner_id = ${ownerId}
                and l.owner_id = t.owner_id
                and l.user_id = t.id
                and l.delete_tag = 0
                and (
                  l.status in ${codes(residencyStatus, 'pending', 'living')}
                  or coalesce(l.out_date, l.update_time::date) >= ${localDay(before)}
                )
            )
          `,
        },
      ],
    },
    {
      key: 'access',
      label: '人脸、指纹与门禁卡',
      content: '已删除的人脸照片、指纹记录、已注销的卡号，自删除、注销之日起',
      basis: '个人信息保护法第四十七条：处理目的已实现应当主动删除',
      unit: 'day',
      initial: 30,
      min: 1,
      max: 365,
      steps: [
        {
          table: 'face_key',
          due: ({ before }) =>
            sql`t.update_time < ${before} and (t.delete_tag <> 0 or t.state = ${code(faceState, 'deleted')})`,
        },
        {
          table: 'resident_fingerprint',
          due: ({ before }) => sql`t.update_time < ${before} and t.delete_tag <> 0`,
        },
        {
          table: 'identity_card',
          due: ({ before }) => sql`
            t.update_time < ${before}
            and (t.delete_tag <> 0 or (t.state = ${code(cardState, 'ended')} and not ${holdsDeposit}))
          `,
        },
      ],
    },
    {
      key: 'blocklist',
      label: '黑名单',
      content: '已移出的自移出之日起，到期的自到期之日起',
      basis: '个人信息保护法第四十七条：处理目的已实现应当主动删除',
      unit: 'month',
      initial: 12,
      min: 1,
      max: 60,
      steps: [
        {
          table: 'user_blocklist',
          due: ({ before }) => sql`
            ((t.delete_tag <> 0 and t.update_time < ${before}) or t.expire_date < ${localDay(before)})
          `,
        },
      ],
    },
  ],
})
