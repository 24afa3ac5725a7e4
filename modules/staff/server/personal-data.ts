import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { code, localDay, notDeleted } from '#kit/server/sql.ts'
import { staffScreens } from '../module.ts'
import { staffState } from '../contract/labels.ts'

const bySelf = { staff: inColumn('id') }
const byStaff = { staff: inColumn('staff_id') }
const details = ['mobile', 'cert_no', 'head'] as const

registerPersonalData({
  kinds: [
    {
      entity: 'staff',
      label: '员工',
      table: 'staff',
      name: 'name',
      mobiles: ['mobile'],
      idCards: ['cert_no'],
      place: () => sql`t.staff_no`,
    },
  ],
  tables: {
    staff: {
      purpose: '人员管理、派工',
      ground: 'employment',
      retention: 'formerStaff',
      people: bySelf,
      columns: {
        name: 'name',
        staff_no: 'detail',
        mobile: 'mobile',
        gender: 'detail',
        cert_no: 'idCard',
        head: 'files',
        tags: 'detail',
        remark: 'note',
        search_text: 'detail',
        delete_tag: { becomes: '-1' },
      },
      exported: [
        'staff_no',
        'name',
        'mobile',
        'gender',
        'cert_no',
        'position',
        'entry_date',
        'leave_date',
        'state',
        'remark',
      ],
    },
    staff_fingerprint: {
      purpose: '指纹考勤、门禁通行（敏感个人信息，单独同意）',
      ground: 'consent',
      retention: 'formerStaff',
      isDeleted: true,
      people: byStaff,
      columns: { device_sn: 'detail' },
    },
    staff_fingerprint_template: {
      purpose: '指纹模板，加密保存（敏感个人信息，单独同意）',
      ground: 'consent',
      retention: 'formerStaff',
      isDeleted: true,
      people: {
        staff: ({ ownerId, ids }) => sql`
          t.fingerprint_id in (
            select f.id
            from staff_fingerprint f
            where f.owner_id = ${ownerId} and f.staff_id = any(${[...ids]}::bigint[])
          )
        `,
      },
      columns: { template: 'detail' },
    },
  },
  notPersonal: ['department.remark'],
  blockers: [
    {
      label: '在职的员工',
      advice: '请先在「员工」办理离职',
      path: staffScreens.paths.list,
      found: {
        staff: ({ ownerId, ids }) => sql`
          select coalesce(staff_no, name) as number
          from staff
          where owner_id = ${ownerId}
            and id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state <> ${code(staffState, 'left')}
        `,
      },
    },
  ],
  retention: [
    {
      key: 'formerStaff',
      label: '离职员工资料',
      content: '手机、证件、头像，自离职之日起；姓名、工号留存',
      basis: '劳动合同法第五十条：至少保存二年',
      unit: 'month',
      initial: 24,
      min: 24,
      max: 360,
      steps: [
        {
          table: 'staff',
          clears: details,
          due: ({ before }) => sql`
            (t.mobile is not null or t.cert_no is not null or t.head is not null)
            and (t.state = ${code(staffState, 'left')} or t.delete_tag = 1)
            and coalesce(t.leave_date, t.update_time::date) < ${localDay(before)}
          `,
        },
      ],
    },
  ],
})
