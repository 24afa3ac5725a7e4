import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { merchantStaffState } from '../contract/merchant.ts'
import { merchantScreens } from '../module.ts'

registerPersonalData({
  kinds: [
    {
      entity: 'merchantStaff',
      label: '商户员工',
      table: 'merchant_staff',
      name: 'name',
      mobiles: ['mobile'],
      place: ownerId =>
        sql`(select m.name from merchant m where m.owner_id = ${ownerId} and m.id = t.merchant_id)`,
    },
  ],
  tables: {
    merchant: {
      purpose: '商户的联系人',
      ground: 'contract',
      columns: {
        contact_name: 'name',
        contact_phone: 'mobile',
        license: 'kept',
        remark: 'text',
      },
      searchText: { names: ['name', 'contact_name'], codes: ['merchant_no', 'contact_phone'] },
    },
    merchant_staff: {
      purpose: '商户员工的通行',
      ground: 'contract',
      people: { merchantStaff: inColumn('id') },
      columns: { name: 'name', mobile: 'mobile', delete_tag: { becomes: '-1' } },
      exported: ['name', 'mobile', 'role_type', 'state'],
    },
    merchant_account: {
      purpose: '商户员工登录商户手机页的账号',
      ground: 'contract',
      isDeleted: true,
      people: { merchantStaff: inColumn('staff_id') },
      columns: { login_name: 'detail' },
      exported: ['login_name', 'sign_in_time', 'state'],
    },
  },
  blockers: [
    {
      label: '在岗的商户员工',
      advice: '请先在「商户」停用或删除该员工',
      path: merchantScreens.paths.list,
      found: {
        merchantStaff: ({ ownerId, ids }) => sql`
          select s.name || '（' || m.name || '）' as number
          from merchant_staff s
          join merchant m on m.owner_id = ${ownerId} and m.owner_id = s.owner_id and m.id = s.merchant_id
          where s.owner_id = ${ownerId}
            and s.id = any(${[...ids]}::bigint[])
            and ${notDeleted('s')}
            and s.state = ${code(merchantStaffState, 'on')}
        `,
      },
    },
  ],
})
