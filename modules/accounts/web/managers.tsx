import { Tag } from 'antd'
import { useState } from 'react'
import { act, withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { session } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import {
  deleteManagers,
  editManager,
  exportManagers,
  listManagers,
  manager,
  managerState,
  oneManager,
  resetFactor,
  resetPassword,
  switchManager,
  type Manager,
} from '../contract/manager.ts'
import { menu } from '../module.ts'
import { DomainDrawer } from './domain-drawer.tsx'
import { NewPassword } from './new-password.tsx'
import { ResignDialog } from './resign-dialog.tsx'

const table = columns(manager, [
  { key: 'realName', width: 96 },
  { key: 'loginCode', width: 120 },
  'mobile',
  'managerType',
  {
    key: 'roleNames',
    title: '角色',
    render: m => (m.roleNames ?? []).map(r => <Tag key={r}>{r}</Tag>),
    text: m => (m.roleNames ?? []).join('、'),
  },
  { key: 'place', width: 110 },
  { key: 'totpOn', aside: true },
  { key: 'wechatBound', drop: 1, aside: true },
  { key: 'sessions', drop: 2 },
  { key: 'lastLoginTime', drop: 3 },
  { key: 'lastLoginIp', aside: true },
  { key: 'remark', aside: true },
  'state',
])

const remove = withReason(deleteManagers, {
  what: '个账号',
  name: (m: Manager) => m.realName,
  follows: ['账号立即退出所有设备，不能再登录。', '他做过的操作和日志都会保留。'],
  why: m => fixed(m),
})

const fixed = (m: Manager): string | undefined =>
  m.managerType === 'owner'
    ? '超级管理员不能修改；需要换人请用「权限移交」'
    : m.id === session.getState().signed?.manager.id
      ? '自己的账号请到「个人中心」修改'
      : undefined

const stateOf = (m: Manager) => <Choice of={managerState} value={m.state} />

/** Those who sign in: who they are, what they may do and where. */
export default function Managers() {
  const form = useEdit({
    what: '管理员',
    edit: editManager,
    one: oneManager,
    name: (m: Manager) => m.realName,
    why: fixed,
    groups: [
      {
        keys: [
          'loginCode',
          'realName',
          'mobile',
          'managerType',
          { key: 'roleIds', wide: true },
          'showPrivacy',
          { key: 'remark', wide: true },
        ],
      },
    ],
  })
  const [reset, setReset] = useState<Manager>()
  const [leaving, setLeaving] = useState<Manager>()
  const [domain, setDomain] = useState<Manager>()
  const turn = (m: Manager) =>
    m.state === 'off'
      ? {
          label: '启用',
          may: menu.manager.may.edit,
          why: fixed(m),
          run: async () => {
            await act(switchManager, { id: m.id, state: 'on' })
            toast.success(`已启用「${m.realName}」`)
          },
        }
      : {
          label: '停用',
          may: menu.manager.may.edit,
          danger: true,
          why: fixed(m),
          run: () =>
            danger({
              verb: '停用',
              what: '个账号',
              count: 1,
              title: `停用「${m.realName}」`,
              follows: ['账号立即退出所有设备；以后可以再启用。'],
              reason: {},
              run: async reason => {
                await act(switchManager, { id: m.id, state: 'off', reason }, { quiet: true })
                toast.success(`已停用「${m.realName}」`)
              },
            }),
        }
  const verbs = (m: Manager) => [
    form.edit(m),
    { label: '数据范围', may: menu.manager.may.domain, why: fixed(m), run: () => setDomain(m) },
    m.totpOn === true && {
      label: '重置二次验证',
      may: menu.manager.may.factor,
      why: fixed(m),
      run: () =>
        danger({
          verb: '重置',
          what: '个账号',
          count: 1,
          title: `重置「${m.realName}」的二次验证`,
          follows: [
            '原来的动态验证码和恢复码立即失效，所有设备退出登录。',
            '角色要求二次验证的，下次登录先重新绑定。',
          ],
          reason: { presets: ['手机丢失', '更换手机'] },
          run: async reason => {
            await act(resetFactor, { id: m.id, reason }, { quiet: true })
            toast.success(`已重置「${m.realName}」的二次验证`)
          },
        }),
    },
    { label: '重置密码', may: menu.manager.may.reset, why: fixed(m), run: () => setReset(m) },
    m.state !== 'off' && {
      label: '离职交接',
      may: menu.manager.may.resign,
      why: fixed(m),
      run: () => setLeaving(m),
    },
    turn(m),
    remove.row(m),
  ]
  return (
    <>
      <ListPage
        list={listManagers}
        what="管理员"
        columns={table}
        export={exportManagers}
        bar={['managerType', 'state']}
        row={verbs}
        batch={[remove.batch]}
        untickable={fixed}
        dim={m => m.state === 'off'}
        primary={{
          label: '新增管理员',
          may: menu.manager.may.add,
          run: () => go('/setting/permission/managerlist/addmanager'),
        }}
        drawer={{ title: m => m.realName, status: stateOf, one: oneManager, history: 'manager', verbs }}
      />
      {form.dialog}
      {domain && <DomainDrawer of={domain} onClose={() => setDomain(undefined)} />}
      {leaving && <ResignDialog of={leaving} onClose={() => setLeaving(undefined)} />}
      {reset && (
        <EditDialog
          of={resetPassword.input}
          title={`重置「${reset.realName}」的密码`}
          words="重置密码"
          initial={{ id: reset.id }}
          groups={[{ keys: [{ key: 'password', control: NewPassword }] }]}
          save={v => act(resetPassword, { ...v, id: reset.id }, { quiet: true })}
          onClose={() => setReset(undefined)}
          onDone={() => {
            setReset(undefined)
            toast.success(`已重置，请把新密码告诉「${reset.realName}」，登录后须自行修改`)
          }}
        />
      )}
    </>
  )
}
