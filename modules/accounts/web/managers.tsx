import { Tag } from 'antd'
import { useState } from 'react'
import { confirmAndSend, createReasonAction, sendAndToast } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { send } from '#kit/web/send.ts'
import { session } from '#kit/web/session.ts'
import {
  deleteManagers,
  editManager,
  exportManagers,
  listManagers,
  manager,
  managerState,
  getManager,
  getOpenWork,
  resetSecondFactor,
  setManagerState,
  type Manager,
} from '../contract/manager.ts'
import { menu } from '../module.ts'
import { DataDomainDrawer } from './data-domain-drawer.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { ResignDialog } from './resign-dialog.tsx'
import { paths } from './paths.ts'

const listColumns = buildColumns(manager, [
  { key: 'realName', width: 96 },
  { key: 'loginCode', width: 120 },
  'mobile',
  'managerType',
  {
    key: 'roleNames',
    render: m => (m.roleNames ?? []).map(r => <Tag key={r}>{r}</Tag>),
    text: m => (m.roleNames ?? []).join('、'),
  },
  { key: 'place', width: 110 },
  { key: 'totpOn', hiddenByDefault: true },
  { key: 'wechatBound', hidePriority: 1, hiddenByDefault: true },
  { key: 'sessions', hidePriority: 2 },
  { key: 'lastLoginTime', hidePriority: 3 },
  { key: 'lastLoginIp', hiddenByDefault: true },
  { key: 'remark', hiddenByDefault: true },
  'state',
])

const deleteAction = createReasonAction(deleteManagers, {
  unit: '个账号',
  nameOf: (m: Manager) => m.realName,
  consequences: ['账号立即退出所有设备，不能再登录。', '操作记录和日志予以保留。'],
  disabledReason: m => whyNotEditable(m),
})

const whyNotEditable = (managerRow: Manager): string | undefined =>
  managerRow.managerType === 'owner'
    ? '超级管理员不能修改；更换请使用「权限移交」'
    : managerRow.id === session.getState().signed?.manager.id
      ? '自己的账号请到「个人中心」修改'
      : undefined

const renderState = (m: Manager) => <ChoiceStatus choices={managerState} value={m.state} />

/** What is with nobody once the account is off (PERM-8). */
const describeLeft = (work: readonly { readonly what: string; readonly count: number }[]): string[] =>
  work.length
    ? [
        `该账号还有${work.map(({ what, count }) => `${what} ${count} 项`).join('、')}，停用后无人办理；需要交给他人的，请改用「离职交接」。`,
      ]
    : []

/** Switches an account on, or off after a reason. */
const createStateAction = (managerRow: Manager) =>
  managerRow.state === 'off'
    ? {
        label: '启用',
        needs: menu.manager.permissions.edit,
        disabledReason: whyNotEditable(managerRow),
        run: async () => {
          await sendAndToast(
            setManagerState,
            { id: managerRow.id, state: 'on' },
            `已启用「${managerRow.realName}」`,
          )
        },
      }
    : {
        label: '停用',
        needs: menu.manager.permissions.edit,
        danger: true,
        disabledReason: whyNotEditable(managerRow),
        run: async () => {
          const work = await send(getOpenWork, { id: managerRow.id })
          await confirmAndSend(setManagerState, {
            actionLabel: '停用',
            unit: '个账号',
            title: `停用「${managerRow.realName}」`,
            consequences: ['账号立即退出所有设备；以后可以再启用。', ...describeLeft(work)],
            reason: {},
            input: { id: managerRow.id, state: 'off' },
            doneText: `已停用「${managerRow.realName}」`,
          })
        },
      }

const createFactorResetAction = (managerRow: Manager) => ({
  label: '重置二次验证',
  needs: menu.manager.permissions.factor,
  disabledReason: whyNotEditable(managerRow),
  run: () =>
    confirmAndSend(resetSecondFactor, {
      actionLabel: '重置',
      unit: '个账号',
      title: `重置「${managerRow.realName}」的二次验证`,
      consequences: [
        '原动态验证码和恢复码立即失效，所有设备退出登录。',
        '角色要求二次验证的，下次登录先重新绑定。',
      ],
      reason: { presets: ['手机丢失', '更换手机'] },
      input: { id: managerRow.id },
      doneText: `已重置「${managerRow.realName}」的二次验证`,
    }),
})

/** The accounts of the company: who they are, what they may do and where. */
export default function Managers() {
  const form = useEdit({
    itemName: '管理员',
    edit: editManager,
    load: getManager,
    nameOf: (m: Manager) => m.realName,
    editDisabledReason: whyNotEditable,
    groups: [
      {
        keys: [
          'loginCode',
          'realName',
          'mobile',
          'managerType',
          { key: 'roleIds', wide: true },
          'showPrivacy',
          'remark',
        ],
      },
    ],
  })
  const [reset, setReset] = useState<Manager>()
  const [leaving, setLeaving] = useState<Manager>()
  const [domain, setDomain] = useState<Manager>()
  const actions = (managerRow: Manager) => [
    form.editAction(managerRow),
    {
      label: '数据范围',
      needs: menu.manager.permissions.domain,
      disabledReason: whyNotEditable(managerRow),
      run: () => setDomain(managerRow),
    },
    managerRow.totpOn === true && createFactorResetAction(managerRow),
    {
      label: '重置密码',
      needs: menu.manager.permissions.reset,
      disabledReason: whyNotEditable(managerRow),
      run: () => setReset(managerRow),
    },
    managerRow.state !== 'off' && {
      label: '离职交接',
      needs: menu.manager.permissions.resign,
      disabledReason: whyNotEditable(managerRow),
      run: () => setLeaving(managerRow),
    },
    createStateAction(managerRow),
    deleteAction.row(managerRow),
  ]
  return (
    <>
      <ListPage
        list={listManagers}
        itemName="管理员"
        columns={listColumns}
        export={exportManagers}
        barFilters={['managerType', 'state']}
        rowActions={actions}
        batchActions={[deleteAction.batch]}
        unselectableReason={whyNotEditable}
        isDimmed={m => m.state === 'off'}
        primaryAction={{
          label: '新增管理员',
          needs: menu.manager.permissions.add,
          run: () => navigateTo(paths.addManager),
        }}
        drawer={{
          title: m => m.realName,
          status: renderState,
          loadCall: getManager,
          historyEntity: 'manager',
          actions: actions,
        }}
      />
      {form.dialog}
      {domain && <DataDomainDrawer of={domain} onClose={() => setDomain(undefined)} />}
      {leaving && <ResignDialog of={leaving} onClose={() => setLeaving(undefined)} />}
      {reset && <ResetPasswordDialog of={reset} label="密码" onClose={() => setReset(undefined)} />}
    </>
  )
}
