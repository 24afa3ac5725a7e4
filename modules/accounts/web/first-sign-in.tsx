import { copyText } from '#kit/web/copy-text.ts'
import { useState } from 'react'
import { Button } from 'antd'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { listManagers, type Manager } from '../contract/manager.ts'
import { menu } from '../module.ts'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { signInEntries } from './sign-in-entries.ts'
import './accounts.css'

const getSignInStatus = (m: Manager): readonly ['todo' | 'doing', string] =>
  m.lastLoginTime ? ['doing', '待改初始密码'] : ['todo', '从未登录']

const listColumns = buildColumns(listManagers.output, [
  { key: 'realName', width: 96 },
  { key: 'loginCode', width: 120 },
  'mobile',
  'managerType',
  { key: 'place', width: 110 },
  { key: 'createTime', title: '开通时间' },
  {
    key: 'mustChange',
    title: '首次登录',
    width: 128,
    render: m => <Status tone={getSignInStatus(m)[0]}>{getSignInStatus(m)[1]}</Status>,
    text: m => getSignInStatus(m)[1],
  },
])

const formatSignInInstructions = (m: Manager): string =>
  `登录地址：${location.origin}/login\n账号：${m.loginCode}\n初始密码：由管理员另行告知，首次登录须修改`

/**
 * How people first come in: the sign-in addresses, and who has not yet signed in and set a password (PERM-9).
 */
export default function FirstSignIn() {
  const [reset, setReset] = useState<Manager>()
  const addresses = (
    <section className="sign-in-links" aria-label="登录地址">
      {signInEntries.map(entry => (
        <div key={entry.path}>
          <span>{entry.title}</span>
          <code>
            {location.origin}
            {entry.path}
          </code>
          <Button
            size="small"
            onClick={() =>
              void copyText(`${location.origin}${entry.path}`, { done: `已复制「${entry.title}」的地址` })
            }
          >
            复制
          </Button>
        </div>
      ))}
    </section>
  )
  return (
    <>
      <ListPage
        list={listManagers}
        itemName="待首次登录的账号"
        columns={listColumns}
        fixedFilter={{ firstSignInPending: true }}
        filters={['managerType', 'roleId', 'projectCode']}
        barFilters={['managerType']}
        settingsKey="init-login"
        belowToolbar={addresses}
        rowActions={manager => [
          {
            label: '复制登录说明',
            run: () =>
              copyText(formatSignInInstructions(manager), {
                done: `已复制「${manager.realName}」的登录说明`,
              }),
          },
          {
            label: '重置初始密码',
            needs: menu.manager.permissions.reset,
            disabledReason: manager.managerType === 'owner' ? '超级管理员请用「忘记密码」' : undefined,
            run: () => setReset(manager),
          },
        ]}
      />
      {reset && <ResetPasswordDialog of={reset} label="初始密码" onClose={() => setReset(undefined)} />}
    </>
  )
}
