import { sql } from '#kit/server/db.ts'
import { removeEntries } from '#kit/server/directory.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { paths } from '../module.ts'
import { managerState } from '../contract/manager.ts'
import { endSessionsOnCommit } from './granting.ts'

const byManager = { manager: inColumn('manager_id') }

registerPersonalData({
  kinds: [
    {
      entity: 'manager',
      label: '登录账号',
      table: 'manager',
      name: 'real_name',
      mobiles: ['mobile'],
      emails: ['email'],
      place: () => sql`t.login_code`,
    },
  ],
  tables: {
    manager: {
      purpose: '登录与权限',
      ground: 'employment',
      people: { manager: inColumn('id') },
      columns: {
        login_code: { becomes: "'deleted-' || t.id" },
        real_name: 'name',
        mobile: 'mobile',
        email: 'email',
        head_image: 'files',
        wechat_open_id: 'detail',
        last_login_ip: 'detail',
        remark: 'note',
        state: { becomes: '20' },
        delete_tag: { becomes: '-1' },
      },
      exported: [
        'login_code',
        'real_name',
        'mobile',
        'email',
        'state',
        'last_login_time',
        'last_login_ip',
        'remark',
      ],
    },
    manager_identity: {
      purpose: '统一身份认证登录',
      ground: 'employment',
      isDeleted: true,
      people: byManager,
      columns: { subject: 'detail', display_name: 'name' },
    },
    manager_secret: {
      purpose: '密码的摘要与二次验证',
      ground: 'employment',
      isDeleted: true,
      people: byManager,
      columns: { password: 'detail', totp: 'detail', recovery: 'detail' },
    },
    property: {
      purpose: '公司的联系人',
      ground: 'contract',
      columns: { contact_name: 'name', contact_phone: 'mobile' },
    },
  },
  notPersonal: [
    'property.address',
    'property.logo',
    'property_print.logo',
    'role.role_desc',
    'print_edition.body',
    'property_print.parts',
  ],
  blockers: [
    {
      label: '未停用的登录账号',
      advice: '请先在「管理员」停用或办理离职交接',
      path: paths.managers,
      found: {
        manager: ({ ownerId, ids }) => sql`
          select login_code as number
          from manager
          where owner_id = ${ownerId}
            and id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state <> ${code(managerState, 'off')}
        `,
        staff: ({ ownerId, ids }) => sql`
          select login_code as number
          from manager
          where owner_id = ${ownerId}
            and staff_id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state <> ${code(managerState, 'off')}
        `,
      },
    },
  ],
  onErased: {
    manager: async ({ tx, app, ownerId, ids }) => {
      await removeEntries(tx, 'login', ownerId, ids)
      endSessionsOnCommit(tx, app, ownerId, ids)
    },
  },
})
