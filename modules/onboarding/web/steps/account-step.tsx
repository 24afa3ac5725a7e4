import { Button } from 'antd'
import { formatCount } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { addJobRoles, listRoleOptions } from '#modules/accounts/contract/role.ts'
import { paths } from '../paths.ts'

/** Accounts for the jobs of the company: each role leads to a new account that has it. */
export function AccountStep() {
  const hasPermission = usePermission()
  const roles = useCall(listRoleOptions, undefined, { quiet: true, project: 0 })
  const ofJobs = (roles.data ?? []).filter(role => !role.everything)
  return (
    <div className="inline-form">
      {ofJobs.length > 0 && (
        <section className="guide-roles" aria-label="岗位角色">
          <h4>岗位角色 {formatCount(ofJobs.length)} 个</h4>
          <ul>
            {ofJobs.map(role => (
              <li key={role.id}>
                <b>{role.roleName}</b>
                <span>{role.roleDesc}</span>
                <Button
                  size="small"
                  aria-label={`新增${role.roleName}账号`}
                  onClick={() => navigateTo(`${paths.addManager}?roleId=${role.id}`)}
                >
                  新增账号
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="inline-form-actions">
        <Button type="primary" onClick={() => navigateTo(paths.addManager)}>
          新增管理员
        </Button>
        {hasPermission(addJobRoles.needs) && (
          <Button onClick={() => navigateTo(paths.roles)}>设置角色</Button>
        )}
        <Button onClick={() => navigateTo(paths.printSetting)}>设置收据样式</Button>
      </div>
    </div>
  )
}
