import { randomBytes } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'
import { managerType } from '../contract/manager.ts'
import { hashPassword } from './password.ts'

/** Is no hash: no password matches it, and a reset replaces it. */
const noPassword = '!'

/** Passwords stay behind: the owner gets one that must be changed, and gives the others theirs. */
const setUpPasswords: CompanyData['onImport'] = async (client, ownerId) => {
  const password = `Aj${randomBytes(6).toString('hex')}`
  await client.query(
    `insert into manager_secret (owner_id, manager_id, password, must_change)
    select owner_id, id, case when manager_type = $2 then $3 else $4 end, true
    from manager
    where owner_id = $1
    returning manager_id`,
    [ownerId, codeOf(managerType, 'owner'), await hashPassword(password), noPassword],
  )
  const { rows } = await client.query<{ loginCode: string }>(
    `select login_code as "loginCode"
    from manager
    where owner_id = $1 and manager_type = $2 and delete_tag = 0`,
    [ownerId, codeOf(managerType, 'owner')],
  )
  return [
    `超级管理员 ${rows.map(row => row.loginCode).join('、')} 的初始密码：${password}（只显示这一次，首次登录后须修改）。`,
    '其他账号没有密码，请由超级管理员在「管理员」中重置；动态验证码须重新绑定。',
  ]
}

export const companyData: CompanyData = {
  onImport: setUpPasswords,
  tables: {
    // It comes without the secret of the company's client at its provider.
    identity_provider: {
      columns: { run_secret: secretColumn('客户端密钥') },
      imported: { is_enabled: 'false' },
    },
    manager_data_domain: {
      label: '管理员数据范围',
      columns: { manager_id: '管理员编号', project_code: '项目', build_codes: '楼栋' },
    },
    manager_secret: { label: '管理员密码与动态验证码', omitted: 'secret' },
    print_edition: {
      label: '打印模板版本',
      columns: {
        id: '编号',
        estate_code: '项目',
        doc_type: '单据代码',
        digest: '摘要',
        body: '内容',
        saved_at: '保存时间',
        saved_by: '保存人',
      },
    },
    project_menu: { label: '项目菜单', columns: { project_code: '项目', menu_code: '菜单' } },
    property_secret: { label: '单点登录密钥', omitted: 'secret' },
    used_ticket: { label: '已使用的登录凭证', omitted: 'transient' },
  },
}
